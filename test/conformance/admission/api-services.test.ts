import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Reply } from '../../e2e/admission/admission-suite.js';

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const apiService = (name: string, spec: object): object => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name },
  spec,
});
const create = (name: string, spec: object, query = ''): Promise<Reply> =>
  suite.send('POST', SERVICES + query, apiService(name, spec));
const SOUND = { group: 'remote.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 15 };
const NAME = 'v1.remote.example.com';
const service = { namespace: 'default', name: 'remote' };

test("the port of an APIService's service is 443 by default", async () => {
  const created = await create(NAME, { ...SOUND, service }, '?dryRun=All');
  expect([created.code, created.body.spec?.service, created.body.status]).toEqual([201, { ...service, port: 443 }, {}]);
});

test('an APIService without a service is available at once, whatever status it was created with', async () => {
  const body = { ...apiService(NAME, SOUND), status: { conditions: [{ type: 'Available', status: 'False' }] } };
  const created = await suite.send('POST', `${SERVICES}?dryRun=All`, body);
  expect(created.body.status).toMatchObject({
    conditions: [{ type: 'Available', status: 'True', reason: 'Local' }],
  });
});

test.each([
  ['nothing', '.', {}],
  ['another name', 'v2.remote.example.com', SOUND],
  ['priorities out of range', NAME, { ...SOUND, groupPriorityMinimum: 20001, versionPriority: -1 }],
  ['a version and a group of other letters', 'V_1.a_b', { ...SOUND, version: 'V_1', group: 'a_b' }],
  ['a bundle for no service', NAME, { ...SOUND, caBundle: 'YWJj', insecureSkipTLSVerify: true }],
  ['an incomplete service', NAME, { ...SOUND, service: { port: 70000 } }],
  ['a bundle that is not looked at', NAME, { ...SOUND, service, caBundle: 'YWJj', insecureSkipTLSVerify: true }],
])('an APIService with %s is rejected', async (_what, name, spec) => {
  const refused = await create(name, spec);
  expect(refused.code).toBe(422);
  expect(text(refused.body.message)).toMatchSnapshot();
});

test('the conditions of an APIService are True, False or Unknown, and a write of the status changes nothing else', async () => {
  const name = 'v1.local.example.com';
  const local = { ...SOUND, group: 'local.example.com' };
  const created = await suite.must('POST', SERVICES, apiService(name, local));
  const path = `${SERVICES}/${name}`;
  const change = (status: string): Promise<Reply> => {
    const conditions = [{ type: 'Available', status, lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const body = { metadata: { labels: { a: 'b' } }, spec: { versionPriority: 1 }, status: { conditions } };
    return suite.send('PATCH', `${path}/status`, body, 'application/merge-patch+json');
  };
  expect(text((await change('Perhaps')).body.message)).toMatchSnapshot();
  const changed = await change('Unknown');
  expect([changed.body.spec, changed.body.metadata?.labels]).toEqual([created.spec, undefined]);
  await suite.must('DELETE', path);
});
