import { expect, test } from '@jest/globals';
import { WebhookSuite } from './webhook-suite.js';

const suite = new WebhookSuite();

test('a webhook reviews the binding and the eviction of a pod', async () => {
  const server = await suite.serve(() => ({ allowed: true }));
  const resources = ['pods/binding', 'pods/eviction'];
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources };
  await suite.configure('Validating', { clientConfig: server.clientConfig(), rules: [rule] });
  const pods = `/api/v1/namespaces/${suite.namespace}/pods`;
  const metadata = { name: 'p', namespace: suite.namespace };
  const spec = { schedulerName: 'none', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 };
  await suite.server.must('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
  const target = { kind: 'Node', name: 'somewhere' };
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target };
  await suite.server.until(
    () => suite.server.send('POST', `${pods}/p/binding?dryRun=All`, binding),
    () => server.reviews.length > 0,
  );
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
  await suite.server.must('POST', `${pods}/p/eviction`, eviction);
  const seen = [server.reviews[0]!, server.reviews.at(-1)!].map(({ request }) => request!);
  const shared = { operation: 'CREATE', resource: { group: '', version: 'v1', resource: 'pods' }, oldObject: null };
  expect(seen).toMatchObject([
    { ...shared, kind: { group: '', version: 'v1', kind: 'Binding' }, subResource: 'binding', object: { target } },
    { ...shared, kind: { group: 'policy', version: 'v1', kind: 'Eviction' }, subResource: 'eviction', dryRun: false },
  ]);
});

test('a Binding binds the pod of its name with any uid', async () => {
  const core = `/api/v1/namespaces/${suite.namespace}`;
  const metadata = { name: 'bound' };
  const spec = { schedulerName: 'none', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 };
  await suite.server.must('POST', `${core}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
  const target = { name: 'somewhere' };
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { ...metadata, uid: 'another' }, target };
  const bind = (query = '', more = {}) =>
    suite.server.send('POST', `${core}/bindings${query}`, { ...binding, ...more });
  const conflict = `Operation cannot be fulfilled on pods/binding "bound": pod bound is already assigned to node "somewhere"`;
  const replies = [await bind('?dryRun=All'), await bind('', { target: {} }), await bind(), await bind()];
  const { body: bound } = await suite.server.send('GET', `${core}/pods/bound`);
  expect(bound).toMatchObject({ spec: { nodeName: 'somewhere' } });
  replies.push(
    await bind('', { metadata: { name: 'none' } }),
    await bind('', { metadata: { ...metadata, namespace: 'x' } }),
  );
  expect(replies.map(({ code, body }) => [code, body.status, body.message])).toEqual([
    [201, 'Success', undefined],
    [500, 'Failure', 'target.name: Required value'],
    [201, 'Success', undefined],
    [409, 'Failure', conflict],
    [404, 'Failure', 'pods "none" not found'],
    [400, 'Failure', 'the namespace of the provided object does not match the namespace sent on the request'],
  ]);
  await suite.server.must('DELETE', `${core}/pods/bound`);
});

test('an eviction may have the former API version', async () => {
  const pods = `/api/v1/namespaces/${suite.namespace}/pods`;
  const metadata = { name: 'evicted' };
  const spec = { schedulerName: 'none', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 };
  await suite.server.must('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
  const evict = async (apiVersion: string): Promise<number> =>
    (await suite.server.send('POST', `${pods}/evicted/eviction`, { apiVersion, kind: 'Eviction', metadata })).code;
  expect([await evict('policy/v2'), await evict('policy/v1beta1')]).toEqual([400, 201]);
});
