import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { parseYaml } from '../../src/base/yaml.js';
import type { JsonSchema } from '../../src/api/schema/json-schema.js';
import { goldenFolder, readYamlFiles } from '../tools/golden-crds.js';
import { crdsIn, ImportedProject, type Crd } from './round-trip.js';

const CATALOGUE = 'golden.kindwright.dev_catalogues.yaml';
const catalogueText = (await readYamlFiles(goldenFolder)).get(CATALOGUE)!;
const specOf = ({ spec }: Crd): JsonSchema => spec.versions[0]!.schema.openAPIV3Schema.properties!['spec']!;

/** Something called as a type of Kubernetes, that type, and one described in other words. */
const { toleration } = specOf(parseYaml(catalogueText, CATALOGUE) as Crd).properties ?? {};
const others = {
  toleration: { type: 'object', properties: { name: { type: 'string' } } },
  tolerations: { type: 'array', items: toleration },
  reworded: {
    ...toleration,
    properties: { ...toleration?.properties, key: { type: 'string', description: 'Key is another word.' } },
  },
};
const taint = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'taints.demo.example.com' },
  spec: {
    group: 'demo.example.com',
    scope: 'Namespaced',
    names: { kind: 'Taint', plural: 'taints', singular: 'taint', listKind: 'TaintList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: others } } },
        },
      },
    ],
  },
};

const imported = new ImportedProject();
const [catalogue, taints] = [CATALOGUE, 'taints.json'].map((name) => join(imported.project.folder, name)) as [
  string,
  string,
];
beforeAll(async () => {
  imported.project.write({ [CATALOGUE]: catalogueText, 'taints.json': JSON.stringify(taint) });
  await imported.import(catalogue, taints);
}, 60_000);
afterAll(() => imported.remove());

const file = (name: string) => imported.files().get(`operators/${name}`) ?? '';

describe('import-crd, on a definition with types of Kubernetes', () => {
  test('the imported classes generate an equal definition', async () => {
    const trips = await imported.roundTrip(crdsIn([catalogue, taints]));
    expect(trips.map(({ difference }) => difference)).toEqual([undefined, undefined]);
  }, 60_000);

  test('classes with types of Kubernetes are formatted as by prettier and compile with the strictest settings', async () => {
    expect(await imported.unformatted()).toEqual([]);
    expect(imported.typeErrors()).toBe('');
  }, 60_000);

  test('types of Kubernetes are imported instead of written out', () => {
    const source = file('catalogue-v1.ts');
    expect(source).toMatch(/import \{[^}]*\bPodTemplateSpec,[^}]*\} from 'kindwright\/definitions';/);
    expect(source).not.toMatch(/class (PodTemplateSpec|Container|Probe) /);
    expect(source.split('\n').length).toBeLessThan(600);
  });

  test('a type of Kubernetes is renamed if its name is in use, and written out if its descriptions differ', () => {
    const source = file('taint-v1.ts');
    expect(source).toContain("import { Toleration as KubernetesToleration } from 'kindwright/definitions';");
    expect(source).toMatch(/toleration\?: Toleration;/);
    expect(source).toMatch(/tolerations\?: KubernetesToleration\[\];/);
    expect(source).toMatch(/reworded\?: Reworded;/);
  });
});
