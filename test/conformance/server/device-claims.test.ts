import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Reply } from '../../e2e/admission/admission-suite.js';

const ROOT = '/apis/resource.k8s.io/v1/namespaces';

let suite: AdmissionSuite;

beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const claim = (devices: object, namespace = 'default'): Promise<Reply> =>
  suite.send('POST', `${ROOT}/${namespace}/resourceclaims?dryRun=All`, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'a' },
    spec: { devices },
  });
const template = (devices: object, namespace = 'default'): Promise<Reply> =>
  suite.send('POST', `${ROOT}/${namespace}/resourceclaimtemplates?dryRun=All`, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'a' },
    spec: { spec: { devices } },
  });
const messageOf = async (reply: Promise<Reply>): Promise<string> => text((await reply).body.message);
const exactly = (more: object): object => ({ name: 'r', exactly: { deviceClassName: 'c', ...more } });

test.each([
  ['invalid names', { requests: [{ name: '%', exactly: { deviceClassName: '%' } }] }],
  ['no class', { requests: [{ name: 'r', exactly: {} }] }],
  ['neither kind of request', { requests: [{ name: 'r' }] }],
  ['both kinds of requests', { requests: [{ ...exactly({}), firstAvailable: [{ name: 's', deviceClassName: 'c' }] }] }],
  ['the same name twice', { requests: [exactly({}), exactly({})] }],
  ['a count below one', { requests: [exactly({ count: -1 })] }],
  ['a count and allocation mode All', { requests: [exactly({ allocationMode: 'All', count: 2 })] }],
  ['an invalid mode', { requests: [exactly({ allocationMode: 'Some' })] }],
  ['an empty selector', { requests: [exactly({ selectors: [{}] })] }],
  ['too many alternatives', { requests: [{ name: 'r', firstAvailable: alternatives(9) }] }],
  [
    'the same alternative twice',
    { requests: [{ name: 'r', firstAvailable: [...alternatives(1), ...alternatives(1)] }] },
  ],
  ['an empty constraint', { requests: [exactly({})], constraints: [{ requests: ['r'] }] }],
  ['a constraint of another request', constrained({ requests: ['other'], matchAttribute: 'a.example.com/b' })],
  [
    'a constraint of a name with too many parts',
    constrained({ requests: ['a/b/c'], matchAttribute: 'a.example.com/b' }),
  ],
  ['an empty configuration', { requests: [exactly({})], config: [{ requests: ['r'] }] }],
  ['parameters that are not an object', configured({ driver: 'a.example.com', parameters: 'x' })],
  ['a driver without parameters', configured({ driver: '%' })],
  ['a toleration without a rule', { requests: [exactly({ tolerations: [{ key: 'a', operator: 'In' }] })] }],
  ['a toleration of any value', { requests: [exactly({ tolerations: [{ operator: 'Exists', value: 'a' }] })] }],
])('a claim with %s is rejected', async (_, devices) => {
  const message = await messageOf(claim(devices));

  expect(message).toMatchSnapshot();
  expect((await messageOf(template(devices))).replaceAll('spec.spec.', 'spec.')).toBe(
    message.replace('ResourceClaim.', 'ResourceClaimTemplate.'),
  );
});

function alternatives(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ name: `s${index}`, deviceClassName: 'c' }));
}

function constrained(constraint: object): object {
  return { requests: [exactly({})], constraints: [constraint] };
}

function configured(opaque: object): object {
  return { requests: [exactly({})], config: [{ opaque }] };
}

test('admin access to devices requires a namespace with the label for it', async () => {
  const devices = { requests: [exactly({ adminAccess: true })] };
  const namespace = await suite.namespace({ 'resource.kubernetes.io/admin-access': 'true' });

  expect(await messageOf(claim(devices))).toMatchInlineSnapshot(
    `"ResourceClaim.resource.k8s.io "a" is invalid: spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the \`resource.kubernetes.io/admin-access: true\` label on the containing namespace"`,
  );
  expect(await messageOf(template(devices))).toMatchInlineSnapshot(
    `"ResourceClaimTemplate.resource.k8s.io "a" is invalid: spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the \`resource.kubernetes.io/admin-access: true\` label on the containing namespace"`,
  );
  expect([(await claim(devices, namespace)).code, (await template(devices, namespace)).code]).toEqual([201, 201]);
});

test('the spec of a claim is immutable', async () => {
  const namespace = await suite.namespace();
  const path = `${ROOT}/${namespace}/resourceclaims`;
  await suite.must('POST', path, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'a' },
    spec: { devices: { requests: [exactly({})] } },
  });
  const patch = (body: object): Promise<Reply> =>
    suite.send('PATCH', `${path}/a`, body, 'application/merge-patch+json');

  const refused = (await patch({ spec: { devices: { requests: [exactly({ count: 2 })] } } })).body.details?.causes?.[0];
  expect([refused?.field, text(refused?.message).replace(/^.*}/, '')]).toEqual(['spec', ': field is immutable']);
  expect((await patch({ metadata: { labels: { a: 'b' } } })).code).toBe(200);
});
