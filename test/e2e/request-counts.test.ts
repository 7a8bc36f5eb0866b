import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Deployment, Node, Pod, RuntimeClass, type Client } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { HelloApp } from '../../operators/helloapp.js';
import { Mydemo } from '../../operators/mydemo.js';
import { NodePool } from '../../operators/nodepool.js';
import { PodBugger } from '../../operators/podbugger.js';
import { PodSet } from '../../operators/podset.js';
import { startSuite, type OperatorSuite } from './operator-suite.js';

/** The number of requests, by verb and resource. */
type Counts = Record<string, number>;

/** What an operator sends in each phase of the life of one object. */
interface LifeCycle {
  readonly operator: string;
  readonly prepare?: (client: Client) => Promise<unknown>;
  readonly create: (client: Client) => Promise<unknown>;
  readonly created: Counts;
  readonly restarted: Counts;
  /** Changes fields that are not the operator's, of the objects that it has written and of its own. */
  readonly interfere: (client: Client) => Promise<unknown>;
  /** Default: none. */
  readonly interfered?: Counts;
  readonly change: (client: Client) => Promise<unknown>;
  readonly changed: Counts;
  readonly remove: (client: Client) => Promise<unknown>;
  readonly removed: Counts;
}

const namespace = 'default';
const SYSTEM = 'demo-operator-system';
const NOTE = { metadata: { annotations: { 'example.com/note': 'x' }, labels: { 'example.com/note': 'x' } } };
const nodePool = { taints: [{ key: 'a', value: '1', effect: 'NoSchedule' }], labels: { 'example.com/a': '1' } };

const LIFE_CYCLES: readonly LifeCycle[] = [
  {
    operator: 'podset',
    create: (client) => client.create(PodSet, { metadata: { name: 'a', namespace }, spec: { size: 0 } }),
    created: { 'patch deployments': 1 },
    restarted: {},
    interfere: async (client) => {
      await client.patch(Deployment, 'a', NOTE, { namespace });
      await client.patch(PodSet, 'a', NOTE, { namespace });
    },
    change: (client) => client.patch(PodSet, 'a', { spec: { size: 1 } }, { namespace }),
    changed: { 'patch deployments': 1, 'patch podsets/status': 1 },
    remove: (client) => client.delete(PodSet, 'a', { namespace }),
    removed: {},
  },
  {
    operator: 'helloapp',
    create: (client) =>
      client.create(HelloApp, { metadata: { name: 'a', namespace: SYSTEM }, spec: { image: 'x', size: 0 } }),
    created: { 'patch deployments': 1, 'patch helloapps/status': 1 },
    restarted: {},
    interfere: async (client) => {
      await client.patch(Deployment, 'a', NOTE, { namespace: SYSTEM });
      await client.patch(HelloApp, 'a', NOTE, { namespace: SYSTEM });
    },
    change: (client) => client.patch(HelloApp, 'a', { spec: { image: 'y' } }, { namespace: SYSTEM }),
    changed: { 'patch deployments': 1 },
    remove: (client) => client.delete(HelloApp, 'a', { namespace: SYSTEM }),
    removed: {},
  },
  {
    operator: 'nodepool',
    prepare: (client) => client.create(Node, { metadata: { name: 'n', labels: { 'node-role.kubernetes.io/a': '' } } }),
    create: (client) => client.create(NodePool, { metadata: { name: 'a' }, spec: { ...nodePool, handler: 'runc' } }),
    created: {
      ...{ 'patch nodepools': 1, 'patch nodepools/status': 1, 'patch nodes': 1 },
      ...{ 'patch runtimeclasses': 1, 'create events': 1 },
    },
    restarted: {},
    interfere: async (client) => {
      // A pool removes labels without `kubernetes` in their key from its nodes.
      await client.patch(Node, 'n', { metadata: { annotations: { 'example.com/note': 'x' } } });
      await client.patch(Node, 'n', { spec: { podCIDR: '10.9.0.0/24' } });
      await client.patch(RuntimeClass, 'a', NOTE);
      await client.patch(NodePool, 'a', NOTE);
    },
    change: (client) => client.patch(NodePool, 'a', { spec: { labels: { 'example.com/a': '2' } } }),
    // The condition Ready gets the generation that it describes.
    changed: { 'patch nodes': 1, 'patch nodepools/status': 1, 'patch runtimeclasses': 1 },
    remove: (client) => client.delete(NodePool, 'a'),
    removed: { 'patch nodes': 1, 'patch nodepools': 1, 'create events': 1 },
  },
  {
    operator: 'podbugger',
    prepare: async (client) => {
      await client.create(Node, { metadata: { name: 'n' } });
      const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'x' }], tolerations: [{ operator: 'Exists' }] };
      await client.create(Pod, { metadata: { name: 'p', namespace, labels: { app: 'x' } }, spec });
      await eventually(async () => {
        expect((await client.get(Pod, 'p', { namespace })).status?.phase).toBe('Running');
      });
    },
    create: (client) =>
      client.create(PodBugger, {
        metadata: { name: 'a', namespace },
        spec: { selector: { matchLabels: { app: 'x' } }, image: 'busybox' },
      }),
    created: { 'patch pods/ephemeralcontainers': 1, 'patch podbuggers/status': 1, 'create events': 1 },
    restarted: {},
    interfere: async (client) => {
      await client.patch(Pod, 'p', NOTE, { namespace });
      await client.patch(PodBugger, 'a', NOTE, { namespace });
    },
    change: (client) =>
      client.patch(PodBugger, 'a', { spec: { selector: { matchLabels: { app: 'y' } } } }, { namespace }),
    changed: { 'patch podbuggers/status': 1 },
    remove: (client) => client.delete(PodBugger, 'a', { namespace }),
    removed: {},
  },
  {
    operator: 'mydemo',
    create: (client) =>
      client.create(Mydemo, { metadata: { name: 'a', namespace }, spec: { ip: '127.0.0.1', port: 80 } }),
    created: { 'create events': 1 },
    // Its reconcile records an Event; a new process does not know the one to count.
    restarted: { 'create events': 1 },
    interfere: (client) => client.patch(Mydemo, 'a', NOTE, { namespace }),
    interfered: { 'patch events': 1 },
    change: (client) => client.patch(Mydemo, 'a', { spec: { port: 81 } }, { namespace }),
    changed: { 'patch events': 1 },
    remove: (client) => client.delete(Mydemo, 'a', { namespace }),
    removed: {},
  },
];

