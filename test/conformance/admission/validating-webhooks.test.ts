import { describe, expect, test } from '@jest/globals';
import { freePort } from '../../controlplane/free-port.js';
import { configMap, text, type Reply } from '../../e2e/admission/admission-suite.js';
import { WebhookSuite } from './webhook-suite.js';

const suite = new WebhookSuite();
let tries = 0;

describe('a validating webhook', () => {
  test('a validating webhook rejects with its message, code and reason', async () => {
    const server = await suite.serve(() => ({
      allowed: false,
      status: { code: 409, reason: 'Conflict', message: 'not so' },
    }));
    await suite.configure('Validating', { clientConfig: server.clientConfig() });
    const { code, body } = await suite.createUntil((reply) => reply.code !== 201);
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

  test('a validating webhook without a reason rejects without explanation', async () => {
    const server = await suite.serve(() => ({ allowed: false }));
    await suite.configure('Validating', { clientConfig: server.clientConfig() });
    const { code, body } = await suite.createUntil((reply) => reply.code !== 201);
    expect([code, body.message]).toEqual([
      400,
      'admission webhook "hook0.example.com" denied the request without explanation',
    ]);
  });

  test('a validating webhook gets the complete review of a creation', async () => {
    const server = await suite.serve(() => ({ allowed: true, warnings: ['careful'] }));
    await suite.configure('Validating', { clientConfig: server.clientConfig('/check') });
    const { warnings, body } = await suite.createUntil(() => server.reviews.length > 0, {}, '?fieldManager=me');
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
      namespace: suite.namespace,
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

  test('a validating webhook receives the old and the new object of an update, and only the old one of a deletion', async () => {
    const server = await suite.serve(() => ({ allowed: true }));
    await suite.create(configMap('kept', { a: '1' }));
    await suite.configure('Validating', { clientConfig: server.clientConfig() });
    await suite.createUntil(() => server.reviews.length > 0);
    await suite.server.must('PATCH', `${suite.path}/kept`, { data: { a: '2' } }, 'application/merge-patch+json');
    await suite.server.must('DELETE', `${suite.path}/kept`);
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

  test('a validating webhook can keep an object from being deleted', async () => {
    const server = await suite.serve(({ operation }) => ({
      allowed: text(operation) !== 'DELETE',
      status: { message: 'no' },
    }));
    await suite.configure('Validating', { clientConfig: server.clientConfig() });
    const { body } = await suite.createUntil(() => server.reviews.length > 0);
    const { code, body: refusal } = await suite.server.send('DELETE', `${suite.path}/${text(body.metadata!.name)}`);
    expect([code, refusal.message]).toEqual([400, 'admission webhook "hook0.example.com" denied the request: no']);
    const all = await suite.server.send('DELETE', suite.path);
    expect([all.code, all.body.message]).toEqual([code, refusal.message]);
  });

  test('a validating webhook that cannot be reached rejects all requests, except with failurePolicy Ignore', async () => {
    const port = await freePort();
    const { caBundle } = await suite.serve(() => ({}));
    const clientConfig = { url: `https://127.0.0.1:${port}/x`, caBundle };
    await suite.configure('Validating', { clientConfig, timeoutSeconds: 3 });
    const { code, body } = await suite.createUntil((reply) => reply.code !== 201);
    const why = `failed calling webhook "hook0.example.com": failed to call webhook: Post "https://127.0.0.1:${port}/x?timeout=3s": dial tcp 127.0.0.1:${port}: connect: connection refused`;
    expect([code, body.reason, body.message, body.details]).toEqual([
      500,
      'InternalError',
      `Internal error occurred: ${why}`,
      { causes: [{ message: why }] },
    ]);
    await suite.server.must('DELETE', suite.configured.pop()!);
    await suite.configure('Validating', { clientConfig, failurePolicy: 'Ignore' });
    await suite.createUntil((reply) => reply.code === 201);
  });

  test('a validating webhook can be trusted by its own certificate, without the authority that signed it', async () => {
    const server = await suite.serve(() => ({ allowed: false, status: { message: 'reached' } }));
    await suite.configure('Validating', { clientConfig: { ...server.clientConfig(), caBundle: server.certificate } });
    const { body } = await suite.createUntil((reply) => reply.code !== 201);
    expect(text(body.message)).toMatch(/denied the request: reached$/);
  });

  test('the path of a validating webhook is normalized', async () => {
    const paths = new Set<string>();
    const server = await suite.serve((_request, path) => {
      paths.add(path);
      return { allowed: false };
    });
    await suite.configure('Validating', { clientConfig: server.clientConfig('//double//slash/') });
    await suite.createUntil((reply) => reply.code !== 201);
    expect([...paths]).toEqual(['/double/slash?timeout=10s']);
  });

  test('a webhook with an untrusted certificate is not called', async () => {
    const [server, other] = [await suite.serve(() => ({})), await suite.serve(() => ({}))];
    await suite.configure('Validating', { clientConfig: { ...server.clientConfig(), caBundle: other.caBundle } });
    const { body } = await suite.createUntil((reply) => reply.code !== 201);
    expect(text(body.message)).toContain(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
  });

  test('a validating webhook that exceeds its timeout fails', async () => {
    const server = await suite.serve(() => new Promise<object>(() => undefined));
    await suite.configure('Validating', { clientConfig: server.clientConfig(), timeoutSeconds: 1 });
    const { code, body } = await suite.createUntil((reply) => reply.code !== 201);
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
  ])('a validating webhook that answers with %s fails', async (_what, answer, message) => {
    const server = await suite.serve(() => answer);
    await suite.configure('Validating', { clientConfig: server.clientConfig() });
    const { code, body } = await suite.createUntil((reply) => reply.code !== 201);
    expect([code, text(body.message)]).toEqual([500, expect.stringMatching(message)]);
  });

  test('a validating webhook without side effects on dry runs reviews them', async () => {
    const server = await suite.serve(() => ({ allowed: true }));
    await suite.configure('Validating', { clientConfig: server.clientConfig(), sideEffects: 'NoneOnDryRun' });
    await suite.createUntil(() => server.reviews.length > 0, {}, '?dryRun=All');
    expect([server.reviews.at(-1)!.request!.dryRun, server.reviews.at(-1)!.request!.options]).toEqual([
      true,
      { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] },
    ]);
  });
});

describe('the requests that a webhook reviews', () => {
  const refusing = () => suite.serve(() => ({ allowed: false }));

  test('the namespace, labels of the object and conditions select the requests of a webhook', async () => {
    const server = await refusing();
    await suite.configure('Validating', {
      clientConfig: server.clientConfig(),
      namespaceSelector: { matchLabels: { team: 'a', 'kubernetes.io/metadata.name': suite.namespace } },
      objectSelector: { matchExpressions: [{ key: 'checked', operator: 'Exists' }] },
      matchConditions: [
        { name: 'named', expression: "!object.metadata.name.startsWith('free-')" },
        { name: 'not-deleted', expression: "request.operation != 'DELETE'" },
      ],
    });
    const labels = { checked: 'yes' };
    await suite.createUntil((reply) => reply.code === 400, { labels });
    expect((await suite.create(configMap('unlabelled'))).code).toBe(201);
    expect((await suite.create(configMap('free-one', {}, { labels }))).code).toBe(201);
    const other = await suite.server.namespace({ team: 'b' });
    const elsewhere = await suite.server.send(
      'POST',
      `/api/v1/namespaces/${other}/configmaps`,
      configMap('x', {}, { labels }),
    );
    expect(elsewhere.code).toBe(201);
  });

  test('a match condition that cannot be evaluated rejects the request', async () => {
    const server = await refusing();
    await suite.configure('Validating', {
      clientConfig: server.clientConfig(),
      matchConditions: [{ name: 'broken', expression: "object.data.missing == 'x'" }],
    });
    const { code, body } = await suite.createUntil((reply) => reply.code !== 201);
    expect([code, text(body.message)]).toEqual([403, expect.stringMatching(/^configmaps "try-\d+" is forbidden: /)]);
    expect(server.reviews).toEqual([]);
  });

  test('a match condition whose evaluation exceeds the cost limit rejects the request (G7)', async () => {
    const server = await refusing();
    const words = "object.metadata.annotations.words.split(' ')";
    await suite.configure('Validating', {
      clientConfig: server.clientConfig(),
      matchConditions: [{ name: 'costly', expression: `${words}.all(a, ${words}.all(b, a == b || a != b))` }],
    });
    const many = Array.from({ length: 1000 }, (_, index) => index).join(' ');
    const { code, body } = await suite.createUntil((reply) => reply.code !== 201, { annotations: { words: many } });
    expect([code, text(body.message)]).toEqual([403, expect.stringContaining('actual cost limit exceeded')]);
    expect(server.reviews).toEqual([]);
  });

  test('rules of a webhook select operations and subresources', async () => {
    const server = await refusing();
    const rule = { apiGroups: ['apps'], apiVersions: ['*'], operations: ['UPDATE'], resources: ['deployments/status'] };
    await suite.configure('Validating', {
      clientConfig: server.clientConfig(),
      rules: [{ ...rule, scope: 'Namespaced' }],
    });
    const deployments = `/apis/apps/v1/namespaces/${suite.namespace}/deployments`;
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await suite.server.must('POST', deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { replicas: 0, selector: { matchLabels: { app: 'a' } }, template },
    });
    const patch = (sub: string, body: object): Promise<Reply> =>
      suite.server.send('PATCH', `${deployments}/d${sub}`, body, 'application/merge-patch+json');
    await suite.server.until(
      () => patch('/status', { status: { collisionCount: tries++ } }),
      ({ code }) => code === 400,
    );
    expect((await patch('', { metadata: { labels: { a: 'b' } } })).code).toBe(200);
    expect(server.reviews.every(({ request }) => text(request!.subResource) === 'status')).toBe(true);
  });

  test('a webhook for a scale receives Scale objects', async () => {
    const server = await refusing();
    const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['replicasets/scale'] };
    await suite.configure('Validating', { clientConfig: server.clientConfig(), rules: [rule] });
    const path = `/apis/apps/v1/namespaces/${suite.namespace}/replicasets`;
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 0, selector: { matchLabels: { app: 'a' } }, template };
    await suite.server.must('POST', path, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'rs' },
      spec,
    });
    const scale = { spec: { replicas: 1 } };
    await suite.server.until(
      () => suite.server.send('PATCH', `${path}/rs/scale`, scale, 'application/merge-patch+json'),
      ({ code }) => code === 400,
    );
    const { kind, object, oldObject } = server.reviews.at(-1)!.request!;
    expect(kind).toEqual({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
    expect([object!.kind, object!.spec, oldObject!.kind, oldObject!.spec]).toEqual([
      'Scale',
      { replicas: 1 },
      'Scale',
      {},
    ]);
  });

  test('a webhook does not review the objects that configure webhooks', async () => {
    const server = await refusing();
    await suite.configure('Validating', {
      clientConfig: server.clientConfig(),
      rules: [{ apiGroups: ['admissionregistration.k8s.io'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
      namespaceSelector: {},
    });
    await suite.configure('Validating', { clientConfig: server.clientConfig() });
    await suite.createUntil((reply) => reply.code === 400);
    await suite.server.must('DELETE', suite.configured.shift()!);
  });
});
