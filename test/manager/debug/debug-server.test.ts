import { request } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Controller, LogThreshold, Manager, ObjectController, Secret, type Context } from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';

const TOKEN = 'c2VjcmV0LXRva2Vu';

@Controller({ for: Secret, maxConcurrentReconciles: 2 })
class SecretWatcher extends ObjectController<Secret> {
  async reconcile(ctx: Context): Promise<{ requeueAfter: number } | undefined> {
    const { name } = this.object.metadata;
    if (name === 'busy') await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
    if (name === 'failing') throw new Error('cannot rotate');
    return name === 'later' ? { requeueAfter: 3_600_000 } : undefined;
  }
}

interface Keys {
  readonly count: number;
  readonly oldest: readonly { readonly ageSeconds: number; readonly dueInSeconds?: number }[];
}

interface DebugState {
  readonly queues: readonly { readonly waiting: Keys; readonly processing: Keys; readonly delayed: Keys }[];
  readonly informers: readonly object[];
  readonly caches: readonly object[];
}

let cluster: Cluster;
let address: string;
let manager: Manager;
const logger = new RecordingLogger();
const logThreshold = new LogThreshold('warn');
let ended: Promise<void>;
const stop = new AbortController();

const get = (path: string, init?: RequestInit) => fetch(`http://${address}${path}`, init);
const getJson = async (path: string) => (await get(path)).json() as Promise<DebugState>;

beforeAll(async () => {
  cluster = await startCluster();
  const create = (name: string) =>
    cluster.create(Secret, { metadata: { name, namespace: 'default' }, data: { token: TOKEN } });
  for (const name of ['later', 'failing', 'busy']) await create(name);
  const { client } = cluster;
  const options = {
    client,
    logger,
    namespaces: ['default'],
    debugBindAddress: '127.0.0.1:0',
    logThreshold,
    gracefulShutdownTimeout: 1,
  };
  manager = new Manager(options).add(SecretWatcher);
  ended = manager.run(stop.signal);
  address = await eventually(() => {
    const line = logger.lines.find(({ message }) => message === 'Serving debug data');
    if (!line) throw new Error('debug data are not yet served');
    return String(line.fields['address']);
  });
});
afterAll(async () => {
  stop.abort();
  await ended;
  await cluster.stop();
});

test('the index names every path', async () => {
  for (const path of ['/', '/debug', '/debug/']) {
    const response = await get(path);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const paths = [...(await response.text()).matchAll(/^(\/debug\/[\w-]+)/gm)].map(([, found]) => found);
    expect(paths).toEqual([
      ...['/debug/heap', '/debug/profile', '/debug/caches', '/debug/queues', '/debug/informers'],
      '/debug/log-level',
    ]);
  }
});

test('PUT changes the level of the log and logs it', async () => {
  const level = async () => (await get('/debug/log-level')).text();
  expect(await level()).toBe('warn\n');
  const put = (query: string) => get(`/debug/log-level?${query}`, { method: 'PUT' });
  expect(await (await put('level=debug')).text()).toBe('debug\n');
  expect([await level(), logThreshold.level]).toEqual(['debug\n', 'debug']);
  expect(logger.lines.map(({ message }) => message)).toContain('Log level debug set by /debug/log-level');
  const refused = await put('level=trace');
  expect([refused.status, await refused.text()]).toEqual([
    400,
    'level must be one of debug, info, warn, error, silent\n',
  ]);
  expect((await get('/debug/log-level?level=error', { method: 'POST' })).status).toBe(405);
  expect(await level()).toBe('debug\n');
});

