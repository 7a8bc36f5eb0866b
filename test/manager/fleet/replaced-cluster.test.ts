import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ConfigMap, type Context, Controller, Daemon, type DaemonTask, Manager, ObjectController } from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';
import { createMap, namespace } from './copier.js';

/** Calls of Follower: `<what> <object> of <origin>`. */
const calls: string[] = [];

/** Shows what the reconciles and daemons of a cluster read from its cache. */
@Controller({ for: ConfigMap, name: 'follower', clusters: 'all', cache: { labelSelector: 'fleet=true' } })
class Follower extends ObjectController<ConfigMap> {
  async reconcile(ctx: Context): Promise<void> {
    const names = (await ctx.list(ConfigMap)).map(({ metadata, data }) => `${metadata.name} of ${data?.['of'] ?? ''}`);
    calls.push(`reconcile ${this.what}: cache has ${names.toSorted().join(', ')}`);
  }

  @Daemon()
  async stay(_: Context, { signal }: DaemonTask): Promise<void> {
    calls.push(`daemon ${this.what}`);
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true });
    });
    calls.push(`end of daemon ${this.what}`);
  }

  override deleted(): void {
    calls.push(`deleted ${this.what}`);
  }

  private get what(): string {
    return `${this.object.metadata.name} of ${this.object.data?.['of'] ?? ''}`;
  }
}

let home: Cluster;
let east: Cluster;
let west: Cluster;
let manager: Manager;
let logger: RecordingLogger;
let stop: AbortController;
let running: Promise<void>;

beforeAll(async () => {
  [home, east, west] = (await Promise.all([1, 2, 3].map(() => startCluster({ server: 'embedded' })))) as [
    Cluster,
    Cluster,
    Cluster,
  ];
  await createMap(east, 'same', { of: 'east' });
  await createMap(east, 'only-east', { of: 'east' });
  await createMap(west, 'same', { of: 'west' });
}, 60_000);
afterEach(async () => {
  stop.abort();
  await running;
});
afterAll(() => Promise.all([home, east, west].map((cluster) => cluster.stop())));

async function start(): Promise<void> {
  calls.length = 0;
  logger = new RecordingLogger();
  manager = new Manager({ client: home.client, logger, preflight: false }).add(Follower);
  stop = new AbortController();
  running = manager.run(stop.signal);
  manager.clusters.setKubeconfig('edge', readFileSync(east.kubeconfig, 'utf8'));
  await eventually(() => {
    expect(calls).toEqual(expect.arrayContaining(['daemon same of east', 'daemon only-east of east']));
    expect(calls.filter((call) => call.startsWith('reconcile'))).toHaveLength(2);
  });
}

test('a name that is set to another cluster has the objects of that cluster alone, with new caches and daemons', async () => {
  await start();
  expect(calls).toContain('reconcile same of east: cache has only-east of east, same of east');
  calls.length = 0;
  manager.clusters.setKubeconfig('edge', readFileSync(west.kubeconfig, 'utf8'));
  await eventually(() => {
    expect(calls).toContain('reconcile same of west: cache has same of west');
    expect(calls).toContain('daemon same of west');
  });
  const ends = ['end of daemon only-east of east', 'end of daemon same of east'];
  expect(calls.slice(0, 2).toSorted()).toEqual(ends);
  // The objects of the earlier cluster still exist: nothing has deleted them.
  expect(calls.filter((call) => call.startsWith('deleted'))).toEqual([]);
  calls.length = 0;
  await createMap(east, 'later', { of: 'east' });
  await createMap(west, 'later', { of: 'west' });
  await eventually(() => {
    expect(calls).toContain('daemon later of west');
  });
  expect(calls.filter((call) => call.includes('of east'))).toEqual([]);
  expect(logger.messages('error')).toEqual([]);
  await west.client.delete(ConfigMap, 'later', { namespace });
  await east.client.delete(ConfigMap, 'later', { namespace });
});

test('a kubeconfig with the same text restarts nothing, one with other credentials of the same cluster everything', async () => {
  await start();
  calls.length = 0;
  const text = readFileSync(east.kubeconfig, 'utf8');
  manager.clusters.setKubeconfig('edge', text);
  await createMap(east, 'next', { of: 'east' });
  await eventually(() => {
    expect(calls).toContain('daemon next of east');
  });
  expect(calls.filter((call) => !call.includes('next'))).toEqual([]);
  manager.clusters.setKubeconfig('edge', `${text}\n# rotated\n`);
  await eventually(() => {
    expect(calls.filter((call) => call.startsWith('daemon'))).toHaveLength(4);
  });
  expect(calls.filter((call) => call.startsWith('end of daemon'))).toHaveLength(3);
  expect(calls.filter((call) => call.startsWith('deleted'))).toEqual([]);
});
