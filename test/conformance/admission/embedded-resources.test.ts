import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const PATH = '/apis/embedded.example.com/v1/namespaces/default/holders';
const VERSION = 'embedded.example.com/v1';

let suite: AdmissionSuite;

beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const template = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  const spec = {
    type: 'object',
    properties: {
      template,
      list: { type: 'array', items: template },
      map: { type: 'object', additionalProperties: template },
    },
  };
  await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'holders.embedded.example.com' },
    spec: {
      group: 'embedded.example.com',
      scope: 'Namespaced',
      names: { plural: 'holders', kind: 'Holder' },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  });
  await suite.until(
    () => suite.send('GET', PATH),
    ({ code }) => code === 200,
  );
});
afterAll(() => suite.stop());

const pod = (metadata: unknown): object => ({ apiVersion: 'v1', kind: 'Pod', metadata, extra: 1 });
const holder = (spec: object): object => ({
  apiVersion: VERSION,
  kind: 'Holder',
  metadata: { name: 'holder', namespace: 'default' },
  spec,
});

function create(spec: object, validation = 'Strict'): Promise<Reply> {
  return suite.send('POST', `${PATH}?dryRun=All&fieldValidation=${validation}`, holder(spec));
}

const messageOf = async (reply: Promise<Reply>): Promise<Json | undefined> => (await reply).body.message;

test('an embedded resource has only the metadata fields that Kubernetes defines', async () => {
  const spec = { template: pod({ name: 'a', bogus: 1 }), list: [pod({ bogus: 1 })], map: { 'a.b': pod({ bogus: 1 }) } };

  expect(await messageOf(create(spec))).toMatchInlineSnapshot(
    `"Holder in version "v1" cannot be handled as a Holder: strict decoding error: unknown field "spec.list[0].metadata.bogus", unknown field "spec.map[a.b].metadata.bogus", unknown field "spec.template.metadata.bogus""`,
  );
  const { body, warnings } = await create(spec, 'Warn');
  expect([body.spec, warnings]).toMatchInlineSnapshot(`
   [
     {
       "list": [
         {
           "apiVersion": "v1",
           "extra": 1,
           "kind": "Pod",
           "metadata": {},
         },
       ],
       "map": {
         "a.b": {
           "apiVersion": "v1",
           "extra": 1,
           "kind": "Pod",
           "metadata": {},
         },
       },
       "template": {
         "apiVersion": "v1",
         "extra": 1,
         "kind": "Pod",
         "metadata": {
           "name": "a",
         },
       },
     },
     [
       "unknown field \\"spec.list[0].metadata.bogus\\"",
       "unknown field \\"spec.map[a.b].metadata.bogus\\"",
       "unknown field \\"spec.template.metadata.bogus\\"",
     ],
   ]
  `);
});

test('metadata of an embedded resource is stored as Go serializes it', async () => {
  const metadata = {
    labels: { a: null },
    annotations: {},
    generation: 0,
    creationTimestamp: '2020-01-01T00:00:00+02:00',
  };

  expect((await create({ template: pod(metadata), list: [pod(null)] })).body.spec).toMatchInlineSnapshot(`
   {
     "list": [
       {
         "apiVersion": "v1",
         "extra": 1,
         "kind": "Pod",
         "metadata": {},
       },
     ],
     "template": {
       "apiVersion": "v1",
       "extra": 1,
       "kind": "Pod",
       "metadata": {
         "creationTimestamp": "2019-12-31T22:00:00Z",
         "labels": {
           "a": "",
         },
       },
     },
   }
  `);
});

test.each([
  ['a label that is not a string', pod({ name: 'a', labels: { a: 1 } })],
  ['an invalid time', pod({ name: 'a', creationTimestamp: 'noon' })],
  ['metadata that is not an object', pod(3)],
  ['a kind that is not a string', { apiVersion: 'v1', kind: null }],
  ['an incomplete owner reference', pod({ ownerReferences: [{ name: 'a' }] })],
  ['no apiVersion and kind', { metadata: { name: 'a' } }],
  ['an invalid name and namespace', pod({ name: '/', namespace: '%' })],
])('an embedded resource is rejected with %s', async (_, template) => {
  expect(await messageOf(create({ template }))).toMatchSnapshot();
});

test('metadata of an embedded resource is applied with the types of Kubernetes', async () => {
  const apply = (metadata: unknown): Promise<Reply> =>
    suite.send(
      'PATCH',
      `${PATH}/applied?fieldManager=a&dryRun=All`,
      { apiVersion: VERSION, kind: 'Holder', metadata: { name: 'applied' }, spec: { template: pod(metadata) } },
      'application/apply-patch+yaml',
    );

  expect(await messageOf(apply({ bogus: 1 }))).toMatchInlineSnapshot(
    `"failed to create typed patch object (/applied; embedded.example.com/v1, Kind=Holder): .spec.template.metadata.bogus: field not declared in schema"`,
  );
  expect(await messageOf(apply({ labels: 3 }))).toMatchInlineSnapshot(
    `"failed to create typed patch object (/applied; embedded.example.com/v1, Kind=Holder): .spec.template.metadata.labels: expected map, got &{3}"`,
  );
  expect((await apply({ finalizers: ['a/b'] })).body.metadata?.managedFields?.[0]?.fieldsV1).toMatchInlineSnapshot(`
   {
     "f:spec": {
       "f:template": {
         "f:apiVersion": {},
         "f:extra": {},
         "f:kind": {},
         "f:metadata": {
           "f:finalizers": {
             "v:"a/b"": {},
           },
         },
       },
     },
   }
  `);
});