test('queues have the keys of each controller by state, with age and cause', async () => {
  await eventually(async () => {
    const { queues } = await getJson('/debug/queues');
    expect(queues).toMatchObject([
      {
        controller: 'secret-watcher',
        maxConcurrentReconciles: 2,
        waiting: { count: 0, oldest: [] },
        processing: { count: 1, oldest: [{ key: 'default/busy', cause: 'Secret initial list' }] },
        delayed: {
          count: 2,
          oldest: [
            { key: 'default/later', cause: 'requeueAfter 3600000 ms' },
            { key: 'default/failing', cause: expect.stringMatching(/^retry after error, attempt \d+$/) },
          ],
        },
      },
    ]);
    expect(queues[0]?.processing.oldest[0]?.ageSeconds).toBeGreaterThan(0);
    expect(queues[0]?.delayed.oldest[0]?.dueInSeconds).toBeGreaterThan(3500);
  });
});

test('an object that changes during its reconcile is both processing and waiting', async () => {
  await eventually(async () => {
    const { queues } = await getJson('/debug/queues');
    expect(queues[0]?.processing.count).toBe(1);
  });
  await cluster.client.patch(
    Secret,
    'busy',
    { data: { token: 'YW5vdGhlcg==' } },
    { namespace: 'default', type: 'merge' },
  );
  await eventually(async () => {
    const { queues } = await getJson('/debug/queues');
    expect(queues[0]).toMatchObject({
      waiting: { count: 1, oldest: [{ key: 'default/busy', cause: 'Secret update default/busy (data)' }] },
      processing: { count: 1, oldest: [{ key: 'default/busy' }] },
    });
  });
});

test('limit is the largest number of keys that are listed of a state', async () => {
  await eventually(async () => {
    const { queues } = await getJson('/debug/queues?limit=1');
    expect(queues[0]?.delayed).toMatchObject({ count: 2, oldest: [{ key: 'default/later' }] });
    expect(queues[0]?.delayed.oldest).toHaveLength(1);
  });
});

test('informers have shape, state and resource version', async () => {
  await eventually(async () => {
    const { informers } = await getJson('/debug/informers');
    expect(informers).toMatchObject([
      {
        ...{ kind: 'Secret', apiVersion: 'v1', shape: 'whole', namespace: 'default', synced: true, objects: 3 },
        ...{ resourceVersion: expect.stringMatching(/^\d+$/), lastEventSeconds: expect.any(Number) },
      },
    ]);
  });
});

test('caches have sizes and the names of fields, but no values of Secrets', async () => {
  await eventually(async () => {
    const { caches } = await getJson('/debug/caches');
    expect(caches).toMatchObject([
      { kind: 'Secret', objects: 3, controllers: ['secret-watcher'], shares: { 'data.token': expect.any(Number) } },
    ]);
  });
  for (const path of ['/debug/caches', '/debug/queues', '/debug/informers'])
    expect(await (await get(path)).text()).not.toContain(TOKEN);
});

test.each([
  ['/debug/queues?limit=0', 'limit must be a whole number from 1 to 10000\n'],
  ['/debug/queues?limit=all', 'limit must be a whole number from 1 to 10000\n'],
  ['/debug/profile?seconds=0.5', 'seconds must be a whole number from 1 to 600\n'],
  ['/debug/profile?seconds=601', 'seconds must be a whole number from 1 to 600\n'],
])('%s is refused with the range of the parameter', async (path, text) => {
  const response = await get(path);
  expect([response.status, await response.text()]).toEqual([400, text]);
});

