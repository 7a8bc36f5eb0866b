import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, type Reply } from '../../e2e/admission/admission-suite.js';

const GROUP = 'null.example.com';
const PATH = `/apis/${GROUP}/v1/namespaces/default/notes`;

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const status = { type: 'object', properties: { text: { type: 'string' } } };
  const lines = { type: 'array', items: { type: 'object', required: [], properties: { text: { type: 'string' } } } };
  const definition = await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `notes.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'notes', kind: 'Note' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { lines, status } } },
          subresources: { status: {} },
        },
      ],
    },
  });
  expect(JSON.stringify(definition)).not.toContain('required');
  await suite.until(
    () => suite.send('GET', PATH),
    ({ code }) => code === 200,
  );
  await suite.must('POST', PATH, note({}));
});
afterAll(() => suite.stop());

const note = (more: object): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Note',
  metadata: { name: 'n' },
  ...more,
});
const apply = (status: object | null): Promise<Reply> =>
  suite.send('PATCH', `${PATH}/n/status?fieldManager=m`, note({ status }), 'application/apply-patch+yaml');

test('applying a null status is accepted without a stored status, and rejected with one', async () => {
  const none = await apply(null);
  expect([none.code, none.body.status]).toEqual([200, undefined]);
  expect(none.body.metadata?.managedFields).toMatchObject([
    { manager: 'm', subresource: 'status', fieldsV1: { 'f:status': {} } },
  ]);
  expect((await apply({ text: 'hello' })).code).toBe(200);
  const refused = await apply(null);
  expect([refused.code, refused.body.message]).toEqual([
    422,
    expect.stringContaining('status: Invalid value: "null":  in body must be of type object: "null"'),
  ]);
});

test('an empty selector of a claim differs from a missing one', async () => {
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const spec = {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'none',
    resources: { requests: { storage: '1Gi' } },
  };
  await suite.must('POST', claims, { metadata: { name: 'c' }, spec });
  const change = (selector: object | null): Promise<Reply> =>
    suite.send('PATCH', `${claims}/c`, { spec: { selector } }, 'application/merge-patch+json');
  const { code, body } = await change({ matchLabels: {} });
  expect([code, body.message]).toEqual([422, expect.stringContaining('- "Selector": null,\n+ "Selector": {},')]);
  expect((await change(null)).code).toBe(200);
});

test.each([
  ['TokenReview', '/apis/authentication.k8s.io/v1/tokenreviews', { token: 't' }],
  ['TokenRequest', '/api/v1/namespaces/default/serviceaccounts/default/token', {}],
])('the metadata of a %s can be requested alone', async (kind, path, spec) => {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind, spec };
  const accepting = (form: string): Promise<Reply> =>
    suite.send('POST', path, review, 'application/json', { accept: `application/json;as=${form};v=v1;g=meta.k8s.io` });
  const { code, body } = await accepting('PartialObjectMetadata');
  expect([code, body.kind, body.spec]).toEqual([201, 'PartialObjectMetadata', undefined]);
  const refused = await accepting('PartialObjectMetadataList');
  expect([refused.code, refused.body.message]).toEqual([
    406,
    `you requested PartialObjectMetadataList, but the requested object is not a list (*authentication.${kind})`,
  ]);
});

test('an invalid IP address of a pod belongs to no IP family', async () => {
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { schedulerName: 'nobody', containers: [{ name: 'c', image: 'i' }] };
  await suite.must('POST', pods, { metadata: { name: 'p' }, spec });
  const status = { podIPs: [{ ip: '1.2.3.4' }, { ip: 'x' }] };
  const { body } = await suite.send('PATCH', `${pods}/p/status`, { status }, 'application/merge-patch+json');
  expect(body.details?.causes).toMatchObject([
    { field: 'status.podIPs[1]' },
    { message: 'Internal error: failed to check for dual stack with error:invalid IP[1]: x' },
    { message: expect.stringContaining('may specify no more than one IP for each IP family') },
  ]);
});
