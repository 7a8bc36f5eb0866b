import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, conditionOf } from '../controllers/cluster-suite.js';

const ADDRESSES = '/apis/networking.k8s.io/v1/ipaddresses';
const RANGES = '/apis/networking.k8s.io/v1/servicecidrs';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

test('a ServiceCIDR becomes ready, and is deleted when none of its addresses is in use', async () => {
  await suite.createGlobal(RANGES, 'ServiceCIDR', 'extra', { spec: { cidrs: ['10.9.0.0/24'] } });
  const range = await suite.once(`${RANGES}/extra`, (found) => conditionOf(found, 'Ready') !== undefined);
  expect(conditionOf(range, 'Ready')).toMatchObject({
    status: 'True',
    reason: '',
    message: 'Kubernetes Service CIDR is ready',
  });
  expect(range.metadata!.finalizers).toEqual(['networking.k8s.io/service-cidr-finalizer']);
  await suite.requests.send('DELETE', `${RANGES}/extra`);
  await suite.gone(`${RANGES}/extra`);
});

const send = (name: string, spec: object, query = ''): Promise<Reply> => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
  return suite.requests.send('POST', `${suite.path('services')}${query}`, service);
};
const refusal = async (clusterIP: string, query = ''): Promise<string> =>
  text((await send('refused', { clusterIP }, query)).body.message);

test('an IPAddress names the Service of a cluster IP, and is deleted with it', async () => {
  const address = text((await send('web', {})).body.spec!.clusterIP);
  const found = await suite.once(`${ADDRESSES}/${address}`, ({ kind }) => text(kind) === 'IPAddress');
  expect(found).toMatchObject({
    metadata: {
      labels: {
        'ipaddress.kubernetes.io/ip-family': 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
      managedFields: [{ manager: 'kube-apiserver', operation: 'Update' }],
    },
    spec: { parentRef: { resource: 'services', namespace: suite.namespace, name: 'web' } },
  });
  expect(found.spec!.parentRef).not.toHaveProperty('group');
  await suite.patch(suite.path('services', 'web'), {
    spec: { type: 'ExternalName', externalName: 'example.com', clusterIP: null, clusterIPs: null },
  });
  await suite.gone(`${ADDRESSES}/${address}`);
  const next = await suite.patch(suite.path('services', 'web'), { spec: { type: 'ClusterIP', externalName: null } });
  await suite.once(`${ADDRESSES}/${text(next.spec!.clusterIP)}`, ({ kind }) => text(kind) === 'IPAddress');
  await suite.requests.send('DELETE', suite.path('services', 'web'));
  await suite.gone(`${ADDRESSES}/${text(next.spec!.clusterIP)}`);
});

test('the Service of the API has its IPAddress', async () => {
  const { body } = await suite.get(`${ADDRESSES}/10.0.0.1`);
  expect(body.spec).toEqual({ parentRef: { resource: 'services', namespace: 'default', name: 'kubernetes' } });
});

test('a Service gets an address of any range that no IPAddress uses', async () => {
  const outside = 'the provided network does not match the current range';
  expect(await refusal('10.8.0.5')).toContain(`failed to allocate IP 10.8.0.5: ${outside}`);
  expect(await refusal('10.8.0.5', '?dryRun=All')).toContain('The range of valid IPs is 10.0.0.0/16');
  const create = (): Promise<Json> =>
    suite.createGlobal(RANGES, 'ServiceCIDR', 'further', { spec: { cidrs: ['10.8.0.0/24'] } });
  await create();
  await suite.requests.until(
    () => send('web', { clusterIP: '10.8.0.5' }),
    ({ code }) => code === 201,
  );
  expect(await refusal('10.8.0.0')).toContain(outside);
  const parentRef = { group: 'example.com', resource: 'gateways', name: 'mine' };
  await suite.createGlobal(ADDRESSES, 'IPAddress', '10.8.0.6', { spec: { parentRef } });
  expect(await refusal('10.8.0.6')).toContain('failed to allocate IP 10.8.0.6: provided IP is already allocated');
  // A controller that has not yet seen the addresses lets the range go.
  const isDecided = ({ code, body }: Reply): boolean =>
    code === 404 || text(conditionOf(body, 'Ready')?.reason) === 'Terminating';
  await suite.requests.until(
    async () => {
      await suite.requests.send('DELETE', `${RANGES}/further`);
      const reply = await suite.requests.until(() => suite.get(`${RANGES}/further`), isDecided);
      if (reply.code === 404) await create();
      return reply;
    },
    ({ code }) => code === 200,
  );
  // The allocators see it after some time; a dry run allocates no address.
  await suite.requests.until(
    () => send('refused', { clusterIP: '10.8.0.7' }, '?dryRun=All'),
    ({ code }) => code !== 201,
  );
  expect(await refusal('10.8.0.7')).toContain(outside);
  await suite.requests.send('DELETE', suite.path('services', 'web'));
  await suite.gone(`${RANGES}/further`);
});

test('a ServiceCIDR is kept while a Service uses an address that no other range contains', async () => {
  await suite.create('services', 'Service', 'web', { spec: { ports: [{ port: 80 }] } });
  await suite.requests.send('DELETE', `${RANGES}/kubernetes`);
  const isKept = (found: Json): boolean => text(conditionOf(found, 'Ready')?.reason) === 'Terminating';
  expect(conditionOf(await suite.once(`${RANGES}/kubernetes`, isKept), 'Ready')).toMatchObject({
    status: 'False',
    message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
  });
});
