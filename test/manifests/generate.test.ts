import { describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../src/api/kube-object.js';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { generateManifests } from '../../src/manifests/generate.js';
import type { ManifestOptions } from '../../src/manifests/operator.js';
import { Controller } from '../../src/resource/decorators/controller.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Rbac } from '../../src/resource/decorators/rbac.js';
import { Sample } from '../../src/resource/decorators/sample.js';
import { buildResourceModels, type ResourceModel } from '../../src/resource/model.js';
import { Sound } from '../resource/mistakes/classes.js';

class PodSetSpec {
  @Field({ format: 'int32', minimum: 2 }) size!: number;
  @Field({ enum: ['a', 'b'] }) level!: string;
  @Field({ default: 'busybox', optional: false }) image!: string;
  @Field({ items: { type: String, minLength: 9 }, minItems: 1 }) names!: string[];
  @Field({ optional: true }) more?: string;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class PodSet extends Sound {
  @Field() spec!: PodSetSpec;
  @Field({ type: 'object', preserveUnknownFields: true }) status!: object;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Controller({ namespace: 'demo' })
@Sample({ name: 'one', namespace: 'team-a', labels: { a: 'b' }, spec: { anything: 1 } })
@Sample({ name: 'two' })
class Demo extends Sound {
  @Field({ type: 'object', preserveUnknownFields: true, optional: true }) spec?: object;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Controller({ namespace: 'other' })
class Other extends Sound {}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Rbac({ groups: [''], resources: ['secrets'], resourceNames: ['ca'], namespace: 'infra' }, 'get')
class Trusting extends Sound {}

const [podSet, demo, other] = buildResourceModels([PodSet, Demo, Other]).map((model) => ({
  model,
  sourceFile: `operators/${model.controller.name}.ts`,
})) as [Source, Source, Source];
type Source = Parameters<typeof generateManifests>[0][number];

/** The objects in one generated file. */
function objects(path: string, options: ManifestOptions = {}): UnstructuredObject[] {
  const file = generateManifests([podSet, demo], options).find((candidate) => candidate.path === path);
  return parseYamlDocuments(file!.content, path) as UnstructuredObject[];
}

describe('generateManifests', () => {
  test('names its files in the order in which kubectl applies them', () => {
    expect(generateManifests([podSet]).map(({ path }) => path)).toEqual([
      'Dockerfile',
      'apps.example.com_podsets.yaml',
      'podset/00-namespace.yaml',
      'podset/01-service-account.yaml',
      'podset/02-roles.yaml',
      'podset/03-role-bindings.yaml',
      'podset/04-crd.yaml',
      'podset/05-deployment.yaml',
      'samples/podset.yaml',
    ]);
  });

  test('makes the same of the same kinds in any order', () => {
    expect(generateManifests([demo, podSet])).toEqual(generateManifests([podSet, demo]));
  });

  test('makes nothing of nothing', () => {
    expect(generateManifests([])).toEqual([]);
  });

  test('says in each file where it comes from', () => {
    const windows = generateManifests([{ ...podSet, sourceFile: 'operators\\podset.ts' }]);
    expect(windows[1]!.content).toMatch(
      /^# Written by generate-manifests from operators\/podset\.ts; edits are lost\.\n/,
    );
  });

  test('puts kinds of one file into one operator, named after the file', () => {
    const sourceFile = 'operators/All Of It.ts';
    const files = generateManifests([
      { ...podSet, sourceFile },
      { ...demo, sourceFile },
    ]);
    expect(files.filter(({ path }) => path.endsWith('05-deployment.yaml')).map(({ path }) => path)).toEqual([
      'all-of-it/05-deployment.yaml',
    ]);
    const crds = files.find(({ path }) => path === 'all-of-it/04-crd.yaml')!;
    expect(parseYamlDocuments(crds.content, crds.path)).toHaveLength(2);
  });

  test('refuses two namespaces for the kinds of one file', () => {
    const sourceFile = 'operators/all.ts';
    expect(() =>
      generateManifests([
        { ...demo, sourceFile },
        { ...other, sourceFile },
      ]),
    ).toThrow('operators/all.ts runs as one process, and its kinds name namespaces demo, other');
  });

  test('refuses two operators of one name', () => {
    const twin = { ...demo, model: { ...demo.model, controller: podSet.model.controller } };
    expect(() => generateManifests([podSet, twin])).toThrow('two operators are called podset');
  });

  test('binds the roles to the service account, all in the namespace of the operator', () => {
    const [election, manager] = objects('podset/03-role-bindings.yaml');
    const subjects = [{ kind: 'ServiceAccount', name: 'podset-controller-manager', namespace: 'podset-system' }];
    expect(election).toMatchObject({ kind: 'RoleBinding', metadata: { namespace: 'podset-system' }, subjects });
    expect(manager).toMatchObject({ kind: 'ClusterRoleBinding', roleRef: { name: 'podset-manager-role' }, subjects });
  });

  test('limits leader election to one Lease, which the Deployment names', () => {
    const [role] = objects('podset/02-roles.yaml');
    expect(role).toMatchObject({ kind: 'Role', rules: [{ verbs: ['create'] }, { resourceNames: ['podset-leader'] }] });
    expect(JSON.stringify(objects('podset/05-deployment.yaml'))).toContain('--leader-election-id=podset-leader');
  });

  test('makes roles for people who administer, edit and view a kind, and gives them to nobody', () => {
    const [, , admin, editor, viewer] = objects('podset/02-roles.yaml');
    expect(admin).toMatchObject({
      kind: 'ClusterRole',
      metadata: { name: 'podset-podset-admin-role' },
      rules: [
        { resources: ['podsets'], verbs: ['*'] },
        { resources: ['podsets/status'], verbs: ['get'] },
      ],
    });
    expect(editor).toMatchObject({
      metadata: { name: 'podset-podset-editor-role' },
      rules: [
        { resources: ['podsets'], verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] },
        { resources: ['podsets/status'], verbs: ['get'] },
      ],
    });
    expect(viewer).toMatchObject({ rules: [{ verbs: ['get', 'list', 'watch'] }, { verbs: ['get'] }] });
    expect(JSON.stringify(objects('podset/03-role-bindings.yaml'))).not.toContain('viewer');
  });

  test('makes roles for each kind of an operator, with its group where two have its name', () => {
    const sourceFile = 'operators/all.ts';
    const sameName = { ...demo.model, kind: { ...demo.model.kind, kind: 'PodSet', group: 'other.example.com' } };
    const viewers = (...models: ResourceModel[]) =>
      generateManifests(
        models.map((model) => ({ model, sourceFile })),
        { namespace: 'x' },
      )
        .filter(({ path }) => path === 'all/02-roles.yaml')
        .flatMap(({ content, path }) => parseYamlDocuments(content, path) as UnstructuredObject[])
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.endsWith('viewer-role'));
    expect(viewers(demo.model, podSet.model)).toEqual(['all-demo-viewer-role', 'all-podset-viewer-role']);
    expect(viewers(sameName, podSet.model)).toEqual([
      'all-demos.other.example.com-viewer-role',
      'all-podsets.apps.example.com-viewer-role',
    ]);
  });

  test('takes the namespace of @Controller, and that of the options before it', () => {
    expect(objects('demo/00-namespace.yaml')[0]?.metadata.name).toBe('demo');
    expect(objects('demo/00-namespace.yaml', { namespace: 'given' })[0]?.metadata.name).toBe('given');
  });

  test('runs the file of the operator in the image of the options', () => {
    const [deployment] = objects('podset/05-deployment.yaml', { image: 'example.com/podset:1' });
    expect(deployment).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [{ image: 'example.com/podset:1', args: expect.arrayContaining(['operators/podset.ts']) }],
          },
        },
      },
    });
  });
});

