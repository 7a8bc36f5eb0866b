import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resourceName } from '../../../src/api/kinds/kind-ref.js';
import { eventually } from '../../../src/testing/eventually.js';
import { stringifyYaml } from '../../../src/base/yaml.js';
import { customResourceDefinition } from '../../../src/manifests/crd/crd.js';
import { definitionPath, generateManifests, generateSingleFile } from '../../../src/manifests/generate.js';
import { writeManifests } from '../../../src/manifests/output/write.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { load, loadOperators } from '../../manifests/operator-models.js';

const OPERATORS = ['helloapp', 'mydemo', 'nodepool', 'podbugger', 'podset'];
const operators = await loadOperators();
const out = mkdtempSync(join(tmpdir(), 'kindwright-'));
let cluster: SuiteControlPlane;

beforeAll(async () => {
  writeManifests(generateManifests(operators), out);
  cluster = await startSuiteControlPlane();
});
afterAll(async () => {
  await cluster.stop();
  rmSync(out, { recursive: true });
});

/** Applies as people do; a warning of the server is a failure. */
function apply(...paths: readonly string[]): Promise<string> {
  return cluster.kubectl(['apply', '--warnings-as-errors', ...paths.flatMap((path) => ['-f', join(out, path)])]);
}

describe.each(OPERATORS)('the manifests of %s', (name) => {
  const { model } = operators.find(({ model: { controller } }) => controller.name === name)!;
  const { namespace } = model.controller;

  test(`the manifests of ${name} are accepted by a fresh cluster at the first attempt, without a warning`, async () => {
    const lines = (await apply(definitionPath(model.kind), name)).trim().split('\n');
    expect(lines.every((line) => line.endsWith(' created'))).toBe(true);
    expect(lines).toHaveLength(11);
  });

  test(`the manifests of ${name} change nothing when they are applied again`, async () => {
    const lines = (await apply(definitionPath(model.kind), name)).trim().split('\n');
    expect(lines.filter((line) => !line.endsWith(' unchanged'))).toEqual([]);
  });

  test(`the manifests of ${name} define a kind with a structural schema`, async () => {
    const crd = ['crd', resourceName(model.kind)];
    await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...crd]);
    const types = await cluster.kubectl(['get', ...crd, '-o', 'jsonpath={.status.conditions[*].type}']);
    expect(types.split(' ')).toEqual(expect.arrayContaining(['Established', 'NamesAccepted']));
    expect(types).not.toContain('NonStructuralSchema');
  });

  test(`the samples of ${name} are valid objects of the kind`, async () => {
    await expect(apply(`samples/${name}.yaml`)).resolves.toMatch(/ created\n$/);
  });

  test(`the manifests of ${name} run a pod in a namespace that enforces the restricted standard`, async () => {
    const level = 'jsonpath={.metadata.labels.pod-security\\.kubernetes\\.io/enforce}';
    expect(await cluster.kubectl(['get', 'namespace', namespace, '-o', level])).toBe('restricted');
    const deployment = `deployment/${name}-controller-manager`;
    await cluster.kubectl(['rollout', 'status', '-n', namespace, deployment, '--timeout=60s']);
  });
});

test('the single file of two operators with webhooks is accepted by a fresh cluster at the first attempt', async () => {
  const sources = await Promise.all(
    ['replicated-cache', 'pod-security-labels'].map((name) => load(`docs/examples/${name}.ts`)),
  );
  writeManifests([generateSingleFile('install.yaml', sources.flat(), { namespace: 'shared' })], out);
  const first = (await apply('install.yaml')).trim().split('\n');
  expect(first.filter((line) => line.startsWith('namespace/'))).toEqual(['namespace/shared created']);
  expect(first.filter((line) => !line.endsWith(' created'))).toEqual([]);
  expect(first.filter((line) => line.startsWith('deployment.apps/'))).toHaveLength(2);
});

const OPTIONS = [true, false].flatMap((optional) =>
  [true, false].flatMap((nullable) => [
    { optional, nullable },
    { optional, nullable, default: 'set' },
  ]),
);

class MixedSpec {
  [field: string]: string | null | undefined;
}
OPTIONS.forEach((options, index) => {
  Field({ type: String, ...options })(MixedSpec.prototype, `field${index}`);
});

@Kind({ group: 'mixed.kindwright.dev', version: 'v1' })
class Mixed extends CustomResource {
  @Field() spec!: MixedSpec;

  reconcile(): void {
    return undefined;
  }
}

describe('a field that is optional, nullable, has a default, or not', () => {
  const [model] = buildResourceModels([Mixed]);

  beforeAll(async () => {
    const crd = customResourceDefinition(model!);
    await cluster.kubectl(['apply', '-f', '-'], stringifyYaml(crd));
    await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=30s', 'crd', crd.metadata.name]);
    await eventually(() => cluster.kubectl(['get', crd.metadata.name])); // discovery has it, too
  });

  /** What the server stores for one field, all others given; undefined when it refuses the object. */
  async function stored(index: number, given: string | null | undefined): Promise<unknown> {
    const all = OPTIONS.map((_options, other) => [`field${other}`, other === index ? given : 'given']);
    const spec: unknown = Object.fromEntries(all);
    const object = { apiVersion: 'mixed.kindwright.dev/v1', kind: 'Mixed', metadata: { name: 'x' }, spec };
    const args = ['create', '--dry-run=server', '--validate=false', '-o', 'json', '-f', '-'];
    const answer = await cluster.kubectl(args, JSON.stringify(object)).catch(() => undefined);
    return answer === undefined ? 'refused' : (JSON.parse(answer) as { spec: MixedSpec }).spec[`field${index}`];
  }

  const mixes = OPTIONS.map((options, index) => ({ default: undefined, ...options, index }));

  test.each(mixes)(
    'a field is stored as declared: optional $optional, nullable $nullable, default $default',
    async (mix) => {
      const left = mix.default ?? (mix.optional ? undefined : 'refused');
      expect(await stored(mix.index, undefined)).toBe(left);
      expect(await stored(mix.index, null)).toBe(mix.nullable ? null : left);
    },
  );
});
