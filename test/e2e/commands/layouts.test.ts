import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { definitionPath, generateManifests } from '../../../src/manifests/generate.js';
import type { LayoutName, ManifestOptions } from '../../../src/manifests/operator.js';
import { writeManifests } from '../../../src/manifests/output/write.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { findHelm } from '../../controlplane/binaries.js';
import { load, loadOperators } from '../../manifests/operator-models.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

const OPERATORS = ['helloapp', 'mydemo', 'nodepool', 'podbugger', 'podset', 'replicatedcache'];
const examples = ['replicated-cache', 'pod-security-labels'].map((name) => load(`docs/examples/${name}.ts`));
const operators = [...(await loadOperators()), ...(await Promise.all(examples)).flat()];
const out = mkdtempSync(join(tmpdir(), 'kindwright-layouts-'));
let cluster: SuiteControlPlane;
let helm: (...args: readonly string[]) => Promise<string>;

beforeAll(async () => {
  for (const layout of ['kustomize', 'helm'] as const) write(layout);
  const path = await findHelm();
  cluster = await startSuiteControlPlane();
  helm = async (...args) => {
    const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, HOME: out, NO_COLOR: '1' };
    return (await promisify(execFile)(path, args, { env, cwd: out, maxBuffer: 1 << 26 })).stdout;
  };
}, 600_000);
afterAll(async () => {
  await cluster.stop();
  rmSync(out, { recursive: true });
});

function write(layout: LayoutName, options: ManifestOptions = {}, sources = operators): void {
  writeManifests(generateManifests(sources, { ...options, layout }), out);
}

/** The objects of an operator in the plain layout, in any order. */
function plain(name: string, options: ManifestOptions = {}, sources = operators): UnstructuredObject[] {
  const models = sources.map(({ model }) => model).filter(({ controller }) => controller.name === name);
  const paths = [`${name}/`, ...models.map(({ kind }) => definitionPath(kind))];
  const files = generateManifests(sources, options);
  return files.flatMap(({ path, content }) =>
    paths.some((each) => path.startsWith(each)) ? objectsIn(content, path) : [],
  );
}

/** Without the hooks of a chart, which other layouts do not have. */
function objectsIn(text: string, source = 'output'): UnstructuredObject[] {
  const objects = parseYamlDocuments(text, source) as UnstructuredObject[];
  return objects.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined);
}

function namespaceOf(name: string): string {
  return operators.find(({ model }) => model.controller.name === name)!.model.controller.namespace;
}

function withoutNamespace(objects: readonly UnstructuredObject[]): UnstructuredObject[] {
  return objects.filter(({ kind }) => kind !== 'Namespace');
}

function byName(objects: readonly UnstructuredObject[]): Record<string, UnstructuredObject> {
  const entries = objects.map((object) => [`${object.kind} ${object.metadata.name}`, object] as const);
  expect(new Set(entries.map(([name]) => name)).size).toBe(entries.length);
  return Object.fromEntries(entries);
}

test('an operator without a definition is the same in all layouts', async () => {
  const built = objectsIn(await cluster.kubectl(['kustomize', join(out, 'pod-security-labels/config/default')]));
  expect(byName(built)).toEqual(byName(plain('pod-security-labels')));
  expect(objectsIn(await helm('template', 'labels', 'pod-security-labels/chart'))).toHaveLength(built.length - 1);
});

