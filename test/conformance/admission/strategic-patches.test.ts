import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, type Reply } from '../../e2e/admission/admission-suite.js';

const STRATEGIC = 'application/strategic-merge-patch+json';
const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/d';
const CONFIG_MAP = '/api/v1/namespaces/default/configmaps/c';
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }], tolerations: [{ key: 'k', operator: 'Exists' }] },
};

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  await suite.must('POST', '/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
  });
  await suite.must('POST', '/api/v1/namespaces/default/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c' },
    data: { a: '1' },
  });
});
afterAll(() => suite.stop());

const patch = (path: string, body: unknown): Promise<Reply> =>
  suite.send('PATCH', `${path}?dryRun=All`, body, STRATEGIC);
const inPod = (spec: object): object => ({ spec: { template: { spec } } });

test.each([
  [{ data: { $patch: 'odd', b: '2' } }, 500, 'unknown patch type: odd in map: map[$patch:odd b:2]'],
  [{ data: { $patch: 1 } }, 500, 'unknown patch type: %!s(int64=1) in map: map[$patch:1]'],
  [{ metadata: { $patch: 'merge' } }, 500, 'unknown patch type: merge in map: map[$patch:merge]'],
  [{ $retainKeys: 'x' }, 400, 'invalid patch format of retainKeys'],
  [{ $retainKeys: ['kind'], data: {} }, 400, 'invalid patch format of retainKeys'],
  [{ metadata: { '$setElementOrder/finalizers': 1 } }, 500, 'expected a []interface {}, but received a int64'],
  [
    { metadata: { '$setElementOrder/odd': [] } },
    500,
    'unable to find api field in struct ObjectMeta for the json field "odd"',
  ],
])('%j is not a valid strategic merge patch of a ConfigMap', async (body, code, message) => {
  const refused = await patch(CONFIG_MAP, body);
  expect([refused.code, refused.body.message]).toEqual([code, message]);
});

test.each([
  [[{ name: 'z', $patch: 'odd' }], 'unknown patch type: odd in map: map[$patch:odd name:z]'],
  [[{ name: 'z', $patch: 'merge' }], 'merging lists cannot yet be specified in the patch'],
  [[{ $patch: 'delete' }], 'map: map[$patch:delete] does not contain declared merge key: name'],
  [[{ image: 'x' }], 'map: map[image:x] does not contain declared merge key: name'],
])('the containers %j cannot be merged', async (containers, message) => {
  const refused = await patch(DEPLOYMENT, inPod({ containers }));
  expect([refused.code, refused.body.message]).toEqual([500, message]);
});

test('$setElementOrder must contain the items of the patch', async () => {
  const order = { '$setElementOrder/containers': [{ name: 'c' }], containers: [{ name: 'd', image: 'x' }] };
  expect((await patch(DEPLOYMENT, inPod(order))).body.message).toMatch(/^The order in patch list:\n\[map\[image:x/);
});

test('a list without a merge key keeps its directives, which are unknown fields', async () => {
  const tolerations = [{ $patch: 'odd', key: 'z', operator: 'Exists' }];
  expect((await patch(DEPLOYMENT, inPod({ tolerations }))).warnings).toEqual([
    'unknown field \\"spec.template.spec.tolerations[0].$patch\\"',
  ]);
});

test('directives of a strategic merge patch replace, delete, order and retain fields', async () => {
  const containers = [
    { name: 'x', image: 'x' },
    { name: 'c', $patch: 'delete' },
  ];
  const replaced = await patch(DEPLOYMENT, inPod({ containers }));
  expect(replaced.body.spec).toMatchObject({ template: { spec: { containers: [{ name: 'x' }] } } });
  const order = {
    '$setElementOrder/containers': [{ name: 'y' }, { name: 'c' }],
    containers: [{ name: 'y', image: 'y' }],
  };
  const ordered = await patch(DEPLOYMENT, inPod(order));
  expect(ordered.body.spec).toMatchObject({ template: { spec: { containers: [{ name: 'y' }, { name: 'c' }] } } });
  const retained = await patch(DEPLOYMENT, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } });
  expect(retained.body.spec).toHaveProperty('strategy', { type: 'Recreate' });
  expect((await patch(CONFIG_MAP, { data: { $patch: 'replace', z: '9' } })).body).toHaveProperty('data', { z: '9' });
});

test('Secrets of a ServiceAccount are merged by name, and an entry without a name prevents the merge', async () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 's' }, secrets: [{ namespace: 'n' }] };
  await suite.must('POST', accounts, account);
  const refused = await patch(`${accounts}/s`, { secrets: [{ name: 'c' }] });
  const why = 'map: map[] does not contain declared merge key: name';
  expect([refused.code, refused.body.message]).toEqual([500, why]);
});
