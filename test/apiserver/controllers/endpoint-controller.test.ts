import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Json } from '../api-client.js';
import { ClusterTest, items } from './cluster-test.js';

const SLICES =
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dweb';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints/web';
const POD = '/api/v1/namespaces/default/pods/p';

let cluster: ClusterTest;
beforeEach(async () => {
  cluster = await ClusterTest.start();
  await cluster.create('v1', 'services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'a' }, ports: [{ port: 80, targetPort: 'http' }] },
  });
});
afterEach(() => cluster.stop());

const createPod = (): Promise<string> =>
  cluster.create('v1', 'pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { app: 'a' } } as { name: string },
    spec: { containers: [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }] },
  });
const sliceOnce = async (isWanted: (slice: Json) => boolean): Promise<Json> => {
  const reply = await cluster.api.until(SLICES, (found) => items(found).length === 1 && isWanted(items(found)[0]!));
  return items(reply)[0]!;
};
const hasReady = ({ endpoints }: Json): boolean => JSON.stringify(endpoints ?? []).includes('"ready":true');

test('endpoints list the pods of a Service, with their named ports', async () => {
  await createPod();
  const slice = await sliceOnce(hasReady);
  const { body } = await cluster.api.send('GET', POD);
  expect(slice.ports).toEqual([{ name: '', port: 8080, protocol: 'TCP' }]);
  expect(slice.endpoints).toMatchObject([
    { addresses: [body.status!.podIP], nodeName: body.spec!.nodeName, targetRef: { kind: 'Pod', name: 'p' } },
  ]);
  const endpoints = await cluster.api.until(ENDPOINTS, (reply) => JSON.stringify(reply.body).includes('"addresses"'));
  expect(endpoints.body.subsets).toMatchObject([
    { addresses: [{ ip: body.status!.podIP }], ports: [{ port: 8080, protocol: 'TCP' }] },
  ]);
});

test('a Service without pods has an empty EndpointSlice, also after its pods were deleted', async () => {
  await sliceOnce((slice) => !hasReady(slice));
  await createPod();
  await sliceOnce(hasReady);
  await cluster.api.send('DELETE', POD, { gracePeriodSeconds: 0 });
  expect((await sliceOnce((slice) => !hasReady(slice))).metadata!.generateName).toBe('web-');
});

test('endpoints are deleted with their Service', async () => {
  await sliceOnce(() => true);
  await cluster.api.send('DELETE', '/api/v1/namespaces/default/services/web');
  await cluster.api.until(SLICES, (reply) => items(reply).length === 0);
  expect((await cluster.api.until(ENDPOINTS, ({ code }) => code === 404)).code).toBe(404);
});