describe.each(OPERATORS)('the layouts of %s', (name) => {
  test(`the kustomize layout of ${name} contains the objects of the plain layout`, async () => {
    const built = await cluster.kubectl(['kustomize', join(out, name, 'config', 'default')]);
    const names = / +- --webhook-object\n.*\n/g; // arguments by which the operator finds renamed objects
    expect(byName(objectsIn(built.replaceAll(names, '')))).toEqual(byName(plain(name)));
  });

  test(`the chart of ${name} renders the objects of the plain layout, without the namespace and with kept CRDs`, async () => {
    const chart = join(name, 'chart');
    expect(await helm('lint', '--strict', chart)).toContain('0 chart(s) failed');
    const rendered = await helm('template', name, chart, '--set', 'crds.keep=false', '-n', namespaceOf(name));
    expect(byName(objectsIn(rendered))).toEqual(byName(withoutNamespace(plain(name))));
    const kept = objectsIn(await helm('template', name, chart)).filter(({ kind }) => /Definition$/.test(String(kind)));
    expect(kept.map(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'])).toEqual(
      kept.map(() => 'keep'),
    );
  });

  test(`the samples of ${name} can be built by kustomize`, async () => {
    const built = await cluster.kubectl(['kustomize', join(out, name, 'config', 'samples')]);
    expect(objectsIn(built).length).toBeGreaterThan(0);
  });
});

const SECURE_SERVICE = { spec: { ports: [{ name: 'https', port: 8080, targetPort: 8080 }] } };
const SECURE_ENDPOINT = {
  path: '/metrics',
  port: 'https',
  scheme: 'https',
  tlsConfig: { insecureSkipVerify: true },
  bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
};

const CONSOLE_OBJECTS = [
  'ClusterRole podset-console-role',
  'ClusterRoleBinding podset-console-rolebinding',
  'ClusterRole podset-console-reader-role',
  'Role podset-console-connect-role',
];

describe('the kustomize layout', () => {
  test('the kustomize layout uses the given image and namespace', async () => {
    const options = { image: 'registry.example.com:5000/podset:1.2', namespace: 'elsewhere' };
    write('kustomize', options);
    const built = await cluster.kubectl(['kustomize', join(out, 'podset', 'config', 'default')]);
    expect(byName(objectsIn(built))).toEqual(byName(plain('podset', options)));
    write('kustomize');
  });

  test('the kustomize layout serves metrics and the console once its lines are uncommented', async () => {
    const file = join(out, 'podset', 'config', 'default', 'kustomization.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/^( *)# (?=[ a-z-]*(- |patches:|target:|kind:))/gm, '$1'));
    const objects = byName(objectsIn(await cluster.kubectl(['kustomize', join(out, 'podset', 'config', 'default')])));
    writeFileSync(file, text);
    expect(Object.keys(objects)).toEqual(
      expect.arrayContaining([
        'Service podset-controller-manager-metrics-service',
        'ClusterRole podset-metrics-auth-role',
        'ClusterRole podset-metrics-reader-role',
        'ServiceMonitor podset-controller-manager-metrics-monitor',
        'NetworkPolicy podset-allow-metrics-traffic',
        ...CONSOLE_OBJECTS,
      ]),
    );
    expect(JSON.stringify(objects['Deployment podset-controller-manager'])).toContain(
      '"--metrics-bind-address=:8080","--metrics-auth","--console-bind-address=127.0.0.1:8444"',
    );
    expect(objects['Service podset-controller-manager-metrics-service']).toMatchObject(SECURE_SERVICE);
    expect(objects['ServiceMonitor podset-controller-manager-metrics-monitor']).toMatchObject({
      spec: { endpoints: [SECURE_ENDPOINT] },
    });
  });

  test.each(['plain', 'kustomize', 'helm'] as const)(
    'the layout %s contains the roles of the console if the settings enable it',
    async (layout) => {
      const options = { deployment: { args: ['--console-bind-address=:8444'] } };
      if (layout !== 'plain') write(layout, options);
      const built = {
        plain: () => Promise.resolve(plain('podset', options)),
        kustomize: async () =>
          objectsIn(await cluster.kubectl(['kustomize', join(out, 'podset', 'config', 'default')])),
        helm: async () => objectsIn(await helm('template', 'podset', join('podset', 'chart'))),
      };
      expect(Object.keys(byName(await built[layout]()))).toEqual(expect.arrayContaining(CONSOLE_OBJECTS));
      if (layout !== 'plain') write(layout);
    },
  );

  test('the kustomize layout is accepted by a cluster at the first attempt, without a warning', async () => {
    const path = join(out, 'mydemo', 'config', 'default');
    const lines = (await cluster.kubectl(['apply', '--warnings-as-errors', '-k', path])).trim().split('\n');
    expect(lines.filter((line) => !line.endsWith(' created'))).toEqual([]);
    await cluster.kubectl(['delete', '-k', path, '--ignore-not-found', '--wait=false']);
  });
});

describe('the chart', () => {
  const CHART = join('podset', 'chart');
  const RELEASE = ['-n', 'jicki-system'];
  const DEPLOYMENT = ['-n', 'jicki-system', 'get', 'deployment', 'podset-controller-manager', '-o', 'json'];
  const CRD = ['get', 'crd', 'podsets.apps.jicki.cn', '--ignore-not-found', '-o', 'name'];

  test.each([
    ['over HTTPS with authentication', 'true', SECURE_SERVICE, SECURE_ENDPOINT],
    [
      'over HTTP without authentication',
      'false',
      { spec: { ports: [{ name: 'http', port: 8080, targetPort: 8080 }] } },
      { path: '/metrics', port: 'http', scheme: 'http' },
    ],
  ])('the chart configures a ServiceMonitor for metrics %s', async (_, auth, service, endpoint) => {
    const values = ['enabled=true', 'serviceMonitor.enabled=true', `auth.enabled=${auth}`];
    const set = values.flatMap((value) => ['--set', `metrics.${value}`]);
    const objects = byName(objectsIn(await helm('template', 'podset', CHART, ...RELEASE, ...set)));
    expect(objects['Service podset-controller-manager-metrics-service']).toMatchObject(service);
    const monitor = objects['ServiceMonitor podset-controller-manager-metrics-monitor'];
    expect(monitor?.['spec']).toMatchObject({ endpoints: [expect.anything()] });
    expect((monitor?.['spec'] as { readonly endpoints: unknown[] }).endpoints[0]).toEqual(endpoint);
  });

  interface Deployed {
    readonly metadata: { readonly labels: Record<string, string>; readonly annotations: Record<string, string> };
    readonly spec: {
      readonly replicas: number;
      readonly template: {
        readonly metadata: { readonly labels: Record<string, string> };
        readonly spec: { readonly containers: readonly { readonly image: string; readonly args: readonly string[] }[] };
      };
    };
  }
  const deployed = async (): Promise<Deployed> => JSON.parse(await cluster.kubectl(DEPLOYMENT)) as Deployed;

  test('braces in descriptions are not evaluated as templates of the chart', async () => {
    class BraceSpec {
      @Field('As in {{ .Values.image }} and {{- end }}.') text!: string;
    }
    @Kind({ group: 'demo.example.com', version: 'v1', annotations: { 'example.com/a': '{{ b }}' } })
    class Brace extends CustomResource {
      @Field() spec!: BraceSpec;
      reconcile(): void {}
    }
    const [model] = buildResourceModels([Brace]);
    const sources = [{ model: model!, sourceFile: 'operators/brace.ts' }];
    write('helm', {}, sources);
    const args = ['--set', 'crds.keep=false', '-n', 'brace-system'];
    const rendered = await helm('template', 'brace', join('brace', 'chart'), ...args);
    expect(byName(objectsIn(rendered))).toEqual(byName(withoutNamespace(plain('brace', {}, sources))));
  });

  test('the chart rejects unknown values', async () => {
    await expect(helm('template', 'podset', CHART, '--set', 'replica=2')).rejects.toThrow(/replica/);
  });

  test.each([
    ['one namespace to watch', { watchNamespaces: ['team-a'] }],
    ['several namespaces to watch', { watchNamespaces: ['team-a', 'team-b'] }],
    [
      'settings of the Deployment',
      {
        deployment: {
          replicas: 2,
          args: ['--log-level=debug'],
          env: [{ name: 'BRACES', value: '{{ .Values.image }}' }],
          envFrom: [{ secretRef: { name: 'credentials' } }],
          volumes: [{ name: 'cache', emptyDir: {} }],
          volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
          resources: { limits: { memory: '1Gi' } },
          imagePullSecrets: [{ name: 'registry' }],
        },
      },
    ],
  ] satisfies readonly [string, ManifestOptions][])(
    'the chart renders the objects of the plain layout with %s',
    async (_, options) => {
      write('helm', options);
      const rendered = await helm('template', 'podset', CHART, ...RELEASE, '--set', 'crds.keep=false');
      write('helm');
      const key = ({ kind, metadata }: UnstructuredObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
      const byKey = (objects: readonly UnstructuredObject[]) =>
        Object.fromEntries(objects.map((object) => [key(object), object]));
      expect(byKey(objectsIn(rendered))).toEqual(byKey(withoutNamespace(plain('podset', options))));
    },
  );

  test('the chart enables leader election for several replicas, even when the values disable it', async () => {
    const rendered = await helm('template', CHART, '--set', 'replicas=2', '--set', 'leaderElection.enabled=false');
    const deployment = objectsIn(rendered).find(({ kind }) => kind === 'Deployment') as unknown as Deployed;
    expect(deployment.spec.template.spec.containers[0]!.args).toContain('--leader-elect');
    expect(objectsIn(rendered).map(({ metadata }) => metadata.name)).toContain('podset-leader-election-role');
  });

  test('the chart installs an operator that runs with the given values', async () => {
    const values = ['image.repository=registry.example.com/podset', 'image.tag=1', 'extraLabels.team=a'];
    await helm(
      ...['install', 'podset', CHART, ...RELEASE, '--create-namespace'],
      ...values.flatMap((value) => ['--set-string', value]),
    );
    const { metadata, spec } = await deployed();
    expect(metadata.labels).toMatchObject({ team: 'a', 'app.kubernetes.io/name': 'podset' });
    expect(spec.template.metadata.labels).toMatchObject({ team: 'a' });
    expect(spec.template.spec.containers[0]).toMatchObject({ image: 'registry.example.com/podset:1' });
    expect(spec.template.spec.containers[0]?.args).toContain('--leader-elect');
  });

  test('an upgrade of the chart changes values and definitions', async () => {
    const file = join(out, CHART, 'templates', 'definitions.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('singular: podset', 'shortNames:\n      - pset\n    singular: podset'));
    await helm(
      ...['upgrade', 'podset', CHART, ...RELEASE, '--set', 'replicas=0', '--set', 'image.digest=sha256:0f'],
      ...['--set', 'leaderElection.enabled=false', '--set', 'metrics.enabled=true'],
      ...['--set', 'console.enabled=true'],
      ...['--set', 'metrics.networkPolicy.enabled=true', '--set', 'extraAnnotations.example\\.com/a=b'],
    );
    writeFileSync(file, text);
    const { metadata, spec } = await deployed();
    expect(metadata.annotations).toMatchObject({ 'example.com/a': 'b' });
    expect(spec.replicas).toBe(0);
    expect(spec.template.spec.containers[0]).toMatchObject({ image: 'controller@sha256:0f' });
    expect(spec.template.spec.containers[0]?.args).toEqual([
      'operators/podset.ts',
      '--health-probe-bind-address=:8081',
      '--metrics-bind-address=:8080',
      '--metrics-auth',
      '--console-bind-address=127.0.0.1:8444',
    ]);
    expect(await cluster.kubectl(['-n', 'jicki-system', 'get', 'service,networkpolicy', '-o', 'name'])).toBe(
      'service/podset-controller-manager-metrics-service\nnetworkpolicy.networking.k8s.io/podset-allow-metrics-traffic\n',
    );
    expect(
      await cluster.kubectl(['get', 'crd', 'podsets.apps.jicki.cn', '-o', 'jsonpath={.spec.names.shortNames}']),
    ).toBe('["pset"]');
  });

  test('uninstalling the chart keeps the definitions, and so the objects', async () => {
    await helm('uninstall', 'podset', ...RELEASE, '--wait');
    expect(await cluster.kubectl(CRD)).toBe('customresourcedefinition.apiextensions.k8s.io/podsets.apps.jicki.cn\n');
    expect(await cluster.kubectl(['get', 'clusterrole', 'podset-manager-role', '--ignore-not-found'])).toBe('');
  });

  test('uninstalling the chart deletes the definitions on request', async () => {
    await cluster.kubectl(['delete', 'crd', 'podsets.apps.jicki.cn']);
    await helm('install', 'podset', CHART, ...RELEASE, '--set', 'crds.keep=false');
    await helm('uninstall', 'podset', ...RELEASE, '--wait');
    expect(await cluster.kubectl(CRD)).toBe('');
  });
});
