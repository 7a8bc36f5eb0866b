import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, type Json, type Reply } from '../../e2e/admission/admission-suite.js';
import { CHECKED_PODS } from '../../e2e/admission/checked-pods.js';

const PREFIX = 'pod-security.kubernetes.io';
const ANNOTATIONS: Readonly<Record<string, Record<string, string>>> = {
  'AppArmor annotation by default': { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' },
};

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const labels = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([mode, value]) => [`${PREFIX}/${mode}`, value]));
const send = (namespace: string, spec: object, annotations: object = {}, dryRun = '?dryRun=All'): Promise<Reply> =>
  suite.send('POST', `/api/v1/namespaces/${namespace}/pods${dryRun}`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', annotations },
    spec,
  });
const patch = (path: string, body: object): Promise<Reply> =>
  suite.send('PATCH', path, body, 'application/merge-patch+json');
/** One by one, as they were before they went into a header. */
const told = ({ warnings }: Reply): string[] => warnings.map((line) => line.replaceAll('\\"', '"'));
const hardened = CHECKED_PODS.hardened!;

describe.each([
  ['baseline', 'latest'],
  ['baseline', 'v1.18'],
  ['baseline', 'v1.30'],
  ['restricted', 'latest'],
  ['restricted', 'v1.21'],
  ['restricted', 'v1.24'],
  ['restricted', 'v1.34'],
])('the Pod Security level %s of %s', (level, version) => {
  let namespace: string;
  beforeAll(async () => {
    namespace = await suite.namespace(labels({ enforce: level, 'enforce-version': version }));
  });

  test.each([
    ...Object.entries(CHECKED_PODS).map(([name, spec]) => [name, spec, {}] as const),
    ...Object.entries(ANNOTATIONS).map(([name, annotations]) => [name, CHECKED_PODS.plain!, annotations] as const),
  ])('the verdict on a pod is that of Kubernetes: %s', async (_name, spec, annotations) => {
    const { code, body } = await send(namespace, spec, annotations);
    expect(code === 201 ? 'nothing' : body.message).toMatchSnapshot();
  });
});

describe('a namespace', () => {
  test('a warn level causes warnings for pods that violate it', async () => {
    const namespace = await suite.namespace(labels({ warn: 'restricted', 'warn-version': 'v1.25' }));
    const reply = await send(namespace, { ...hardened, hostNetwork: true });
    expect([reply.code, told(reply)]).toEqual([
      201,
      ['would violate PodSecurity "restricted:v1.25": host namespaces (hostNetwork=true)'],
    ]);
  });

  test('an enforced level causes warnings for pod templates, which are stored', async () => {
    const namespace = await suite.namespace(labels({ enforce: 'baseline' }));
    const spec = { containers: [{ name: 'c', image: 'i' }], hostPID: true };
    const reply = await suite.send('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } },
    });
    expect([reply.code, told(reply)]).toEqual([
      201,
      ['would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)'],
    ]);
  });

  test('labels of a pod that violates a new level can be changed', async () => {
    const namespace = await suite.namespace();
    await send(namespace, { containers: [{ name: 'c', image: 'i' }], hostPID: true }, {}, '');
    await patch(`/api/v1/namespaces/${namespace}`, { metadata: { labels: labels({ enforce: 'baseline' }) } });
    const path = `/api/v1/namespaces/${namespace}/pods/p`;
    await suite.until(
      () => patch(`${path}?dryRun=All`, { spec: { containers: [{ name: 'c', image: 'j' }] } }),
      ({ code }) => code !== 200,
    );
    expect((await patch(path, { metadata: { labels: { a: 'b' } } })).code).toBe(200);
  });

  test('a stricter level of a namespace causes warnings with the names of violating pods', async () => {
    const namespace = await suite.namespace();
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const pod = (name: string, more: object): Promise<Json> =>
      suite.must('POST', `/api/v1/namespaces/${namespace}/pods`, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { ...spec, ...more },
      });
    for (const name of ['b', 'a', 'd']) await pod(name, { hostPID: true });
    await pod('c', {
      hostNetwork: true,
      containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, hostPort: 1 }] }],
    });
    const path = `/api/v1/namespaces/${namespace}?dryRun=All`;
    const reply = await suite.until(
      () => patch(path, { metadata: { labels: labels({ enforce: 'baseline' }) } }),
      (each) => told(each).length === 3,
    );
    expect(told(reply)).toEqual([
      `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "baseline:latest"`,
      'a (and 2 other pods): host namespaces',
      'c: host namespaces, hostPort',
    ]);
  });

  test.each([
    [{ enforce: 'strict' }, 'Invalid value: "strict": must be one of privileged, baseline, restricted'],
    [{ 'warn-version': '1.20' }, 'Invalid value: "1.20": must be "latest" or "v1.x"'],
  ])('a namespace with invalid Pod Security labels is rejected: %j', async (values: Record<string, string>, why) => {
    const [label] = Object.keys(labels(values));
    const { code, body } = await suite.send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'odd', labels: labels(values) },
    });
    expect([code, body.message]).toEqual([422, `Namespace "odd" is invalid: metadata.labels[${label!}]: ${why}`]);
  });
});
