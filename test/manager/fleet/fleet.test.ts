import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Clusters,
  ConfigMap,
  Controller,
  Lease,
  Manager,
  type ManagerOptions,
  ObjectController,
} from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';
import { Copier, createMap, Gadget, mapsOf, namespace, record } from './copier.js';
import { createMetrics, type Metrics } from '../../../src/base/metrics.js';

let home: Cluster;
let east: Cluster;
let west: Cluster;
let logger: RecordingLogger;
let metrics: Metrics;
let stop: AbortController;
let running: Promise<void>;
let manager: Manager;
let clusters: Clusters;

beforeAll(async () => {
  [home, east, west] = (await Promise.all([1, 2, 3].map(() => startCluster({ server: 'embedded' })))) as [
    Cluster,
    Cluster,
    Cluster,
  ];
  await east.install(Gadget);
}, 60_000);
afterAll(() => Promise.all([home, east, west].map((cluster) => cluster.stop())));

beforeEach(async () => {
  for (const list of [record.reconciled, record.timers, record.aborted]) list.length = 0;
  record.held = undefined;
  logger = new RecordingLogger();
  metrics = await createMetrics({ ofProcess: false });
  stop = new AbortController();
});
afterEach(async () => {
  record.held = undefined;
  stop.abort();
  await running;
  for (const cluster of [home, east, west])
    for (const { metadata } of (await cluster.client.list(ConfigMap, { namespace })).items) {
      const { name, finalizers } = metadata;
      if (finalizers) await cluster.client.patch(ConfigMap, name, { metadata: { finalizers: null } }, { namespace });
      await cluster.client.delete(ConfigMap, name, { namespace }).catch(() => undefined);
    }
});

function start(options: Partial<ManagerOptions> = {}, ...classes: (abstract new () => object)[]): void {
  manager = new Manager({ client: home.client, logger, metrics, preflight: false, ...options });
  ({ clusters } = manager);
  for (const each of classes.length > 0 ? classes : [Copier]) manager.add(each);
  running = manager.run(stop.signal);
}

const exposed = async (): Promise<string[]> => (await metrics.expose()).text.split('\n');

describe('a class with clusters', () => {
  test('a class with clusters reconciles the objects of each cluster, and can write to that cluster and to the own one', async () => {
    await createMap(home, 'a', { from: 'home' });
    await createMap(east, 'a', { from: 'east' });
    await createMap(west, 'a', { from: 'west' });
    start({ leaderElection: { leaseName: 'fleet', namespace } });
    clusters.set('east', east.client.config);
    clusters.set('west', west.client.config);
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual(['a', 'east-a', 'west-a']);
    });
    expect(await mapsOf(east)).toEqual(['a', 'a-copy']);
    expect(await mapsOf(west)).toEqual(['a', 'a-copy']);
    expect(new Set(record.reconciled)).toEqual(new Set(['east a', 'west a']));
    const copy = await home.client.get(ConfigMap, 'east-a', { namespace });
    expect(copy.data).toEqual({ from: 'east' });
    const leases = await Promise.all([home, east].map(({ client }) => client.list(Lease, { namespace })));
    expect(leases.map(({ items }) => items.length)).toEqual([1, 0]);
  });

  test('log lines and metrics of a class with clusters contain the cluster', async () => {
    await createMap(east, 'b');
    start();
    clusters.set('east', east.client.config);
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual(['east-b']);
    });
    expect(logger.lines.find(({ message }) => message === 'Starting workers')?.fields).toMatchObject({
      cluster: 'east',
      controller: 'copier',
    });
    const emptyQueue = 'workqueue_depth{name="copier",controller="copier",cluster="east"} 0';
    await eventually(async () => expect(await exposed()).toContain(emptyQueue)); // a timer may queue the object again
    const lines = await exposed();
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^controller_runtime_reconcile_total\{controller="copier",cluster="east",result="success"\} [1-9]/,
      ),
    );
    expect(lines).toContain('kindwright_watch_missed_events_total{resource="configmaps",cluster="east"} 0');
    expect(lines).toContain('kindwright_cluster_connected{cluster="east"} 1');
  });

  test('finalizers run before an object of another cluster is deleted', async () => {
    await createMap(east, 'c');
    start();
    clusters.set('east', east.client.config);
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual(['east-c']);
    });
    await east.client.delete(ConfigMap, 'c', { namespace });
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual([]);
    });
    await eventually(async () => {
      expect(await mapsOf(east)).not.toContain('c');
    });
  });

  test('a kind is defined and its status is written in the cluster that the class names, and only there', async () => {
    start({}, Gadget);
    clusters.set('west', west.client.config);
    await eventually(() => {
      expect(logger.messages('info')).toContain('Gadget waits for cluster east');
    });
    clusters.set('east', east.client.config);
    await east.create(Gadget, { metadata: { name: 'g', namespace } });
    await eventually(async () => {
      expect((await east.client.get(Gadget, 'g', { namespace })).status).toEqual({ cluster: 'east' });
    });
    expect(logger.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  test('a cluster that cannot be reached neither delays the others nor the readiness, and is reported', async () => {
    await createMap(west, 'd');
    start({ healthProbeBindAddress: '127.0.0.1:0' });
    clusters.set('east', { ...east.client.config, server: new URL('https://127.0.0.1:1') });
    clusters.set('west', west.client.config);
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual(['west-d']);
    });
    const served = logger.lines.find(({ message }) => message === 'Serving health probes');
    const address = String(served?.fields['address']);
    const ready = await fetch(`http://${address}/readyz?verbose`);
    expect([ready.status, await ready.text()]).toEqual([
      200,
      expect.stringMatching(/^the cache of configmaps of cluster east has not synced: .*127.0.0.1:1.*\nok\n$/),
    ]);
    const errors = logger.lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ message, fields }) => [message, fields['cluster']])).toEqual([
      [expect.stringMatching(/^cannot list and watch configmaps: .*127.0.0.1:1/), 'east'],
    ]);
    expect(await exposed()).toContain('kindwright_cluster_connected{cluster="east"} 0');
    clusters.set('east', east.client.config);
    await createMap(east, 'd');
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual(['east-d', 'west-d']);
    });
  });
});

