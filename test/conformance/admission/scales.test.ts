import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ManagedFieldsEntry } from '../../../src/apiserver/objects/api-object.js';
import { AdmissionSuite, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SIZED = '/apis/scales.example.com/v1/namespaces/default/sizeds';
const [APPLY, MERGE] = ['application/apply-patch+yaml', 'application/merge-patch+json'];
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const integer = { type: 'object', properties: { size: { type: 'integer' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: integer, status: integer } } };
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
  await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sizeds.scales.example.com' },
    spec: {
      group: 'scales.example.com',
      scope: 'Namespaced',
      names: { plural: 'sizeds', kind: 'Sized' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { scale } }],
    },
  });
  const sized = { apiVersion: 'scales.example.com/v1', kind: 'Sized', metadata: { name: 'a' }, spec: { size: 0 } };
  await suite.until(
    () => suite.send('POST', SIZED, sized),
    ({ code }) => code === 201,
  );
  const matchLabels = { app: 'a' };
  const template = { metadata: { labels: matchLabels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await suite.must('POST', DEPLOYMENTS, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { replicas: 0, selector: { matchLabels }, template },
  });
});
afterAll(() => suite.stop());

async function shown(path: string, accept: string): Promise<Json> {
  return (await suite.send('GET', path, undefined, undefined, { accept })).body;
}

test.each([
  ['a built-in kind', DEPLOYMENTS, 0, 'string'],
  ['a custom resource without replicas', SIZED, null, 'date'],
])('a scale of %s can be requested as a table', async (_kind, path, desired, ageType) => {
  const body = await shown(`${path}/a/scale?includeObject=Object`, TABLE);
  const { kind, columnDefinitions, rows } = body as unknown as {
    kind: string;
    columnDefinitions: { name: string; type: string }[];
    rows: [{ cells: unknown[]; object: Json }];
  };
  expect([kind, columnDefinitions.map(({ name, type }) => [name, type])]).toEqual([
    'Table',
    [
      ['Name', 'string'],
      ['Desired', 'integer'],
      ['Available', 'integer'],
      ['Age', ageType],
    ],
  ]);
  expect(rows[0].cells.slice(0, 3)).toEqual(['a', desired, 0]);
  expect(rows[0].object.kind).toBe('Scale');
  expect(body.metadata).toEqual({ resourceVersion: rows[0].object.metadata?.resourceVersion });
});

test.each([DEPLOYMENTS, SIZED])('a scale of %s can be requested as metadata only', async (path) => {
  const { kind, metadata, spec } = await shown(`${path}/a/scale`, METADATA);
  expect([kind, metadata?.name, spec]).toEqual(['PartialObjectMetadata', 'a', undefined]);
});

const scale = (replicas: number, metadata: object = {}): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', ...metadata },
  spec: { replicas },
});
const apply = (path: string, manager: string, replicas: number, force = false): Promise<Reply> =>
  suite.send('PATCH', `${path}/a/scale?fieldManager=${manager}&force=${force}`, scale(replicas), APPLY);
const owners = async (path: string): Promise<unknown> => {
  const { metadata } = (await suite.send('GET', `${path}/a`)).body;
  return (metadata?.managedFields as unknown as ManagedFieldsEntry[])
    .filter(({ subresource }) => subresource === 'scale')
    .map(({ manager, operation, apiVersion, time, fieldsV1 }) => [manager, operation, apiVersion, time, fieldsV1]);
};

test('applying a scale conflicts with the owner of replicas unless forced', async () => {
  expect((await apply(DEPLOYMENTS, 'one', 2, true)).code).toBe(200);
  const refused = await apply(DEPLOYMENTS, 'two', 3);
  const why = 'conflict with "one" with subresource "scale": .spec.replicas';
  expect([refused.code, refused.body.message]).toEqual([409, `Apply failed with 1 conflict: ${why}`]);
  expect((await apply(DEPLOYMENTS, 'two', 2)).code).toBe(200);
  const fields = { 'f:spec': { 'f:replicas': {} } };
  const entry = (manager: string): unknown[] => [manager, 'Apply', 'apps/v1', undefined, fields];
  expect(await owners(DEPLOYMENTS)).toEqual([entry('one'), entry('two')]);
  expect((await apply(DEPLOYMENTS, 'two', 3, true)).body.spec).toEqual({ replicas: 3 });
  expect(await owners(DEPLOYMENTS)).toEqual([entry('two')]);
});

test('applying a scale of a custom resource fails unless it changes nothing', async () => {
  await suite.send('PUT', `${SIZED}/a/scale?fieldManager=one`, scale(2));
  expect((await apply(SIZED, 'two', 2)).code).toBe(200);
  const failed = await apply(SIZED, 'two', 3, true);
  const why = 'to proper version: request to convert CR to an invalid group/version: autoscaling/v1';
  expect([failed.code, failed.body.message]).toEqual([
    500,
    `failed to convert new object (/a; autoscaling/v1, Kind=Scale) ${why}`,
  ]);
  await suite.send('PATCH', `${SIZED}/a`, { metadata: { managedFields: [{}] } }, MERGE);
  expect((await apply(SIZED, 'two', 3, true)).body.message).toBe(
    `failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) ${why}`,
  );
});

test.each([
  ['PUT', DEPLOYMENTS, 'deployments.apps "a": StorageError: '],
  ['PATCH', DEPLOYMENTS, 'deployments/scale.apps "a": Precondition failed: UID in precondition: x, '],
  ['PUT', SIZED, 'sizeds.scales.example.com "a": StorageError: '],
])('%s of a scale of %s with an unknown uid is rejected', async (method, path, why) => {
  const refused = await suite.send(method, `${path}/a/scale`, scale(1, { uid: 'x' }), method === 'PUT' ? '' : MERGE);
  expect([refused.code, refused.body.message]).toEqual([
    409,
    expect.stringContaining(`Operation cannot be fulfilled on ${why}`),
  ]);
});
