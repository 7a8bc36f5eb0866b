import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { eventually } from '../../../src/testing/eventually.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import type { ListWatcher } from '../../../src/cache/list-watcher.js';
import { Informer, type InformerOptions } from '../../../src/cache/informer.js';
import { Client } from '../../../src/client/client.js';
import { loadClusterConfig } from '../../../src/client/cluster-config.js';
import { Replay } from '../../cache/objects.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { TcpGate } from './tcp-gate.js';

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

const ConfigMap: KindRef<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
};

const Gadget: KindRef = {
  group: 'example.com',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Namespaced',
};

const gadgetCrd = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

let cluster: SuiteControlPlane;
let gate: TcpGate;
/** Goes through the gate, as a user of its own in the audit log. */
let client: Client;
let admin: Client;
let namespace: string;
let count = 0;
const informers: Informer[] = [];
/** An informer waits up to 30 seconds between two attempts, where the server is away for long enough. */
const PATIENCE = { timeout: '75s' };

beforeAll(async () => {
  // Versions that etcd has compacted cannot be watched from any more after a restart of the API server.
  const apiserverArgs = ['--etcd-compaction-interval=1s'];
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'], audit: true, apiserverArgs });
  gate = await TcpGate.open(cluster.server);
  const kubeconfig = await cluster.user('informer', 'system:masters');
  client = new Client(await loadClusterConfig({ kubeconfig, master: gate.url }));
  admin = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});

afterAll(async () => {
  client.close();
  admin.close();
  gate.close();
  await cluster.stop();
});

beforeEach(async () => {
  namespace = `test-${String(++count)}`;
  await cluster.kubectl(['create', 'namespace', namespace]);
});

afterEach(async () => {
  await Promise.all(informers.splice(0).map((informer) => informer.stop()));
});

function follow<T extends KubeObject>(kind: KindRef<T>, options: InformerOptions = {}) {
  const informer = new Informer(client, kind, { namespace, ...options });
  const replay = new Replay();
  const events: string[] = [];
  informer.addEventHandler((event) => {
    replay.handle(event);
    events.push(`${event.type} ${event.object.metadata.name}`);
  });
  informers.push(informer as unknown as Informer);
  informer.start();
  return { informer, replay, events };
}

async function create(name: string, labels: Record<string, string> = {}): Promise<ConfigMap> {
  return admin.create(ConfigMap, { metadata: { name, namespace, labels }, data: { v: '1' } });
}

/** The cache and the events of handlers equal a new list. */
async function isUpToDate(informer: Informer<ConfigMap>, replay: Replay, kind = ConfigMap): Promise<void> {
  await eventually(async () => {
    const { items } = await admin.list(kind, { namespace });
    expect(informer.lister.list()).toEqual(items.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)));
    expect([...replay.objects.values()]).toHaveLength(items.length);
  }, PATIENCE);
}

/** The requests of the informers of this test's namespace: `stream`, `list` or `watch`, with the status. */
async function requests(): Promise<string[]> {
  const calls = (await cluster.auditEvents()).filter(
    (call) => call.user === 'informer' && call.namespace === namespace,
  );
  const nameOf = (verb: string, query: URLSearchParams): string =>
    query.has('sendInitialEvents') ? 'stream' : query.get('limit') === '1' ? 'version' : verb;
  return calls.map(({ verb, uri, code }) => `${nameOf(verb, new URL(uri, 'http://server').searchParams)} ${code}`);
}

