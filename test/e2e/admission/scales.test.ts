import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, type Json } from './admission-suite.js';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SIZED = '/apis/scales.example.com/v1/namespaces/default/sizeds';
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
  ['a custom resource, where no replicas are not told,', SIZED, null, 'date'],
])('a scale of %s comes as a table', async (_kind, path, desired, ageType) => {
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

test.each([DEPLOYMENTS, SIZED])('of a scale of %s there is metadata alone', async (path) => {
  const { kind, metadata, spec } = await shown(`${path}/a/scale`, METADATA);
  expect([kind, metadata?.name, spec]).toEqual(['PartialObjectMetadata', 'a', undefined]);
});