describe('a cluster that is removed', () => {
  test('a removed cluster has no watches, timers and metrics, and starts again when it is added again', async () => {
    await createMap(east, 'e');
    await createMap(west, 'e');
    start();
    clusters.set('east', east.client.config);
    clusters.set('west', west.client.config);
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual(['east-e', 'west-e']);
      expect(record.timers).toContain('east');
    });
    clusters.remove('east');
    await eventually(() => {
      expect(logger.messages('info')).toContain('Stopped watching cluster');
    });
    expect((await exposed()).filter((line) => line.includes('cluster="east"'))).toEqual([]);
    record.timers.length = 0;
    await createMap(east, 'later');
    await createMap(west, 'later');
    await eventually(async () => {
      expect(await mapsOf(home)).toContain('west-later');
      expect(record.timers.filter((cluster) => cluster === 'west').length).toBeGreaterThan(2);
    });
    expect(record.timers).not.toContain('east');
    expect(await mapsOf(home)).not.toContain('east-later');
    clusters.set('east', east.client.config);
    await eventually(async () => {
      expect(await mapsOf(home)).toContain('east-later');
    });
    expect(logger.messages('error')).toEqual([]);
  });

  test('the reconciles of a replaced cluster are aborted, and its successor does not start before they have ended', async () => {
    let release = (): void => undefined;
    record.held = new Promise((resolve) => {
      release = resolve;
    });
    await createMap(east, 'f');
    start();
    clusters.set('east', east.client.config);
    await eventually(() => {
      expect(record.reconciled).toEqual(['east f']);
    });
    clusters.set('east', { ...east.client.config, source: 'replaced' });
    expect(record.aborted).toEqual(['east f']);
    await createMap(east, 'g');
    await new Promise(setImmediate);
    expect(record.reconciled).toEqual(['east f']);
    release();
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual(['east-f', 'east-g']);
    });
    expect(logger.messages('error')).toEqual([]);
  });
});

describe('a running manager', () => {
  test('a class with clusters can be added to a running manager and removed from it', async () => {
    /** Keeps the manager leading. */
    @Controller({ for: ConfigMap, name: 'idle' })
    class Idle extends ObjectController<ConfigMap> {
      reconcile(): void {
        return undefined;
      }
    }
    await createMap(east, 'h');
    start({}, Idle);
    clusters.set('east', east.client.config);
    manager.add(Copier);
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual(['east-h']);
    });
    await manager.remove(Copier);
    expect((await exposed()).filter((line) => line.includes('copier'))).toEqual([]);
    expect(logger.messages('info')).toContain('Stopped watching cluster');
    const count = record.reconciled.length;
    await createMap(east, 'i');
    manager.add(Copier);
    await eventually(async () => {
      expect(await mapsOf(home)).toEqual(['east-h', 'east-i']);
    });
    expect(record.reconciled.slice(count).toSorted()).toEqual(expect.arrayContaining(['east h', 'east i']));
  });

  test('a manager that stops finishes the reconciles of other clusters', async () => {
    let release = (): void => undefined;
    record.held = new Promise((resolve) => {
      release = resolve;
    });
    await createMap(east, 'j');
    start();
    clusters.set('east', east.client.config);
    await eventually(() => {
      expect(record.reconciled).toEqual(['east j']);
    });
    stop.abort();
    let hasStopped = false;
    void running.then(() => (hasStopped = true));
    await new Promise(setImmediate);
    expect([hasStopped, record.aborted]).toEqual([false, []]);
    release();
    await running;
    expect(await mapsOf(home)).toEqual(['east-j']);
  });

  test('a process that does not lead reconciles no objects of other clusters', async () => {
    const leaderElection = { leaseName: 'held', namespace };
    const leader = new Manager({ client: home.client, leaderElection, preflight: false }).add(Gadget);
    const leading = new AbortController();
    const led = leader.run(leading.signal);
    await eventually(async () => {
      expect((await home.client.list(Lease, { namespace })).items.map(({ metadata }) => metadata.name)).toContain(
        'held',
      );
    });
    await createMap(east, 'k');
    start({ leaderElection });
    clusters.set('east', east.client.config);
    await eventually(async () => {
      expect(await exposed()).toContain('kindwright_cluster_connected{cluster="east"} 1');
    });
    expect(record.reconciled).toEqual([]);
    leading.abort();
    await led;
    await eventually(() => {
      expect(record.reconciled).toContain('east k');
    });
  });
});
