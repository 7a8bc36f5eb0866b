import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  ConflictError,
  CustomResource,
  Field,
  Kind,
  NotFoundError,
  Owns,
  type Context,
} from 'kindwright';
import { silentLogger } from '../../src/base/logger.js';
import { Cluster as RunningCluster } from '../../src/testing/cluster.js';
import { eventually, FakeClock, startCluster, type Cluster, type FaultRule } from 'kindwright/testing';

class SiteStatus {
  @Field({ optional: true }) page?: string;
}

/** Writes one child with a generated name, changes it, and writes the status. */
@Kind({ group: 'faults.example.com', version: 'v1' })
@Owns(ConfigMap)
class Site extends CustomResource {
  @Field() status!: SiteStatus;

  async reconcile(ctx: Context): Promise<void> {
    const [present] = await ctx.list(ConfigMap, { ownedBy: this });
    const page = present ?? (await ctx.create(ConfigMap, { metadata: { generateName: 'page-' } }));
    await ctx.patch(ConfigMap, page.metadata.name, { data: { title: this.metadata.name } });
    ctx.event('Normal', 'Written', `wrote ${page.metadata.name}`);
    this.status.page = page.metadata.name;
  }
}

const namespace = 'default';
const realOptions = {
  ...{ clock: new FakeClock(), logger: silentLogger, strict: undefined, webhooks: undefined, accesses: undefined },
};
const metadata = { name: 'a', namespace };
let cluster: Cluster;

beforeEach(async () => {
  cluster = await startCluster({ server: 'embedded' });
});
afterEach(() => cluster.stop());

/** Resolves when the operator has written everything. */
async function converged(): Promise<void> {
  await eventually(async () => {
    const pages = (await cluster.client.list(ConfigMap, { namespace })).items.filter(({ metadata: { name } }) =>
      name.startsWith('page-'),
    );
    expect(pages.map(({ data }) => data)).toEqual([{ title: 'a' }]);
    const { status } = await cluster.client.get(Site, 'a', { namespace });
    expect(status).toEqual({ page: pages[0]?.metadata.name });
  });
}

describe('a fault of an operator’s writes', () => {
  const effects: [string, FaultRule][] = [
    ['is rejected with 409', { status: 409 }],
    ['is rejected with 503', { status: 503 }],
    ['loses its connection before it is stored', { drop: 'before' }],
    ['loses its connection after it was stored', { drop: 'after' }],
  ];
  const cases = effects.flatMap(([what, effect]) => [1, 2, 3].map((nth) => [nth, what, effect] as const));

  test.each(cases)('an operator makes no duplicate child when its write %i %s', async (nth, _, effect) => {
    await cluster.run(Site);
    using fault = cluster.faults.add({ verb: 'write', nth, ...effect });
    await cluster.create(Site, { metadata });
    await converged();
    expect(fault.hits).toBe(1);
  });

  test('only requests of its verb, resource, namespace and name are disturbed', async () => {
    await cluster.run(Site);
    const faults = cluster.faults;
    const others = [
      faults.add({ verb: 'delete', status: 500 }),
      faults.add({ resource: 'sites.other.example.com/*', status: 500 }),
      faults.add({ verb: ['create', 'update'], resource: 'sites.faults.example.com', status: 500 }),
      faults.add({ verb: 'write', namespace: 'kube-system', status: 500 }),
      faults.add({ verb: 'patch', name: 'b', status: 500 }),
    ];
    const status = faults.add({ resource: 'sites/status', times: 2, status: 500 });
    const event = faults.add({ verb: 'create', resource: 'events', times: 1, status: 500 });
    const created = faults.add({ verb: 'create', times: 1, status: 500 });
    await cluster.create(Site, { metadata });
    await converged();
    await eventually(() => expect(event.hits).toBe(1));
    expect(others.map(({ hits }) => hits)).toEqual([0, 0, 0, 0, 0]);
    expect([status.hits, created.hits]).toEqual([2, 1]);
  });

  test('a fault disturbs all matching requests until it is removed', async () => {
    await cluster.run(Site);
    const fault = cluster.faults.add({ verb: 'create', resource: 'configmaps', status: 500 });
    await cluster.create(Site, { metadata });
    await eventually(() => expect(fault.hits).toBeGreaterThan(2));
    fault.remove();
    await converged();
    const later = cluster.faults.add({ verb: 'write', status: 500 });
    cluster.faults.clear();
    await cluster.client.delete(Site, 'a', { namespace });
    expect(later.hits).toBe(0);
  });
});