describe('samples', () => {
  test('are those of @Sample', () => {
    expect(objects('samples/demo.yaml')).toEqual([
      {
        apiVersion: 'apps.example.com/v1',
        kind: 'Demo',
        metadata: { name: 'one', namespace: 'team-a', labels: { a: 'b' } },
        spec: { anything: 1 },
      },
      { apiVersion: 'apps.example.com/v1', kind: 'Demo', metadata: { name: 'two' } },
    ]);
  });

  test('are the least that the schema takes where there is none', () => {
    expect(objects('samples/podset.yaml')[0]).toMatchObject({
      metadata: { name: 'example' },
      spec: { size: 2, level: 'a', image: 'busybox', names: ['example--'] },
    });
  });
});

describe('a rule of a namespace', () => {
  const trusting = buildResourceModels([Trusting]).map((model) => ({ model, sourceFile: 'operators/trusting.ts' }));

  test('is a Role there, bound to the service account', () => {
    const files = generateManifests(trusting);
    const content = files.find(({ path }) => path === 'trusting/03-role-bindings.yaml')?.content ?? '';
    const bindings = parseYamlDocuments(content, 'x') as UnstructuredObject[];
    expect(bindings.find(({ metadata }) => metadata.namespace === 'infra')).toMatchObject({
      kind: 'RoleBinding',
      metadata: { name: 'trusting-manager-rolebinding' },
      roleRef: { kind: 'Role', name: 'trusting-manager-role' },
      subjects: [{ name: 'trusting-controller-manager', namespace: 'trusting-system' }],
    });
  });

  test.each(['helm', 'kustomize'] as const)('is refused in the layout of %s', (layout) => {
    expect(() => generateManifests(trusting, { layout })).toThrow(/trusting-manager-role is for namespace infra/);
  });
});

describe('an operator of some namespaces', () => {
  const options = { watchNamespaces: ['a', 'b'] };

  test('has rights in these alone, and is told to watch them', () => {
    const kinds = objects('podset/03-role-bindings.yaml', options).map(({ kind, metadata }) => [
      kind,
      metadata.namespace,
    ]);
    expect(kinds).toEqual([
      ['RoleBinding', 'podset-system'],
      ['RoleBinding', 'a'],
      ['RoleBinding', 'b'],
    ]);
    const [deployment] = objects('podset/05-deployment.yaml', options);
    expect(JSON.stringify(deployment)).toContain('"--namespace=a","--namespace=b"');
  });

  test('is said to have rights on what has no namespace', () => {
    @Kind({ group: 'apps.example.com', version: 'v1', scope: 'Cluster' })
    class Pool extends Sound {}
    const [model] = buildResourceModels([Pool]);
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    generateManifests([{ model: model!, sourceFile: 'operators/pool.ts' }], { ...options, warn });
    expect(warnings).toEqual(['pool: pools have no namespace, and stay in ClusterRole pool-manager-role']);
  });

  test.each(['helm', 'kustomize'] as const)('is refused in the layout of %s', (layout) => {
    expect(() => generateManifests([podSet], { ...options, layout })).toThrow(/has roles in each of them/);
  });
});
