import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer, type Reply } from '../../api-client.js';

const SERVICES = '/api/v1/namespaces/default/services';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

const create = (name: string, spec: object, query = ''): Promise<Reply> =>
  api.send('POST', SERVICES + query, { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
const at = (name: string): string => `${SERVICES}/${name}`;
const portsOf = ({ body }: Reply) => body.spec!.ports as unknown as { nodePort?: number }[];

test('each Service gets a different cluster IP, and each node port is allocated once', async () => {
  const [one, two] = [
    await create('one', { type: 'NodePort', ports: [{ port: 80 }] }),
    await create('two', { ports: [{ port: 80 }] }),
  ];
  expect(one.body.spec!.clusterIP).not.toEqual(two.body.spec!.clusterIP);
  const taken = await create('three', { type: 'NodePort', ports: [{ port: 80, nodePort: portsOf(one)[0]!.nodePort }] });
  expect(taken.body.message).toContain('provided port is already allocated');
});

test('the address of a deleted Service is released', async () => {
  const { body } = await create('brief', { ports: [{ port: 80 }] });
  await api.send('DELETE', at('brief'));
  const again = await create('heir', { clusterIP: body.spec!.clusterIP, ports: [{ port: 80 }] });
  expect(again.code).toBe(201);
});

test('an update that omits allocated values keeps them', async () => {
  const { body } = await create('kept', { type: 'NodePort', ports: [{ port: 80 }] });
  const next = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kept' },
    spec: { type: 'NodePort', ports: [{ port: 81 }] },
  };
  const after = await api.send('PUT', at('kept'), next);
  expect([after.body.spec!.clusterIP, portsOf(after)[0]!.nodePort]).toEqual([
    body.spec!.clusterIP,
    portsOf({ body } as Reply)[0]!.nodePort,
  ]);
});

test('an update keeps the cluster IP of a Service', async () => {
  await create('fixed', { ports: [{ port: 80 }] });
  const { body } = await api.patch(at('fixed'), 'merge', {
    spec: { clusterIP: '10.0.200.1', clusterIPs: ['10.0.200.1'] },
  });
  expect(body.message).toContain('may not change once set');
});

test('a Service that is no longer a load balancer loses the fields of one', async () => {
  await create('balanced', { type: 'LoadBalancer', ports: [{ port: 80 }] });
  const { body } = await api.patch(at('balanced'), 'merge', { spec: { type: 'ClusterIP' } });
  const { allocateLoadBalancerNodePorts, externalTrafficPolicy, ports } = body.spec!;
  expect([allocateLoadBalancerNodePorts, externalTrafficPolicy, (ports as unknown as object[])[0]]).toEqual([
    undefined,
    undefined,
    { port: 80, protocol: 'TCP', targetPort: 80 },
  ]);
});

test('a Service without selector and address may have both IP families', async () => {
  const { body } = await create('free', { clusterIP: 'None', ports: [{ port: 80 }] });
  expect([body.spec!.ipFamilyPolicy, body.spec!.ipFamilies]).toEqual(['RequireDualStack', ['IPv4', 'IPv6']]);
});

test('a dry run shows made-up node ports', async () => {
  const reply = await create('dry', { type: 'NodePort', ports: [{ port: 80 }] }, '?dryRun=All');
  expect(portsOf(reply)[0]!.nodePort).toBe(32769);
});
