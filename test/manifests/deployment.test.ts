import { describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { generateManifests } from '../../src/manifests/generate.js';
import type { ManifestOptions } from '../../src/manifests/operator.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { Sound } from '../resource/mistakes/classes.js';

@Kind({ group: 'apps.example.com', version: 'v1' })
class PodSet extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Demo extends Sound {}

const sources = buildResourceModels([PodSet, Demo]).map((model) => ({
  model,
  sourceFile: `operators/${model.controller.name}.ts`,
}));

/** The objects in one generated file. */
function objects(path: string, options: ManifestOptions = {}): UnstructuredObject[] {
  const file = generateManifests(sources, options).find((candidate) => candidate.path === path);
  return parseYamlDocuments(file!.content, path) as UnstructuredObject[];
}

describe("an operator's Deployment", () => {
  const deployment = {
    replicas: 2,
    args: ['--log-level=debug'],
    env: [{ name: 'REGION', value: 'eu' }],
    envFrom: [{ secretRef: { name: 'credentials' } }],
    volumes: [{ name: 'cache', emptyDir: {} }],
    volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
    resources: { limits: { memory: '1Gi' } },
    imagePullSecrets: [{ name: 'registry' }],
  };

  interface PodTemplate {
    readonly spec: {
      readonly replicas: number;
      readonly template: {
        readonly spec: {
          readonly containers: readonly [{ readonly args: readonly string[] } & Record<string, unknown>];
        };
      };
    };
  }

  test.each([
    ['plain', 'podset/05-deployment.yaml'],
    ['kustomize', 'podset/config/manager/manager.yaml'],
  ] as const)('the layout %s leaves the user of the pods to the image and to OpenShift', (layout, path) => {
    const { spec } = objects(path, { layout }).find(({ kind }) => kind === 'Deployment') as unknown as PodTemplate;
    expect(spec.template.spec).toMatchObject({
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(spec.template.spec).not.toHaveProperty('securityContext.runAsUser');
  });

  test("an operator's Deployment runs in production mode by default", () => {
    const [{ spec }] = objects('podset/05-deployment.yaml') as unknown as readonly [PodTemplate];
    expect(spec.template.spec.containers[0]['env']).toEqual([{ name: 'NODE_ENV', value: 'production' }]);
  });

  test.each([
    ['plain', 'podset/05-deployment.yaml'],
    ['kustomize', 'podset/config/manager/manager.yaml'],
  ] as const)("an operator's Deployment has the settings in the layout %s", (layout, path) => {
    const written = objects(path, { layout, deployment }).find(({ kind }) => kind === 'Deployment');
    const { spec } = written as unknown as PodTemplate;
    const { volumes, imagePullSecrets, replicas, args, env, ...container } = deployment;
    expect(spec).toMatchObject({ replicas, template: { spec: { volumes, imagePullSecrets } } });
    expect(spec.template.spec.containers[0]).toMatchObject({
      ...container,
      env: [{ name: 'NODE_ENV', value: 'production' }, ...env],
    });
    expect(spec.template.spec.containers[0].resources).toEqual(deployment.resources);
    expect(spec.template.spec.containers[0].args).toEqual(expect.arrayContaining(['--leader-elect', ...args]));
  });

  test("an operator's Deployment has the settings in the values of the chart", () => {
    const [values] = objects('podset/chart/values.yaml', { layout: 'helm', deployment });
    expect(values).toMatchObject({
      replicas: 2,
      extraArgs: deployment.args,
      env: [{ name: 'NODE_ENV', value: 'production' }, ...deployment.env],
      envFrom: deployment.envFrom,
      volumes: deployment.volumes,
      volumeMounts: deployment.volumeMounts,
      resources: deployment.resources,
      image: { pullSecrets: deployment.imagePullSecrets },
    });
  });

  test('a chart accepts the values that a parent chart sets, and has the tag of its image as appVersion', () => {
    const files = (image: string) => {
      return new Map(
        generateManifests(sources, { layout: 'helm', image }).map(({ path, content }) => [path, content] as const),
      );
    };
    const chart = files('registry.example.com/op:1.2');
    const schema = JSON.parse(chart.get('podset/chart/values.schema.json') ?? '') as { properties: object };
    expect(schema.properties).toMatchObject({ global: { type: 'object' }, enabled: { type: 'boolean' } });
    expect(chart.get('podset/chart/Chart.yaml')).toMatch(/appVersion: '?1\.2'?\n/);
    expect(chart.get('podset/chart/templates/deployment.yaml')).toContain(
      '.Values.image.tag | default .Chart.AppVersion',
    );
    const pinned = files(`registry.example.com/op@sha256:${'a'.repeat(64)}`);
    expect(pinned.get('podset/chart/Chart.yaml')).toContain('appVersion: latest\n');
  });

  test("NODE_ENV of an operator's Deployment can be set", () => {
    const env = [{ name: 'NODE_ENV', value: 'development' }];
    const [{ spec }] = objects('podset/05-deployment.yaml', { deployment: { env } }) as unknown as readonly [
      PodTemplate,
    ];
    expect(spec.template.spec.containers[0]['env']).toEqual(env);
  });

  test('settings of one operator override common ones key by key', () => {
    const options = { deployment, deployments: { demo: { replicas: 3, env: [] } } };
    const [own] = objects('demo/05-deployment.yaml', options) as unknown as readonly [PodTemplate];
    const [common] = objects('podset/05-deployment.yaml', options) as unknown as readonly [PodTemplate];
    expect([own.spec.replicas, common.spec.replicas]).toEqual([3, 2]);
    expect(own.spec.template.spec.containers[0]).toMatchObject({
      env: [{ name: 'NODE_ENV', value: 'production' }],
      envFrom: deployment.envFrom,
    });
  });

  test('an operator name that leaves no room for the names of Services is an error', () => {
    const named = (length: number) =>
      generateManifests(
        [
          { model: sources[0]!.model, sourceFile: 'a.ts' },
          { model: sources[1]!.model, sourceFile: 'a.ts' },
        ].map((source) => ({ ...source, sourceFile: `operators/${'a'.repeat(length)}.ts` })),
        { layout: 'kustomize' },
      );
    expect(() => named(48)).toThrow(/the operator name a{48} has 48 characters; the limit is 47$/);
    const names = named(47).flatMap(({ path, content }) =>
      path.endsWith('kustomization.yaml') || !content.includes('\nkind: Service\n')
        ? []
        : (parseYamlDocuments(content, path) as UnstructuredObject[]).map(({ metadata }) => metadata.name),
    );
    expect(names).toEqual([`${'a'.repeat(47)}-metrics-service`]);
  });
});
