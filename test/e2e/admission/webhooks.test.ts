import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  AdmissionSuite,
  configMap,
  patchOf,
  text,
  WebhookServer,
  type Handler,
  type Reply,
} from './admission-suite.js';

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };

let suite: AdmissionSuite;
let namespace: string;
let path: string;
let count = 0;
const started: { stop(): void }[] = [];
const configured: string[] = [];

beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());
beforeEach(async () => {
  namespace = await suite.namespace({ team: 'a' });
  path = `/api/v1/namespaces/${namespace}/configmaps`;
});
afterEach(async () => {
  for (const configuration of configured.splice(0)) await suite.must('DELETE', configuration);
  for (const server of started.splice(0)) server.stop();
});

const serve = async (answer: Handler): Promise<WebhookServer> => {
  const server = await WebhookServer.start(answer);
  started.push(server);
  return server;
};

/** Configures a webhook for the namespace of the test. */
async function configure(kind: 'Mutating' | 'Validating', ...webhooks: object[]): Promise<void> {
  const name = `config-${(count++).toString().padStart(3, '0')}`;
  const plural = `${ADMISSION}/${kind.toLowerCase()}webhookconfigurations`;
  await suite.must('POST', plural, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks: webhooks.map((webhook, index) => ({
      name: `hook${index}.example.com`,
      rules: [CONFIG_MAPS],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      ...webhook,
    })),
  });
  configured.push(`${plural}/${name}`);
}

const create = (object: object, query = ''): Promise<Reply> => suite.send('POST', `${path}${query}`, object);
let tries = 0;
/** Creates config maps until one is answered as wanted. */
const createUntil = (isWanted: (reply: Reply) => boolean, metadata: object = {}, query = ''): Promise<Reply> =>
  suite.until(() => create(configMap(`try-${tries++}`, { a: '1' }, metadata), query), isWanted);