/** Passes requests on. `missedEvent` and `probeEnd` resolve when the check of a silent watch has an event or ends. */
function recordCalls(through: Client) {
  const calls: string[] = [];
  const probe = new EventEmitter();
  const [missedEvent, probeEnd] = [once(probe, 'event'), once(probe, 'end')];
  const recorder: ListWatcher = {
    list: (kind, request) => (calls.push('list'), through.list(kind, request)),
    currentVersion: (kind, request) => through.currentVersion(kind, request),
    async streamWatch(kind, request, onEvent) {
      const isProbe = !request.allowWatchBookmarks;
      calls.push(isProbe ? 'probe' : request.sendInitialEvents ? 'stream' : 'watch');
      await through.streamWatch(kind, request, (type, object) => {
        onEvent(type, object);
        if (isProbe) probe.emit('event');
      });
      if (isProbe) probe.emit('end');
    },
  };
  return { recorder, calls, missedEvent, probeEnd };
}

describe('an informer on a real API server', () => {
  test('an informer holds the objects of the server, by a streamed list and one watch', async () => {
    await create('before');
    const { informer, replay, events } = follow(ConfigMap);
    await informer.synced();
    expect(events).toEqual(['add before']);
    await create('after');
    await admin.patch(ConfigMap, 'before', { data: { v: '2' } }, { namespace });
    await admin.delete(ConfigMap, 'after', { namespace });
    await eventually(() => expect(events).toEqual(['add before', 'add after', 'update before', 'delete after']));
    await isUpToDate(informer, replay);
    expect(informer.lister.get('before', namespace)).not.toHaveProperty('metadata.managedFields.0');
    expect(await requests()).toEqual(['stream 200']);
  });

  test('an informer contains an own write as soon as it has the response, and delivers it once', async () => {
    const { informer, replay, events } = follow(ConfigMap);
    await informer.synced();
    for (let i = 0; i < 20; i++) {
      const answer = await client.create(ConfigMap, { metadata: { name: `own-${String(i)}`, namespace } });
      informer.observe(answer);
      expect(informer.lister.get(answer.metadata.name, namespace)).toBeDefined();
    }
    await isUpToDate(informer, replay);
    expect(events).toHaveLength(20);
  });

  test('an informer treats an object that leaves its selector as deleted, and as added when it returns', async () => {
    await create('a', { app: 'x' });
    const { informer, events } = follow(ConfigMap, { labelSelector: { matchLabels: { app: 'x' } } });
    await informer.synced();
    await admin.patch(ConfigMap, 'a', { metadata: { labels: { app: 'y' } } }, { namespace });
    await admin.patch(ConfigMap, 'a', { metadata: { labels: { app: 'x' } } }, { namespace });
    await eventually(() => expect(events).toEqual(['add a', 'delete a', 'add a']));
  });

  test('an informer receives changes during a lost connection without a new list', async () => {
    await create('deleted');
    await create('replaced');
    const { informer, replay, events } = follow(ConfigMap);
    await informer.synced();
    gate.shut();
    await admin.delete(ConfigMap, 'deleted', { namespace });
    await admin.delete(ConfigMap, 'replaced', { namespace });
    await create('replaced');
    gate.reopen();
    await eventually(() => expect(events.slice(2)).toEqual(['delete deleted', 'delete replaced', 'add replaced']));
    await isUpToDate(informer, replay);
    expect(informer.lastError).toBeUndefined();
    expect(await requests()).toEqual(['stream 200', 'version 200', 'watch 200']);
  });

  test('a watch whose open connection delivers nothing is resumed within 45 s, without a new list', async () => {
    const stalling = await TcpGate.open(cluster.server);
    const through = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig, master: stalling.url }));
    const { recorder, calls, missedEvent } = recordCalls(through);
    const clock = new FakeClock();
    const informer = new Informer(recorder, ConfigMap, { namespace, clock });
    try {
      informer.start();
      await informer.synced();
      stalling.stall();
      await create('missed');
      await clock.advance(30_000);
      await missedEvent;
      expect(informer.lister.size).toBe(0);
      await eventually(async () => {
        await clock.advance(1000);
        expect(calls).toEqual(['stream', 'probe', 'watch']);
      });
      expect(clock.monotonic()).toBeLessThanOrEqual(45_000);
      await eventually(() => expect(informer.lister.get('missed', namespace)).toBeDefined());
    } finally {
      await informer.stop();
      through.close();
      stalling.close();
    }
  });

  test('an idle watch that missed nothing is not resumed, although other objects change', async () => {
    const { recorder, calls, probeEnd } = recordCalls(admin);
    const clock = new FakeClock();
    const informer = new Informer(recorder, ConfigMap, { namespace, labelSelector: 'app=x', clock });
    try {
      informer.start();
      await informer.synced();
      await create('other');
      await clock.advance(30_000);
      await probeEnd;
      await clock.advance(29_999);
      expect(calls).toEqual(['stream', 'probe']);
      await create('selected', { app: 'x' });
      await eventually(() => expect(informer.lister.size).toBe(1));
      expect(calls).toEqual(['stream', 'probe']);
    } finally {
      await informer.stop();
    }
  });

  test('an informer lists again after a compaction of etcd, and reports missed deletions', async () => {
    await create('kept');
    await create('deleted');
    await create('replaced');
    const { informer, replay, events } = follow(ConfigMap);
    await informer.synced();
    gate.shut();
    await admin.delete(ConfigMap, 'deleted', { namespace });
    await admin.delete(ConfigMap, 'replaced', { namespace });
    await create('replaced');
    await delay(2500); // two rounds of compaction
    await cluster.stopPart('apiserver', 'SIGKILL');
    await cluster.startPart('apiserver');
    gate.reopen();
    await isUpToDate(informer, replay);
    expect(events.slice(3).sort()).toEqual(['add replaced', 'delete deleted', 'delete replaced']);
    expect(await requests()).toEqual(['stream 200', 'version 200', 'watch 200', 'stream 200']); // 410 came as an event
  });

  test('an informer continues after a restart of the API server', async () => {
    await create('a');
    const { informer, replay, events } = follow(ConfigMap);
    await informer.synced();
    await cluster.stopPart('apiserver');
    await eventually(() => expect(informer.lastError).toBeDefined());
    expect(informer.hasSynced).toBe(true);
    await cluster.startPart('apiserver');
    await create('b');
    await isUpToDate(informer, replay);
    expect(events).toEqual(['add a', 'add b']);
    // A fresh server has only the history since its start, so that it may ask for one new list.
    expect((await requests()).filter((request) => request.startsWith('stream')).length).toBeLessThanOrEqual(2);
  });

  test('an informer waits for a kind that is not served yet', async () => {
    const { informer, events } = follow(Gadget);
    await eventually(() => expect(informer.lastError?.message).toContain('could not find the requested resource'));
    expect(informer.hasSynced).toBe(false);
    await cluster.kubectl(['apply', '-f', '-'], gadgetCrd);
    await informer.synced(AbortSignal.timeout(75_000));
    await admin.create(Gadget, { metadata: { name: 'g', namespace } });
    await eventually(() => expect(events).toEqual(['add g']));
    expect(informer.lastError).toBeUndefined();
  });

  test('an informer reports the deletion of objects with their definition, and its return', async () => {
    await admin.create(Gadget, { metadata: { name: 'g', namespace } });
    const { informer, events } = follow(Gadget);
    await informer.synced();
    await cluster.kubectl(['delete', 'crd', 'gadgets.example.com']);
    await eventually(() => expect(events).toEqual(['add g', 'delete g']));
    await eventually(() => expect(informer.lastError).toBeDefined());
    await cluster.kubectl(['apply', '-f', '-'], gadgetCrd);
    await cluster.kubectl(['wait', '--for=condition=Established', 'crd/gadgets.example.com']);
    await eventually(() => admin.create(Gadget, { metadata: { name: 'h', namespace } }));
    await eventually(() => expect(events.slice(2)).toEqual(['add h']), PATIENCE);
    const { items } = await admin.list(Gadget, { namespace });
    expect(informer.lister.list()).toEqual(items);
  });
});
