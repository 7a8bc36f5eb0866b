import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { ControlPlane } from '../controlplane/control-plane.js';
import { apiserverDataFile, generateApiserverData, unpackApiserverData } from '../tools/apiserver-data.js';
import { generateBuiltInNames } from '../tools/built-in-names-source.js';
import { definitionsDataFile, generateDefinitionsData } from '../tools/definitions-data.js';
import { definitionsSourceFile, generateDefinitionsSource } from '../tools/definitions-source.js';
import { readDefinitions } from '../tools/definitions.js';
import { generateGoldenCrds, goldenFolder, readYamlFiles } from '../tools/golden-crds.js';
import { generateKinds } from '../tools/kinds-source.js';

const root = join(import.meta.dirname, '..', '..');

/** The Go version and the platform of the server are not part of the API. */
function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes?.toString('latin1').replaceAll(/"(goVersion|platform)":"[^"]*"/g, '');
}

describe('what is generated from the API server', () => {
  let cluster: ControlPlane;
  beforeAll(async () => {
    cluster = await ControlPlane.start({ parts: ['etcd', 'apiserver'] });
  });
  afterAll(() => cluster.stop());

  test('src/api/kinds/kinds.ts has every kind the server serves; else run `npm run generate:kinds`', async () => {
    const { source, untyped } = await generateKinds(cluster);
    expect(await readFile(join(root, 'src', 'api', 'kinds', 'kinds.ts'), 'utf8')).toBe(source);
    expect(untyped).toEqual([]);
  });

  test('src/manifests/problems/built-in-names.ts has every name of a resource; else run `npm run generate:kinds`', async () => {
    const present = await readFile(join(root, 'src', 'manifests', 'problems', 'built-in-names.ts'), 'utf8');
    expect(present).toBe(await generateBuiltInNames(cluster));
  });

  test('src/apiserver/data contains the API of the server; else run `npm run generate:apiserver-data`', async () => {
    const generated = await generateApiserverData(cluster);
    const present = unpackApiserverData(await readFile(apiserverDataFile));
    expect(Object.keys(present)).toEqual(Object.keys(generated));
    for (const [name, bytes] of Object.entries(generated))
      expect({ name, isPresent: textOf(present[name]) === textOf(bytes) }).toEqual({ name, isPresent: true });
  });
});

describe('what is generated from Go types', () => {
  const definitions = readDefinitions();

  test('src/resource/definitions has every definition of Kubernetes; else run `npm run generate:definitions`', async () => {
    expect(await readFile(definitionsSourceFile, 'utf8')).toBe(await generateDefinitionsSource(definitions));
  });

  test('the schemas of src/resource/definitions are those of controller-gen', async () => {
    const present = brotliDecompressSync(await readFile(definitionsDataFile)).toString();
    expect(present === JSON.stringify(await generateDefinitionsData(definitions))).toBe(true);
  });

  test('test/manifests/golden contains the output of controller-gen; else run `npm run generate:golden`', async () => {
    const generated = await generateGoldenCrds();
    expect(generated.size).toBe(6);
    expect(await readYamlFiles(goldenFolder)).toEqual(generated);
  });
});