describe('a validating webhook', () => {
  test('refuses by its message, code and reason', async () => {
    const server = await serve(() => ({
      allowed: false,
      status: { code: 409, reason: 'Conflict', message: 'not so' },
    }));
    await configure('Validating', { clientConfig: server.clientConfig() });
    const { code, body } = await createUntil((reply) => reply.code !== 201);
    expect({ code, body }).toEqual({
      code: 409,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'admission webhook "hook0.example.com" denied the request: not so',
        reason: 'Conflict',
        code: 409,
      },
    });
  });

  test('that gives no reason refuses without explanation', async () => {
    const server = await serve(() => ({ allowed: false }));
    await configure('Validating', { clientConfig: server.clientConfig() });
    const { code, body } = await createUntil((reply) => reply.code !== 201);
    expect([code, body.message]).toEqual([
      400,
      'admission webhook "hook0.example.com" denied the request without explanation',
    ]);
  });

  test('is told all about a creation', async () => {
    const server = await serve(() => ({ allowed: true, warnings: ['careful'] }));
    await configure('Validating', { clientConfig: server.clientConfig('/check') });
    const { warnings, body } = await createUntil(() => server.reviews.length > 0, {}, '?fieldManager=me');
    expect(warnings).toEqual(['careful']);
    const { request, ...review } = server.reviews.at(-1)!;
    expect(review).toEqual({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' });
    const { uid, userInfo, object, ...rest } = request!;
    expect(rest).toEqual({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: body.metadata!.name,
      namespace,
      operation: 'CREATE',
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
    });
    expect(text(uid)).toMatch(/^[0-9a-f-]{36}$/);
    expect(userInfo!.groups).toContain('system:authenticated');
    const { resourceVersion, ...metadata } = body.metadata as unknown as Record<string, unknown>;
    expect(resourceVersion).toBeDefined();
    expect(object).toEqual({ ...body, metadata });
  });

  test('sees what was and what is to be of an update, and only what was of a deletion', async () => {
    const server = await serve(() => ({ allowed: true }));
    await create(configMap('kept', { a: '1' }));
    await configure('Validating', { clientConfig: server.clientConfig() });
    await createUntil(() => server.reviews.length > 0);
    await suite.must('PATCH', `${path}/kept`, { data: { a: '2' } }, 'application/merge-patch+json');
    await suite.must('DELETE', `${path}/kept`);
    const [update, deletion] = server.reviews.slice(-2).map(({ request }) => request!);
    expect([update!.operation, update!.oldObject!.data, update!.object!.data, update!.options]).toEqual([
      'UPDATE',
      { a: '1' },
      { a: '2' },
      { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1' },
    ]);
    expect([deletion!.operation, deletion!.oldObject!.data, deletion!.object, deletion!.options]).toEqual([
      'DELETE',
      { a: '2' },
      null,
      { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
    ]);
  });

  test('can keep an object from being deleted', async () => {
    const server = await serve(({ operation }) => ({
      allowed: text(operation) !== 'DELETE',
      status: { message: 'no' },
    }));
    await configure('Validating', { clientConfig: server.clientConfig() });
    const { body } = await createUntil(() => server.reviews.length > 0);
    const { code, body: refusal } = await suite.send('DELETE', `${path}/${text(body.metadata!.name)}`);
    expect([code, refusal.message]).toEqual([400, 'admission webhook "hook0.example.com" denied the request: no']);
    const all = await suite.send('DELETE', path);
    expect([all.code, all.body.message]).toEqual([code, refusal.message]);
  });

  test('that cannot be reached refuses all, or nothing when failures are to be ignored', async () => {
    const server = await serve(() => ({}));
    const clientConfig = server.clientConfig('/x');
    const { port } = server;
    server.stop();
    await configure('Validating', { clientConfig, timeoutSeconds: 3 });
    const { code, body } = await createUntil((reply) => reply.code !== 201);
    const why = `failed calling webhook "hook0.example.com": failed to call webhook: Post "https://127.0.0.1:${port}/x?timeout=3s": dial tcp 127.0.0.1:${port}: connect: connection refused`;
    expect([code, body.reason, body.message, body.details]).toEqual([
      500,
      'InternalError',
      `Internal error occurred: ${why}`,
      { causes: [{ message: why }] },
    ]);
    await suite.must('DELETE', configured.pop()!);
    await configure('Validating', { clientConfig, failurePolicy: 'Ignore' });
    await createUntil((reply) => reply.code === 201);
  });

  test('of which nobody vouches for the certificate is not trusted', async () => {
    const [server, other] = [await serve(() => ({})), await serve(() => ({}))];
    await configure('Validating', { clientConfig: { ...server.clientConfig(), caBundle: other.caBundle } });
    const { body } = await createUntil((reply) => reply.code !== 201);
    expect(text(body.message)).toContain(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
  });

  test('that takes longer than it may is given up', async () => {
    const server = await serve(() => new Promise<object>(() => undefined));
    await configure('Validating', { clientConfig: server.clientConfig(), timeoutSeconds: 1 });
    const { code, body } = await createUntil((reply) => reply.code !== 201);
    expect([code, body.message]).toEqual([
      500,
      `Internal error occurred: failed calling webhook "hook0.example.com": failed to call webhook: Post "https://127.0.0.1:${server.port}/?timeout=1s": context deadline exceeded`,
    ]);
  });

  test.each([
    [
      'a wrong uid',
      { uid: 'x', allowed: true },
      /received invalid webhook response: expected response.uid="[0-9a-f-]+", got "x"$/,
    ],
    ['a patch', { allowed: true, patch: 'W10=' }, /validating webhook may not return response.patch$/],
  ])('that answers with %s has failed', async (_what, answer, message) => {
    const server = await serve(() => answer);
    await configure('Validating', { clientConfig: server.clientConfig() });
    const { code, body } = await createUntil((reply) => reply.code !== 201);
    expect([code, text(body.message)]).toEqual([500, expect.stringMatching(message)]);
  });

  test('is asked of dry runs only if it has no side effects', async () => {
    const server = await serve(() => ({ allowed: true }));
    await configure('Validating', { clientConfig: server.clientConfig(), sideEffects: 'NoneOnDryRun' });
    await createUntil(() => server.reviews.length > 0, {}, '?dryRun=All');
    expect([server.reviews.at(-1)!.request!.dryRun, server.reviews.at(-1)!.request!.options]).toEqual([
      true,
      { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] },
    ]);
  });
});

describe('which requests a webhook is asked about', () => {
  const refusing = () => serve(() => ({ allowed: false }));

  test('is told by the namespace, by labels of the object and by conditions', async () => {
    const server = await refusing();
    await configure('Validating', {
      clientConfig: server.clientConfig(),
      namespaceSelector: { matchLabels: { team: 'a', 'kubernetes.io/metadata.name': namespace } },
      objectSelector: { matchExpressions: [{ key: 'checked', operator: 'Exists' }] },
      matchConditions: [
        { name: 'named', expression: "!object.metadata.name.startsWith('free-')" },
        { name: 'not-deleted', expression: "request.operation != 'DELETE'" },
      ],
    });
    const labels = { checked: 'yes' };
    await createUntil((reply) => reply.code === 400, { labels });
    expect((await create(configMap('unlabelled'))).code).toBe(201);
    expect((await create(configMap('free-one', {}, { labels }))).code).toBe(201);
    const other = await suite.namespace({ team: 'b' });
    const elsewhere = await suite.send(
      'POST',
      `/api/v1/namespaces/${other}/configmaps`,
      configMap('x', {}, { labels }),
    );
    expect(elsewhere.code).toBe(201);
  });

  test('a condition that cannot be evaluated refuses', async () => {
    const server = await refusing();
    await configure('Validating', {
      clientConfig: server.clientConfig(),
      matchConditions: [{ name: 'broken', expression: "object.data.missing == 'x'" }],
    });
    const { code, body } = await createUntil((reply) => reply.code !== 201);
    expect([code, text(body.message)]).toEqual([403, expect.stringMatching(/^configmaps "try-\d+" is forbidden: /)]);
    expect(server.reviews).toEqual([]);
  });

  test('rules name operations and subresources', async () => {
    const server = await refusing();
    const rule = { apiGroups: ['apps'], apiVersions: ['*'], operations: ['UPDATE'], resources: ['deployments/status'] };
    await configure('Validating', { clientConfig: server.clientConfig(), rules: [{ ...rule, scope: 'Namespaced' }] });
    const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await suite.must('POST', deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { replicas: 0, selector: { matchLabels: { app: 'a' } }, template },
    });
    const patch = (sub: string, body: object): Promise<Reply> =>
      suite.send('PATCH', `${deployments}/d${sub}`, body, 'application/merge-patch+json');
    await suite.until(
      () => patch('/status', { status: { collisionCount: tries++ } }),
      ({ code }) => code === 400,
    );
    expect((await patch('', { metadata: { labels: { a: 'b' } } })).code).toBe(200);
    expect(server.reviews.every(({ request }) => text(request!.subResource) === 'status')).toBe(true);
  });

  test('never the objects that configure webhooks', async () => {
    const server = await refusing();
    await configure('Validating', {
      clientConfig: server.clientConfig(),
      rules: [{ apiGroups: ['admissionregistration.k8s.io'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
      namespaceSelector: {},
    });
    await configure('Validating', { clientConfig: server.clientConfig() });
    await createUntil((reply) => reply.code === 400);
    await suite.must('DELETE', configured.shift()!);
  });
});

describe('a mutating webhook', () => {
  test('patches the object before it is defaulted, checked and stored', async () => {
    const server = await serve(({ object }) =>
      patchOf(
        { op: 'add', path: '/metadata/labels', value: { by: 'hook' } },
        { op: 'replace', path: '/data/a', value: text(object!.data!.a) + '!' },
      ),
    );
    await configure('Mutating', { clientConfig: server.clientConfig() });
    const { body } = await createUntil(() => server.reviews.length > 0);
    expect([body.data, body.metadata!.labels]).toEqual([{ a: '1!' }, { by: 'hook' }]);
    const seen = server.reviews.at(-1)!.request!.object!;
    expect([seen.metadata!.uid, seen.metadata!.creationTimestamp ?? null]).toEqual([undefined, null]);
    const stored = await suite.send('GET', `${path}/${text(body.metadata!.name)}`);
    expect(stored.body).toEqual(body);
  });

  test('is followed by the next, in the order of the configurations, and by those that check', async () => {
    const [second, first, last] = [
      await serve(({ object }) => patchOf({ op: 'replace', path: '/data/a', value: `${text(object!.data!.a)}2` })),
      await serve(({ object }) => patchOf({ op: 'replace', path: '/data/a', value: `${text(object!.data!.a)}1` })),
      await serve(() => ({ allowed: true })),
    ];
    await configure('Validating', { clientConfig: last.clientConfig() });
    await configure('Mutating', { clientConfig: first.clientConfig() });
    await configure('Mutating', { clientConfig: second.clientConfig() });
    const { body } = await createUntil((reply) => text(reply.body.data!.a) === '112' && last.reviews.length > 0);
    expect(last.reviews.at(-1)!.request!.object!.data).toEqual(body.data);
  });

  test('is asked again when a later one changed the object and it wants to be', async () => {
    const again = await serve(({ object }) =>
      object!.data!.late === undefined
        ? { allowed: true }
        : patchOf({ op: 'add', path: '/data/seen', value: object!.data!.late }),
    );
    const late = await serve(() => patchOf({ op: 'add', path: '/data/late', value: 'yes' }));
    await configure(
      'Mutating',
      { name: 'again.example.com', clientConfig: again.clientConfig(), reinvocationPolicy: 'IfNeeded' },
      { name: 'never.example.com', clientConfig: again.clientConfig('/never') },
      { name: 'late.example.com', clientConfig: late.clientConfig() },
    );
    const { body } = await createUntil(() => late.reviews.length > 0);
    expect(body.data).toEqual({ a: '1', late: 'yes', seen: 'yes' });
    expect(late.reviews).toHaveLength(1);
    expect(again.reviews).toHaveLength(3);
  });

  test('cannot make an invalid object', async () => {
    const server = await serve(() => patchOf({ op: 'add', path: '/metadata/labels', value: { a: 'not valid' } }));
    await configure('Mutating', { clientConfig: server.clientConfig() });
    const { code, body } = await createUntil((reply) => reply.code !== 201);
    expect([code, text(body.message)]).toEqual([
      422,
      expect.stringContaining('metadata.labels: Invalid value: "not valid"'),
    ]);
  });

  test('whose patch cannot be applied fails the request', async () => {
    const server = await serve(() => patchOf({ op: 'replace', path: '/nothing/here', value: 1 }));
    await configure('Mutating', { clientConfig: server.clientConfig() });
    const { code } = await createUntil((reply) => reply.code !== 201);
    expect(code).toBe(500);
  });

  test('is asked about server-side apply and patches as about updates', async () => {
    const server = await serve(({ operation }) => patchOf({ op: 'add', path: '/data/last', value: operation }));
    await configure('Mutating', { clientConfig: server.clientConfig() });
    await createUntil(() => server.reviews.length > 0);
    const apply = (): Promise<Reply> =>
      suite.send(
        'PATCH',
        `${path}/applied?fieldManager=me`,
        configMap('applied', { a: '1' }),
        'application/apply-patch+yaml',
      );
    expect((await apply()).body.data).toEqual({ a: '1', last: 'CREATE' });
    expect((await apply()).body.data).toEqual({ a: '1', last: 'UPDATE' });
  });

  test('changes the pods that controllers make', async () => {
    const server = await serve(() => patchOf({ op: 'add', path: '/metadata/annotations', value: { injected: 'yes' } }));
    await configure('Mutating', {
      clientConfig: server.clientConfig(),
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    });
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const pod = { spec: { containers: [{ name: 'c', image: 'i' }] } };
    await suite.until(
      () => suite.send('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'p-' }, ...pod }),
      ({ body }) => body.metadata!.annotations !== undefined,
    );
    await suite.must('POST', `/apis/apps/v1/namespaces/${namespace}/replicasets`, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'rs' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, ...pod },
      },
    });
    const { body } = await suite.until(
      () => suite.send('GET', `${pods}?labelSelector=app%3Da`),
      (reply) => (reply.body.items as unknown as unknown[]).length === 3,
    );
    const items = body.items as unknown as { metadata: { annotations: object } }[];
    expect(items.map(({ metadata }) => metadata.annotations)).toEqual(Array(3).fill({ injected: 'yes' }));
  });
});
