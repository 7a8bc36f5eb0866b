import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiEndpoint } from '../../fidelity/api-endpoint.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';

let cluster: SuiteControlPlane;
let api: ApiEndpoint;
beforeAll(async () => {
  cluster = await startSuiteControlPlane({
    parts: ['etcd', 'apiserver'],
    apiserverArgs: ['--disable-admission-plugins=ServiceAccount'],
  });
  api = new ApiEndpoint(cluster.kubeconfig);
}, 60_000);
afterAll(async () => {
  api.close();
  await cluster.stop();
});

/** Creates an object as a dry run and returns the reasons why its addresses are invalid; empty if it is accepted. */
async function problems(path: string, object: object): Promise<string[]> {
  const { code, body } = await api.send({
    method: 'POST',
    path: `${path}?dryRun=All`,
    body: { metadata: { name: 'x' }, ...object },
  });
  const { details } = body as { details?: { causes?: { message: string }[] } };
  const found = (details?.causes ?? []).map(({ message }) => message.replace(/^Invalid value: .*?[^\\]"\]?: /, ''));
  expect(code).toBe(found.length === 0 ? 201 : 422);
  return found;
}

const LEADING_ZEROS = 'must not have leading 0s';
const MAPPED = 'must not be an IPv4-mapped IPv6 address';
const LOOPBACK = 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
const LINK_LOCAL = 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
const LOCAL_MULTICAST = 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)';

test.each([
  ['fe80::1', [LINK_LOCAL]],
  ['febf::1', [LINK_LOCAL]],
  ['fe8::1', []],
  ['ff02::1', [LOCAL_MULTICAST]],
  ['ff12::1', [LOCAL_MULTICAST]],
  ['ff0::2', []],
  ['224.0.0.9', [LOCAL_MULTICAST]],
  ['224.0.1.1', []],
  ['0:0:0:0:0:0:0:1', [LOOPBACK]],
  ['0::0', ['may not be unspecified (0::0)']],
  ['127.0.0.01', [LEADING_ZEROS, LOOPBACK]],
  ['00001::2', [LEADING_ZEROS]],
  ['::1.02.3.4', [LEADING_ZEROS]],
  ['::ffff:127.0.0.1', [MAPPED, LOOPBACK]],
  ['0:0:0:0:0:ffff:1.2.3.4', [MAPPED]],
  ['::ffff:1', []],
])('an Endpoints address %s has the problems %j', async (ip, expected) => {
  const subsets = [{ addresses: [{ ip }], ports: [{ port: 80 }] }];
  const path = '/api/v1/namespaces/default/endpoints';
  expect(await problems(path, { apiVersion: 'v1', kind: 'Endpoints', subsets })).toEqual(expected);
});

test.each([
  ['2001:db8::1', []],
  ['2001:0db8::1', ['must be in canonical form ("2001:db8::1")']],
  ['00001::2', [LEADING_ZEROS]],
  ['::ffff:1.2.3.4', [MAPPED]],
])('an EndpointSlice address %s has the problems %j', async (address, expected) => {
  const object = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv6' };
  const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
  expect(await problems(path, { ...object, endpoints: [{ addresses: [address] }] })).toEqual(expected);
});

test.each([
  ['2001:db8:0:0:1::/80', []],
  ['10.0.0.0/0008', ['must not have leading 0s in IP or prefix length']],
  ['00001::/64', ['must not have leading 0s in IP or prefix length']],
  ['0:0:0:0:0:ffff:10.0.0.0/120', ['must not have an IPv4-mapped IPv6 address']],
  ['10.0.0.0/8/8', ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
])('an ipBlock with the network %s has the problems %j', async (cidr, expected) => {
  expect(await problems(...policy({ cidr }))).toEqual(expected);
});

test.each([
  ['2001:db8:1::/48', '2001:db8::/32', true],
  ['2001:db9::/48', '2001:db8::/32', false],
  ['2001:db8::/32', '2001:db8::/32', false],
  ['10.0.0.0/8', '2001:db8::/32', false],
  ['2001:db8::/32', '::/0', true],
])('except %s within the ipBlock %s is accepted: %s', async (except, cidr, isAccepted) => {
  const found = await problems(...policy({ cidr, except: [except] }));
  expect(found).toEqual(isAccepted ? [] : ['must be a strict subset of `cidr`']);
});

function policy(ipBlock: object): [string, object] {
  const spec = { podSelector: {}, ingress: [{ from: [{ ipBlock }] }] };
  const path = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
  return [path, { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', spec }];
}
