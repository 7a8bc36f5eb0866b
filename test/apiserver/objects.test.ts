import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { CONFIG_MAPS, configMap, text, TestServer, type Reply } from './api-client.js';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

const at = (name: string): string => `${CONFIG_MAPS}/${name}`;

describe('create', () => {
  test('a created object has uid, time and resourceVersion', async () => {
    const { code, body } = await api.send('POST', CONFIG_MAPS, configMap('fresh'));
    expect([code, typeof body.metadata!.uid, typeof body.metadata!.resourceVersion]).toEqual([201, 'string', 'string']);
  });

  test('a name that exists is rejected', async () => {
    await api.send('POST', CONFIG_MAPS, configMap('taken'));
    expect((await api.send('POST', CONFIG_MAPS, configMap('taken'))).body.reason).toBe('AlreadyExists');
  });

  test('a name is generated from generateName', async () => {
    const { body } = await api.send('POST', CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'gen-' },
    });
    expect(body.metadata!.name).toMatch(/^gen-[a-z0-9]{5}$/);
  });

  test('a dry run stores nothing', async () => {
    await api.send('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('dry'));
    expect((await api.send('GET', at('dry'))).code).toBe(404);
  });

  test('every invalid field is reported with its cause', async () => {
    const { body } = await api.send('POST', CONFIG_MAPS, { ...configMap('X'), data: { 'a b': '' } });
    const causes = body.details!.causes as unknown as { field: string }[];
    expect(causes.map(({ field }) => field)).toEqual(['metadata.name', 'data[a b]']);
  });

  test('an unknown field causes a warning, and is rejected by strict validation', async () => {
    const odd = { ...configMap('odd'), foo: 1 };
    const warned = await api.send('POST', CONFIG_MAPS, odd);
    const refused = await api.send('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, odd);
    expect([warned.headers.warning, refused.code]).toEqual(['299 - "unknown field \\"foo\\""', 400]);
  });

  test.each([2000, 9000])('an object of %i levels is answered without an internal error', async (levels) => {
    const odd = `{"metadata":{"name":"deep"},"data":{"a":"b"},"foo":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    expect([201, 400]).toContain((await api.send('POST', `${CONFIG_MAPS}?dryRun=All`, odd)).code);
    const patched = await api.send('PATCH', `${CONFIG_MAPS}/deep?fieldManager=m&dryRun=All`, odd, {
      'content-type': 'application/apply-patch+yaml',
    });
    expect([201, 400]).toContain(patched.code);
  });

  test('a duplicate member is reported', async () => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"twice"},"data":{"a":"1","a":"2"}}';
    expect((await api.send('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, body)).body.message).toContain(
      'duplicate field "data.a"',
    );
  });

  test('unknown fields and duplicate members are reported in the order of the text', async () => {
    const body =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"o"},"b":{"x":1,"x":2},"data":{"a":"","a":""},"c":1}';
    expect((await api.send('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, body)).body.message).toContain(
      'strict decoding error: unknown field "b", duplicate field "data.a", unknown field "c"',
    );
  });

  test('a namespace that does not exist is rejected', async () => {
    expect((await api.send('POST', '/api/v1/namespaces/nope/configmaps', configMap('a'))).body.message).toBe(
      'namespaces "nope" not found',
    );
  });
});

describe('update', () => {
  test('an update with an old resourceVersion is rejected', async () => {
    const { body } = await api.send('POST', CONFIG_MAPS, configMap('race'));
    await api.send('PUT', at('race'), configMap('race', { a: '1' }));
    expect((await api.send('PUT', at('race'), body)).body.reason).toBe('Conflict');
  });

  test('an update that changes nothing writes nothing', async () => {
    const before = await api.send('POST', CONFIG_MAPS, configMap('same', { a: '1' }));
    const after = await api.send('PUT', at('same'), configMap('same', { a: '1' }));
    expect(after.body.metadata!.resourceVersion).toBe(before.body.metadata!.resourceVersion);
  });

  test('the generation of a Deployment increases with its spec only', async () => {
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { app: 'g' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await api.send('POST', deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'g' },
      spec: { selector: { matchLabels: labels }, template },
    });
    const labelled = await api.patch(`${deployments}/g`, 'merge', { metadata: { labels: { a: 'b' } } });
    const scaled = await api.patch(`${deployments}/g`, 'merge', { spec: { replicas: 4 } });
    expect([labelled.body.metadata!.generation, scaled.body.metadata!.generation]).toEqual([1, 2]);
  });
});

describe('a namespace', () => {
  test('a namespace has a label with its name, generated or given', async () => {
    const metadata = { generateName: 'made-' };
    const { body } = await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    expect(text(body.metadata!.name)).toMatch(/^made-.{5}$/);
    expect(body.metadata!.labels).toEqual({ 'kubernetes.io/metadata.name': body.metadata!.name });
  });
});

describe('patch', () => {
  test('a strategic merge patch merges by merge key', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const containers = [
      { name: 'a', image: 'one' },
      { name: 'b', image: 'two' },
    ];
    await api.send('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } });
    const { body } = await api.patch(`${pods}/p`, 'strategic-merge', {
      spec: { containers: [{ name: 'b', image: 'three' }] },
    });
    expect((body.spec!.containers as unknown as { image: string }[]).map(({ image }) => image)).toEqual([
      'one',
      'three',
    ]);
  });

  test('a JSON patch with a failed test is rejected', async () => {
    await api.send('POST', CONFIG_MAPS, configMap('tested', { a: '1' }));
    expect((await api.patch(at('tested'), 'json', [{ op: 'test', path: '/data/a', value: '2' }])).code).toBe(422);
  });

  test('a patch keeps an integer that a double cannot represent', async () => {
    const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    const body =
      '{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"big","generation":9007199254740993},"spec":{"selector":{}}}';
    expect((await api.send('POST', path, body)).code).toBe(201);
  });
});

describe('delete', () => {
  test('a deletion waits for finalizers', async () => {
    await api.send('POST', CONFIG_MAPS, configMap('held', {}, { finalizers: ['example.com/hold'] }));
    const marked = await api.send('DELETE', at('held'));
    await api.patch(at('held'), 'merge', { metadata: { finalizers: null } });
    expect([typeof marked.body.metadata!.deletionTimestamp, (await api.send('GET', at('held'))).code]).toEqual([
      'string',
      404,
    ]);
  });

  test('no finalizer can be added to an object that is being deleted', async () => {
    await api.send('POST', CONFIG_MAPS, configMap('going', {}, { finalizers: ['example.com/hold'] }));
    await api.send('DELETE', at('going'));
    const { body } = await api.patch(at('going'), 'merge', {
      metadata: { finalizers: ['example.com/hold', 'example.com/more'] },
    });
    expect(body.message).toContain('no new finalizers can be added');
  });

  test('a deletion fails if a precondition does not hold', async () => {
    await api.send('POST', CONFIG_MAPS, configMap('kept'));
    expect((await api.send('DELETE', at('kept'), { preconditions: { uid: 'other' } })).code).toBe(409);
  });
});

describe('an object of a cluster-wide kind', () => {
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const metadata = { name: 'wide', namespace: 'somewhere' };
  const body = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata, value: 1 };

  test('a cluster-scoped object loses its namespace', async () => {
    const created = await api.send('POST', classes, body);
    expect(created.code).toBe(201);
    const replies = [
      created,
      await api.send('PUT', `${classes}/wide`, body),
      await api.patch(`${classes}/wide`, 'merge', { metadata }),
      await api.apply(`${classes}/wide`, 'me', body, true),
    ];
    for (const reply of replies)
      expect([reply.body.metadata!.name, reply.body.metadata!.namespace]).toEqual(['wide', undefined]);
  });
});

describe('a resourceVersion that is not a number', () => {
  test.each([
    ['a list', CONFIG_MAPS, 400],
    ['a watch', `${CONFIG_MAPS}?watch=true`, 500],
    ['an object', `${CONFIG_MAPS}/kube-root-ca.crt`, 500],
  ])('a resourceVersion of %s is rejected unless it is a number', async (_what, path, code) => {
    const reply = await api.send('GET', `${path}${path.includes('?') ? '&' : '?'}resourceVersion=abc`);
    expect(reply.code).toBe(code);
    expect(text(reply.body.message)).toContain('strconv.ParseUint: parsing "abc": invalid syntax');
  });
});

describe('list', () => {
  test('a list has pages of all objects at one resourceVersion', async () => {
    await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'paged' } });
    const path = '/api/v1/namespaces/paged/configmaps';
    for (const name of ['a', 'b', 'c']) await api.send('POST', path, configMap(name));
    const first = await api.send('GET', `${path}?limit=2`);
    await api.send('POST', path, configMap('bb'));
    const rest = await api.send('GET', `${path}?limit=2&continue=${text(first.body.metadata!.continue)}`);
    const names = [first, rest].flatMap(({ body }) =>
      (body.items as unknown as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name),
    );
    expect(names).toEqual(['a', 'b', 'c']);
  });

  test('a continue token without history is answered with 410 and a token to continue', async () => {
    const first = await api.send('GET', `${CONFIG_MAPS}?limit=1`);
    await api.send('POST', CONFIG_MAPS, configMap('later'));
    api.server.compact();
    await api.send('POST', CONFIG_MAPS, configMap('latest'));
    const { code, body } = await api.send(
      'GET',
      `${CONFIG_MAPS}?limit=1&continue=${text(first.body.metadata!.continue)}`,
    );
    expect([code, body.reason]).toEqual([410, 'Expired']);
    // With the token of the response, a client may continue with an inconsistent list.
    const rest = await api.send('GET', `${CONFIG_MAPS}?continue=${text(body.metadata!.continue)}`);
    const all = await api.send('GET', CONFIG_MAPS);
    expect(rest.body.items).toEqual((all.body.items as unknown as unknown[]).slice(1));
  });

  test('a list at a future resourceVersion waits and fails with 504', async () => {
    const clock = new FakeClock();
    const waiting = await TestServer.start({ clock });
    let reply: Reply | undefined;
    void waiting.send('GET', `${CONFIG_MAPS}?resourceVersion=999999`).then((received) => (reply = received));
    while (!reply) await clock.advance(3000);
    await waiting.stop();
    expect(reply.code).toBe(504);
  });

  test('a list can be requested as a Table', async () => {
    const { body } = await api.send('GET', '/api/v1/namespaces', undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    expect((body.columnDefinitions as unknown as { name: string }[]).map(({ name }) => name)).toEqual([
      'Name',
      'Status',
      'Age',
    ]);
  });
});