/** Lists and watches depend on the time that a phase takes; reviews and leases do not depend on objects. */
const IGNORED_VERBS = ['list', 'watch'];
const IGNORED_RESOURCES = /^(selfsubject\w+reviews|leases)$/;

describe.each(LIFE_CYCLES)('the requests of $operator', (cycle) => {
  let suite: OperatorSuite;
  let before: Counts = {};
  beforeAll(async () => {
    suite = await startSuite(cycle.operator);
    await cycle.prepare?.(suite.client);
  });
  beforeEach(async () => {
    before = await total();
  });
  afterAll(() => suite.stop());

  async function total(): Promise<Counts> {
    const counts: Counts = {};
    const add = (request: string, count: number): void => {
      counts[request] = (counts[request] ?? 0) + count;
    };
    for (const { verb, resource, subresource, code } of await suite.account.calls()) {
      if (resource === undefined || IGNORED_VERBS.includes(verb) || IGNORED_RESOURCES.test(resource)) continue;
      const request = [verb, [resource, subresource].filter(Boolean).join('/')].join(' ');
      if (code !== 409) add(request, 1);
      // The heartbeat of a node can come before the patch, which is then repeated after a read.
      else if (resource === 'nodes') add('get nodes', -1);
    }
    return counts;
  }

  /** Asserts the requests of the test, now and after the operator has had time to send more. */
  async function expectSent(expected: Counts): Promise<void> {
    const sent = async (): Promise<Counts> => {
      const counts = Object.entries(await total()).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
      return Object.fromEntries(counts.filter(([, count]) => count > 0));
    };
    await eventually(async () => expect(await sent()).toEqual(expected));
    await suite.quiet();
    expect(await sent()).toEqual(expected);
  }

  test(`${cycle.operator} sends nothing that is not needed for a new object`, async () => {
    await cycle.create(suite.client);
    await expectSent(cycle.created);
  });

  test(`${cycle.operator} sends nothing after a restart with everything in place`, async () => {
    await suite.restart();
    await expectSent(cycle.restarted);
  });

  test(`${cycle.operator} sends nothing when another client changes fields that are not its own`, async () => {
    await cycle.interfere(suite.client);
    await expectSent(cycle.interfered ?? {});
  });

  test(`${cycle.operator} sends nothing that is not needed for a changed object`, async () => {
    await cycle.change(suite.client);
    await expectSent(cycle.changed);
  });

  test(`${cycle.operator} sends nothing that is not needed for a deleted object`, async () => {
    await cycle.remove(suite.client);
    await expectSent(cycle.removed);
  });
});
