import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { parseYaml } from '../../../src/base/yaml.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { ManifestSource } from '../../../src/manifests/operator.js';
import type { OlmSettings } from '../../../src/manifests/settings/olm-settings.js';
import { load, loadOperators } from '../../manifests/operator-models.js';
import { limitTests } from '../../time-limits.js';
import { validateBundle } from './validate-bundle.js';

limitTests(600_000); // the first run builds the validator

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const olm: OlmSettings = {
  displayName: 'Example',
  description: 'An example.',
  provider: { name: 'Example', url: 'https://example.com' },
  maintainers: [{ name: 'Ada', email: 'ada@example.com' }],
  links: [{ name: 'Source', url: 'https://example.com/source' }],
  icon: { mediatype: 'image/svg+xml', base64data: Buffer.from(SVG).toString('base64') },
  categories: ['Developer Tools'],
  minKubeVersion: '1.30.0',
};
/** The validator knows resources of former API versions by name, and rules have no versions: all of ours are `v1`. */
const FORMER_VERSIONS = /removed in v1\.\d+\.[^]*\.ClusterPermissions\[0\]/;
const OPERATORS = ['helloapp', 'mydemo', 'nodepool', 'podbugger', 'podset'];
const WEBHOOKS = ['docs/examples/pod-set.ts', 'docs/examples/scheduled-task.ts'];

let folder: string;
let warnings: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kindwright-bundle-'));
  warnings = [];
  write('.', await loadOperators());
  for (const file of WEBHOOKS) write(basename(file, '.ts'), await load(file));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, sources: readonly ManifestSource[], settings = olm): void {
  const image = 'registry.example.com/example:1.0.0';
  const options = {
    layout: 'olm',
    olm: settings,
    image,
    version: '1.0.0',
    warn: (line: string) => warnings.push(line),
  } as const;
  for (const { path, content } of generateManifests(sources, options)) {
    const place = join(folder, name, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}

const serviceVersion = (name: string) => {
  const [file = ''] = globSync(join(folder, name, 'bundle', 'manifests', '*.clusterserviceversion.yaml'));
  return parseYaml(readFileSync(file, 'utf8'), file) as ServiceVersion;
};

interface ServiceVersion extends UnstructuredObject {
  readonly spec: {
    readonly install: {
      readonly spec: {
        readonly permissions: object[];
        readonly clusterPermissions: object[];
        readonly deployments: object[];
      };
    };
    readonly customresourcedefinitions: { readonly owned: object[] };
    readonly webhookdefinitions?: object[];
  };
}

describe('the bundles of generate-manifests --layout olm', () => {
  test.each([...OPERATORS, ...WEBHOOKS.map((file) => join(basename(file, '.ts'), '*'))])(
    'the validators of operator-sdk find nothing in the bundle of %s',
    async (pattern) => {
      const bundles = globSync(join(folder, pattern, 'bundle'));
      expect(bundles).toHaveLength(1);
      const found = await validateBundle(bundles[0] ?? '');
      expect(found.filter(({ message }) => !FORMER_VERSIONS.test(message))).toEqual([]);
    },
  );

  test('the validators find an object that the definition rejects, and a missing provider', async () => {
    write('bad', await load('operators/podset.ts'), {});
    const file = join(folder, 'bad', 'podset', 'bundle', 'manifests', 'podset.clusterserviceversion.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('version: v1alpha1', 'version: v1'));
    const found = await validateBundle(join(folder, 'bad', 'podset', 'bundle'));
    expect(found.filter(({ level }) => level === 'Error').length).toBeGreaterThan(1);
    expect(warnings.join('\n')).toContain('bundle of podset: the settings olm.provider, olm.maintainers');
  });

  test('a service version has the samples, permissions and descriptors of its operator', () => {
    const { metadata, spec } = serviceVersion('podset');
    expect(metadata.name).toBe('podset.v1.0.0');
    expect(JSON.parse(metadata.annotations?.['alm-examples'] ?? '')).toMatchObject([
      { kind: 'PodSet', spec: { size: 3 } },
    ]);
    expect(spec.customresourcedefinitions.owned).toMatchObject([
      {
        name: 'podsets.apps.jicki.cn',
        resources: [{ kind: 'Deployment', version: 'apps/v1' }],
        specDescriptors: [
          { path: 'size', displayName: 'Size', description: 'Size is the size of the PodSet deployment' },
        ],
        statusDescriptors: [{ path: 'nodes' }],
      },
    ]);
    const { permissions, clusterPermissions, deployments } = spec.install.spec;
    expect(permissions).toMatchObject([
      { serviceAccountName: 'podset-controller-manager', rules: [{ resources: ['leases'] }, {}] },
    ]);
    expect(JSON.stringify(clusterPermissions)).toContain('"resources":["podsets"]');
    expect(JSON.stringify(deployments)).not.toContain('jicki-system');
  });

  test('webhooks are registered by OLM, which mounts their certificate', () => {
    const { spec } = serviceVersion('pod-set/podset');
    expect(spec.webhookdefinitions).toMatchObject([
      { type: 'MutatingAdmissionWebhook', deploymentName: 'podset-controller-manager', targetPort: 9443 },
      { type: 'ValidatingAdmissionWebhook', containerPort: 443 },
    ]);
    const deployments = JSON.stringify(spec.install.spec.deployments);
    expect(deployments).toContain('--webhook-cert-dir=/tmp/k8s-webhook-server/serving-certs');
    expect(deployments).not.toContain('volumeMounts');
  });
});
