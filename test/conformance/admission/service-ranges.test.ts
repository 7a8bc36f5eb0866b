import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const ROOT = '/apis/networking.k8s.io/v1';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const make = (plural: string, kind: string, name: string, spec: object): Promise<Reply> =>
  suite.send('POST', `${ROOT}/${plural}`, { apiVersion: 'networking.k8s.io/v1', kind, metadata: { name }, spec });
const parentRef = { group: 'g', resource: 'r', namespace: 'n', name: 'p' };
const refusal = async (reply: Promise<Reply>): Promise<string> => text((await reply).body.message);

test('the ServiceCIDR of all Services exists and is ready', async () => {
  const isReady = ({ status }: Json): boolean => JSON.stringify(status ?? {}).includes('"status":"True"');
  const range = await suite.until(
    () => suite.send('GET', `${ROOT}/servicecidrs/kubernetes`),
    ({ body }) => isReady(body),
  );
  expect(range.body.spec).toEqual({ cidrs: ['10.0.0.0/16'] });
});

test('the name of an IPAddress is its address in canonical form', async () => {
  for (const name of ['255.255.255.255', 'fe80::42:1dff:fe84:f9e2'])
    expect((await make('ipaddresses', 'IPAddress', name, { parentRef })).code).toBe(201);
  expect([
    await refusal(make('ipaddresses', 'IPAddress', 'fe80:0::1', { parentRef })),
    await refusal(make('ipaddresses', 'IPAddress', 'name', { parentRef })),
    await refusal(make('ipaddresses', 'IPAddress', '1.2.3.4', {})),
    await refusal(make('ipaddresses', 'IPAddress', '1.2.3.4', { parentRef: { group: 'G', namespace: 'a/b' } })),
    await refusal(
      suite.send(
        'PATCH',
        `${ROOT}/ipaddresses/255.255.255.255`,
        { spec: { parentRef: { name: 'q' } } },
        'application/merge-patch+json',
      ),
    ),
  ]).toMatchSnapshot();
});

test('a ServiceCIDR has at most one network per IP family', async () => {
  const newRange = (...cidrs: string[]): Promise<string> =>
    refusal(make('servicecidrs', 'ServiceCIDR', 'range', { cidrs }));
  expect([
    await newRange(),
    await newRange('10.1.0.0/16', '10.2.0.0/16'),
    await newRange('10.1.0.1/16', 'fd00:0::/64'),
    await newRange('10.1.0.0'),
  ]).toMatchSnapshot();
});

test('allocateLoadBalancerNodePorts false keeps existing node ports, except those that are reset', async () => {
  const services = '/api/v1/namespaces/default/services';
  const ports = [
    { name: 'a', port: 80 },
    { name: 'b', port: 81 },
  ];
  const metadata = { name: 'balanced' };
  await suite.must('POST', services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { type: 'LoadBalancer', ports },
  });
  const path = `${services}/balanced`;
  const change = (spec: object): Promise<Json> =>
    suite.must('PATCH', path, { spec }, 'application/strategic-merge-patch+json');
  const nodePorts = ({ spec }: Json): boolean[] =>
    (spec!.ports as unknown as { nodePort?: number }[]).map(({ nodePort }) => nodePort !== undefined);
  expect(nodePorts(await change({ allocateLoadBalancerNodePorts: false }))).toEqual([true, true]);
  expect(nodePorts(await change({ ports: [{ port: 80, nodePort: 0 }] }))).toEqual([false, true]);
  expect(nodePorts(await change({ type: 'ClusterIP' }))).toEqual([false, false]);
  await suite.must('DELETE', path);
});
