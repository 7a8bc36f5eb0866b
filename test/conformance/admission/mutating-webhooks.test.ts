import { describe, expect, test } from '@jest/globals';
import { configMap, patchOf, text, type Reply } from '../../e2e/admission/admission-suite.js';
import { WebhookSuite } from './webhook-suite.js';

const suite = new WebhookSuite();

describe('a mutating webhook', () => {
  test('a mutating webhook patches the object before it is defaulted, validated and stored', async () => {
    const server = await suite.serve(({ object }) =>
      patchOf(
        { op: 'add', path: '/metadata/labels', value: { by: 'hook' } },
        { op: 'replace', path: '/data/a', value: text(object!.data!.a) + '!' },
      ),
    );
    await suite.configure('Mutating', { clientConfig: server.clientConfig() });
    const { body } = await suite.createUntil(() => server.reviews.length > 0);
    expect([body.data, body.metadata!.labels]).toEqual([{ a: '1!' }, { by: 'hook' }]);
    const seen = server.reviews.at(-1)!.request!.object!;
    expect([seen.metadata!.uid, seen.metadata!.creationTimestamp ?? null]).toEqual([undefined, null]);
    const stored = await suite.server.send('GET', `${suite.path}/${text(body.metadata!.name)}`);
    expect(stored.body).toEqual(body);
  });

  test('mutating webhooks are called in the order of their configurations, before validating ones', async () => {
    const [second, first, last] = [
      await suite.serve(({ object }) =>
        patchOf({ op: 'replace', path: '/data/a', value: `${text(object!.data!.a)}2` }),
      ),
      await suite.serve(({ object }) =>
        patchOf({ op: 'replace', path: '/data/a', value: `${text(object!.data!.a)}1` }),
      ),
      await suite.serve(() => ({ allowed: true })),
    ];
    await suite.configure('Validating', { clientConfig: last.clientConfig() });
    await suite.configure('Mutating', { clientConfig: first.clientConfig() });
    await suite.configure('Mutating', { clientConfig: second.clientConfig() });
    const { body } = await suite.createUntil((reply) => text(reply.body.data!.a) === '112' && last.reviews.length > 0);
    expect(last.reviews.at(-1)!.request!.object!.data).toEqual(body.data);
  });

  test('a mutating webhook with reinvocation is called again when a later one changed the object', async () => {
    const again = await suite.serve(({ object }) =>
      object!.data!.late === undefined
        ? { allowed: true }
        : patchOf({ op: 'add', path: '/data/seen', value: object!.data!.late }),
    );
    const late = await suite.serve(() => patchOf({ op: 'add', path: '/data/late', value: 'yes' }));
    await suite.configure(
      'Mutating',
      { name: 'again.example.com', clientConfig: again.clientConfig(), reinvocationPolicy: 'IfNeeded' },
      { name: 'never.example.com', clientConfig: again.clientConfig('/never') },
      { name: 'late.example.com', clientConfig: late.clientConfig() },
    );
    const { body } = await suite.createUntil(() => late.reviews.length > 0);
    expect(body.data).toEqual({ a: '1', late: 'yes', seen: 'yes' });
    expect(late.reviews).toHaveLength(1);
    expect(again.reviews).toHaveLength(3);
  });

  test('a mutating webhook cannot make an invalid object', async () => {
    const server = await suite.serve(() => patchOf({ op: 'add', path: '/metadata/labels', value: { a: 'not valid' } }));
    await suite.configure('Mutating', { clientConfig: server.clientConfig() });
    const { code, body } = await suite.createUntil((reply) => reply.code !== 201);
    expect([code, text(body.message)]).toEqual([
      422,
      expect.stringContaining('metadata.labels: Invalid value: "not valid"'),
    ]);
  });

  test('a patch that cannot be applied fails the request', async () => {
    const server = await suite.serve(() => patchOf({ op: 'replace', path: '/nothing/here', value: 1 }));
    await suite.configure('Mutating', { clientConfig: server.clientConfig() });
    const { code } = await suite.createUntil((reply) => reply.code !== 201);
    expect(code).toBe(500);
  });

  test('a mutating webhook receives server-side apply and patches as updates', async () => {
    const server = await suite.serve(({ operation }) => patchOf({ op: 'add', path: '/data/last', value: operation }));
    await suite.configure('Mutating', { clientConfig: server.clientConfig() });
    await suite.createUntil(() => server.reviews.length > 0);
    const apply = (): Promise<Reply> =>
      suite.server.send(
        'PATCH',
        `${suite.path}/applied?fieldManager=me`,
        configMap('applied', { a: '1' }),
        'application/apply-patch+yaml',
      );
    expect((await apply()).body.data).toEqual({ a: '1', last: 'CREATE' });
    expect((await apply()).body.data).toEqual({ a: '1', last: 'UPDATE' });
  });

  test('a mutating webhook changes the pods that controllers create', async () => {
    const server = await suite.serve(() =>
      patchOf({ op: 'add', path: '/metadata/annotations', value: { injected: 'yes' } }),
    );
    await suite.configure('Mutating', {
      clientConfig: server.clientConfig(),
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    });
    const pods = `/api/v1/namespaces/${suite.namespace}/pods`;
    const pod = { spec: { containers: [{ name: 'c', image: 'i' }] } };
    await suite.server.until(
      () =>
        suite.server.send('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'p-' }, ...pod }),
      ({ body }) => body.metadata!.annotations !== undefined,
    );
    await suite.server.must('POST', `/apis/apps/v1/namespaces/${suite.namespace}/replicasets`, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'rs' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, ...pod },
      },
    });
    const { body } = await suite.server.until(
      () => suite.server.send('GET', `${pods}?labelSelector=app%3Da`),
      (reply) => (reply.body.items as unknown as unknown[]).length === 3,
    );
    const items = body.items as unknown as { metadata: { annotations: object } }[];
    expect(items.map(({ metadata }) => metadata.annotations)).toEqual(Array(3).fill({ injected: 'yes' }));
  });
});