const statusWith = (headers: Record<string, string>) =>
  new Promise((resolve, reject) => {
    request(`http://${address}/debug/informers`, { headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });

test.each([
  ['attacker.example.com', 403],
  ['127.0.0.1.example.com:6060', 403],
  ['localhost:6060', 200],
  ['[::1]:6060', 200],
])('a request for the host %s is answered with %i', async (host, status) => {
  expect(await statusWith({ host })).toBe(status);
});

test.each([
  ['of a page of another origin', { origin: 'https://attacker.example.com' }, 403],
  ['without a readable origin', { origin: 'null' }, 403],
  ['that another site embeds', { 'sec-fetch-site': 'cross-site' }, 403],
  ['of a page of another port', { 'sec-fetch-site': 'same-site' }, 403],
  ['that the user has typed', { 'sec-fetch-site': 'none' }, 200],
  ['of the own page', { origin: 'http://localhost:6060', 'sec-fetch-site': 'same-origin' }, 200],
])('a request of a browser %s is answered', async (_which, headers, status) => {
  expect(await statusWith(headers)).toBe(status);
});

test('a manager refuses an address that other machines reach', async () => {
  const { client } = cluster;
  for (const debugBindAddress of [':6060', '0.0.0.0:6060', '10.0.0.1:6060', 'example.com:6060']) {
    const run = new Manager({ client, debugBindAddress }).add(SecretWatcher).run(AbortSignal.timeout(5000));
    await expect(run).rejects.toMatchObject({
      ...{ code: 'E_BIND_ADDRESS', message: `debug address '${debugBindAddress}' is not a loopback address` },
      hint: expect.stringContaining("use '127.0.0.1:6060'"),
    });
  }
});

describe('/debug/profile', () => {
  test('a CPU profile has the sampled stacks', async () => {
    const response = await get('/debug/profile?seconds=1');
    expect(response.headers.get('content-disposition')).toMatch(/filename="[^"]+\.cpuprofile"$/);
    expect(await response.json()).toMatchObject({
      ...{ nodes: expect.any(Array), samples: expect.any(Array), startTime: expect.any(Number) },
    });
  });

  test('a second CPU profile is refused until the client of the first one closes the connection', async () => {
    const client = new AbortController();
    const first = get('/debug/profile?seconds=600', { signal: client.signal });
    first.catch(() => undefined);
    const profile = async (method: string) => (await get('/debug/profile?seconds=1', { method })).status;
    await eventually(async () => expect(await profile('GET')).toBe(409));
    client.abort();
    await expect(first).rejects.toThrow();
    await eventually(async () => expect(await profile('GET')).toBe(200));
    expect(await profile('HEAD')).toBe(200);
  });
});

test('a manager that stops ends a CPU profile', async () => {
  const { client } = cluster;
  const logger = new RecordingLogger();
  const stopping = new AbortController();
  const manager = new Manager({ client, logger, debugBindAddress: '127.0.0.1:0', gracefulShutdownTimeout: 1 });
  const run = manager.add(SecretWatcher).run(stopping.signal);
  const served = await eventually(() => {
    const line = logger.lines.find(({ message }) => message === 'Serving debug data');
    if (!line) throw new Error('debug data are not yet served');
    return String(line.fields['address']);
  });
  const call = request(`http://${served}/debug/profile?seconds=600`);
  const broken = new Promise((resolve) =>
    call.on('error', resolve).on('response', (response) => resolve(readJson(response))),
  );
  call.end();
  await eventually(async () => {
    expect((await fetch(`http://${served}/debug/profile?seconds=1`)).status).toBe(409);
  });
  stopping.abort();
  await run;
  expect(await broken).toMatchObject({ code: 'ECONNRESET' });
});

test('queues, informers and caches of other clusters have the name of the cluster', async () => {
  @Controller({ for: Secret, clusters: ['edge'], name: 'edge-secrets' })
  class EdgeSecrets extends ObjectController<Secret> {
    reconcile(): void {
      return undefined;
    }
  }
  manager.clusters.set('edge', cluster.client.config);
  manager.add(EdgeSecrets);
  await eventually(async () => {
    const [own, edge] = (await getJson('/debug/informers')).informers;
    expect(own).not.toHaveProperty('cluster');
    expect(edge).toMatchObject({ kind: 'Secret', cluster: 'edge', synced: true });
  });
  const { queues } = await getJson('/debug/queues');
  expect(queues).toMatchObject([{ controller: 'secret-watcher' }, { controller: 'edge-secrets', cluster: 'edge' }]);
  const { caches } = await getJson('/debug/caches');
  expect(caches).toMatchObject([
    { kind: 'Secret', controllers: ['secret-watcher'] },
    { kind: 'Secret', cluster: 'edge', controllers: ['edge-secrets'] },
  ]);
  await manager.remove(EdgeSecrets);
});