describe('a fault of any client but cluster.client', () => {
  let client: Client;
  beforeEach(() => {
    client = new Client(cluster.client.config);
  });
  afterEach(() => client.close());

  test('the response is a Status as that of the server', async () => {
    const data = { metadata: { name: 'kube-root-ca.crt' }, data: {} };
    cluster.faults.add({ verb: 'get', status: 404 });
    cluster.faults.add({ verb: 'update', status: 409 });
    cluster.faults.add({
      verb: 'list',
      status: 418,
      reason: 'Teapot',
      message: 'short and stout',
      retryAfterSeconds: 7,
    });
    const missing = await client.get(ConfigMap, 'a', { namespace }).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({
      reason: 'NotFound',
      message: 'configmaps "a" not found',
      details: { name: 'a', kind: 'configmaps' },
    });
    const rejected = await client
      .update(ConfigMap, { ...data, metadata: { ...metadata } })
      .catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(ConflictError);
    expect(rejected).toMatchObject({
      reason: 'Conflict',
      message: expect.stringContaining('Operation cannot be fulfilled on configmaps "a": the object has been modified'),
    });
    await expect(client.list(ConfigMap, { namespace, retries: 0 })).rejects.toMatchObject({
      ...{ status: 418, reason: 'Teapot', message: 'short and stout', retryAfterMs: 7000 },
    });
    await expect(cluster.client.list(ConfigMap, { namespace })).resolves.toBeDefined();
  });

  test.each<[NonNullable<FaultRule['drop']>, boolean]>([
    ['before', false],
    ['after', true],
  ])('a connection that is dropped %s a write was processed leaves an object: %s', async (drop, isStored) => {
    cluster.faults.add({ verb: 'create', drop });
    await expect(client.create(ConfigMap, { metadata })).rejects.toMatchObject({ code: 'E_CONNECTION' });
    const names = (await cluster.client.list(ConfigMap, { namespace })).items.map((each) => each.metadata.name);
    expect(names.includes('a')).toBe(isStored);
  });

  test('open watches can be ended, with an error or without', async () => {
    const reasons: unknown[] = [];
    const watch = async (kind: typeof ConfigMap): Promise<void> => {
      const ended = client.streamWatch(kind, { namespace, signal: new AbortController().signal }, () => undefined);
      reasons.push(await ended.catch((error: unknown) => error));
    };
    void watch(ConfigMap);
    await eventually(() => expect(cluster.faults.closeWatches({ resource: 'configmaps', status: 410 })).toBe(1));
    await eventually(() => expect(reasons).toMatchObject([{ status: 410, reason: 'Expired' }]));
    void watch(ConfigMap);
    await eventually(() =>
      expect(cluster.faults.closeWatches({ resource: 'secrets' }) + cluster.faults.closeWatches()).toBe(1),
    );
    await eventually(() => expect(reasons).toMatchObject([{ status: 410 }, undefined]));
  });
});

test('an operator sees changes after its watches ended with 410', async () => {
  await cluster.run(Site);
  await cluster.create(Site, { metadata: { name: 'b', namespace } });
  await eventually(async () => expect((await cluster.client.get(Site, 'b', { namespace })).status?.page).toBeDefined());
  await cluster.client.delete(Site, 'b', { namespace });
  expect(cluster.faults.closeWatches({ status: 410 })).toBe(2);
  await cluster.create(Site, { metadata });
  await eventually(async () => expect((await cluster.client.get(Site, 'a', { namespace })).status?.page).toBeDefined());
});

test('a delayed request is processed when the clock of the cluster has advanced, unless the client disconnects', async () => {
  const clock = new FakeClock();
  await using delayed = await startCluster({ server: 'embedded', clock });
  const client = new Client(delayed.client.config);
  const fault = delayed.faults.add({ verb: 'create', delay: '60s' });
  const abort = new AbortController();
  const first = client.create(ConfigMap, { metadata });
  const second = client.create(ConfigMap, { metadata: { name: 'b', namespace } }, { signal: abort.signal });
  await eventually(() => expect(fault.hits).toBe(2));
  const names = async (): Promise<string[]> =>
    (await delayed.client.list(ConfigMap, { namespace })).items.map((each) => each.metadata.name);
  expect(await names()).not.toContain('a');
  abort.abort(new Error('not needed'));
  await expect(second).rejects.toThrow('not needed');
  await delayed.client.get(ConfigMap, 'a', { namespace }).catch(() => undefined); // after the disconnect
  await clock.advance(60_000);
  expect((await first).metadata.name).toBe('a');
  expect(await names()).not.toContain('b');
  client.close();
});

test('a real API server has no faults', () => {
  const { kubeconfig, client } = cluster;
  const real = new RunningCluster(client, { kubeconfig, stop: () => Promise.resolve() }, realOptions);
  expect(() => real.faults).toThrow('faults need the embedded server');
});

test.each<[object, string]>([
  [{ delay: -1 }, 'delay -1 is not a duration'],
  [{ delayMs: 5 }, 'delayMs does not exist'],
])('the time of the fault %j is an error', (rule, message) => {
  expect(() => cluster.faults.add(rule)).toThrow(message);
});

test.each<[object, string]>([
  [{}, 'the rule has no effect'],
  [{ status: 200 }, 'status is 200'],
  [{ status: 409, nth: 0 }, 'nth is 0'],
  [{ status: 409, times: 1.5 }, 'times is 1.5'],
  [{ status: 409, drop: 'after' }, 'status and drop cannot be combined'],
  [{ drop: 'later' }, "unknown value 'later' of drop"],
  [{ drop: 'after', reason: 'Conflict' }, 'reason requires status'],
  [{ verb: 'post', status: 409 }, "unknown verb 'post'"],
  [{ kind: 'Site', status: 409 }, 'unknown option kind'],
])('the fault %j is an error', async (rule, message) => {
  expect(() => cluster.faults.add(rule)).toThrow(
    expect.objectContaining({ code: 'E_FAULT', message: `invalid fault: ${message}` }),
  );
  expect(() => cluster.faults.closeWatches({ status: 1 })).toThrow('status is 1');
});
