import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const SERVICES = '/api/v1/namespaces/default/services';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const service = (name: string, spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec,
});
const specOf = ({ body }: Reply): Json => body.spec as Json;
const read = async (path: string): Promise<Json> => specOf(await suite.send('GET', `${SERVICES}/${path}`));

test('an ExternalName Service that was created with an address lists it on read and is invalid when it is changed', async () => {
  const given = service('addressed', { type: 'ExternalName', externalName: 'example.com', clusterIP: 'None' });
  const created = await suite.send('PUT', `${SERVICES}/addressed/status`, given);
  expect([created.code, specOf(created).clusterIPs]).toEqual([201, undefined]);
  expect((await read('addressed')).clusterIPs).toEqual(['None']);
  expect((await read('addressed/status')).clusterIPs).toBeUndefined();
  const change = { metadata: { labels: { a: 'b' } } };
  const refused = await suite.send('PATCH', `${SERVICES}/addressed`, change, 'application/merge-patch+json');
  expect([refused.code, refused.body.message]).toEqual([
    422,
    'Service "addressed" is invalid: spec.clusterIPs: Forbidden: may not be set for ExternalName services',
  ]);
});

test('the response to a pending deletion shows a Service as it is stored', async () => {
  const given = service('going', { type: 'ExternalName', externalName: 'example.com', clusterIP: 'None' });
  await suite.send('PUT', `${SERVICES}/going/status`, given);
  const going = await suite.send('DELETE', `${SERVICES}/going?propagationPolicy=Orphan`);
  expect([going.body.metadata?.finalizers, specOf(going).clusterIPs]).toEqual([['orphan'], undefined]);
});

test('fields from before a Service became an ExternalName are visible only on its status endpoint', async () => {
  await suite.must('POST', SERVICES, service('former', { ports: [{ port: 80 }] }));
  const change = { spec: { type: 'ExternalName', externalName: 'example.com' } };
  await suite.send('PATCH', `${SERVICES}/former`, change, 'application/merge-patch+json');
  expect((await read('former')).internalTrafficPolicy).toBeUndefined();
  expect((await read('former/status')).internalTrafficPolicy).toBe('Cluster');
});
