import { CoreEvent, Deployment, Node, NotFoundError, Pod, RuntimeClass, type KindLike } from 'kindwright';
import { HelloApp } from '../../../operators/helloapp.js';
import { Mydemo } from '../../../operators/mydemo.js';
import { NodePool } from '../../../operators/nodepool.js';
import { PodBugger } from '../../../operators/podbugger.js';
import { PodSet } from '../../../operators/podset.js';
import { assert, assertEqual, within } from '../oracles/converged.js';
import type { Scenario, Stage } from './crash-run.js';

const STEP_MS = 45_000;

const until = (check: () => Promise<void>): Promise<void> => within(STEP_MS, check);

async function untilDeleted({ admin }: Stage, kind: KindLike, name: string, namespace?: string): Promise<void> {
  await until(async () => {
    const found = await admin.get(kind, name, { namespace }).catch(ignoreNotFound);
    assert(found === undefined, `${name} exists`);
  });
}

function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
  return undefined;
}

/** Creates a pod and reports it as running. */
export async function createPod(
  { admin, namespace }: Stage,
  name: string,
  labels: Record<string, string>,
): Promise<void> {
  // A token's volume would have a random name.
  const spec = { containers: [{ name: 'main', image: 'busybox' }], automountServiceAccountToken: false };
  await admin.create(Pod, { metadata: { name, namespace, labels }, spec });
  await admin.patch(Pod, name, { status: { phase: 'Running' } }, { namespace, subresource: 'status' });
}

const podSet: Scenario = {
  operator: 'podset',
  kinds: [PodSet, Deployment, Pod],
  async play(stage) {
    const { admin, namespace } = stage;
    const scope = { namespace };
    const converged = (size: number, nodes: string[]): Promise<void> =>
      until(async () => {
        assertEqual((await admin.get(Deployment, 'set', scope)).spec?.replicas, size, 'replicas');
        assertEqual((await admin.get(PodSet, 'set', scope)).status?.nodes ?? [], nodes, 'nodes');
      });
    await admin.create(PodSet, { metadata: { name: 'set', namespace }, spec: { size: 2 } });
    await converged(2, []);
    await createPod(stage, 'pod', { podSet_cr: 'set', app: 'podSet' });
    await converged(2, ['pod']);
    await admin.patch(PodSet, 'set', { spec: { size: 0 } }, scope);
    await converged(0, ['pod']);
    await admin.delete(Pod, 'pod', { namespace, gracePeriodSeconds: 0 });
    await converged(0, []);
    await admin.delete(Deployment, 'set', scope);
    await converged(0, []);
    await admin.delete(PodSet, 'set', scope);
  },
};

const helloApp: Scenario = {
  operator: 'helloapp',
  kinds: [HelloApp, Deployment],
  async play({ admin, namespace }) {
    const scope = { namespace };
    const converged = (image: string, replicas: number, availableReplicas: number): Promise<void> =>
      until(async () => {
        const { spec } = await admin.get(Deployment, 'app', scope);
        assertEqual(spec?.replicas, replicas, 'replicas');
        assertEqual(spec?.template.spec?.containers[0]?.image, image, 'image');
        assertEqual((await admin.get(HelloApp, 'app', scope)).status, { availableReplicas }, 'status');
      });
    await admin.create(HelloApp, { metadata: { name: 'app', namespace }, spec: { image: 'one', size: 2 } });
    await converged('one', 2, 0);
    const status = { replicas: 2, readyReplicas: 2, availableReplicas: 2 };
    await admin.patch(Deployment, 'app', { status }, { namespace, subresource: 'status' });
    await converged('one', 2, 2);
    await admin.patch(HelloApp, 'app', { spec: { image: 'two' } }, scope);
    await converged('two', 2, 2);
    await admin.patch(Deployment, 'app', { spec: { replicas: 7 } }, scope);
    await converged('two', 2, 2);
    await admin.delete(HelloApp, 'app', scope);
  },
};

const mydemo: Scenario = {
  operator: 'mydemo',
  kinds: [Mydemo],
  async play(stage) {
    const { admin, namespace } = stage;
    const recorded = async (): Promise<number> => {
      const { items } = await admin.list(CoreEvent, { namespace });
      for (const { reason, involvedObject } of items)
        assertEqual([reason, involvedObject.name], ['Synced', 'demo'], 'event');
      return items.reduce((sum, { series }) => sum + (series?.count ?? 1), 0);
    };
    const recordedMoreThan = (count: number): Promise<void> =>
      until(async () => assert((await recorded()) > count, 'no new event'));
    await admin.create(Mydemo, { metadata: { name: 'demo', namespace }, spec: { ip: '127.0.0.1', port: 1 } });
    await recordedMoreThan(0);
    const before = await recorded();
    await admin.patch(Mydemo, 'demo', { spec: { port: 2 } }, { namespace });
    await recordedMoreThan(before);
    await admin.delete(Mydemo, 'demo', { namespace });
  },
};

const podBugger: Scenario = {
  operator: 'podbugger',
  kinds: [PodBugger, Pod],
  async play(stage) {
    const { admin, namespace } = stage;
    const scope = { namespace };
    const converged = (pods: string[], reason: string): Promise<void> =>
      until(async () => {
        const { status } = await admin.get(PodBugger, 'bug', scope);
        assertEqual(status?.pods, pods, 'pods');
        assertEqual(status?.conditions?.[0]?.reason, reason, 'condition');
      });
    await createPod(stage, 'one', { app: 'web' });
    const spec = { selector: { matchLabels: { app: 'web' } }, image: 'first' };
    await admin.create(PodBugger, { metadata: { name: 'bug', namespace }, spec });
    await converged(['one'], 'Attached');
    await createPod(stage, 'two', { app: 'web' });
    await converged(['one', 'two'], 'Attached');
    await admin.patch(PodBugger, 'bug', { spec: { image: 'second' } }, scope);
    await converged(['one', 'two'], 'NotAttached');
    await admin.delete(Pod, 'one', { namespace, gracePeriodSeconds: 0 });
    await converged(['two'], 'NotAttached');
    await admin.delete(PodBugger, 'bug', scope);
  },
};

const ROLE = 'node-role.kubernetes.io/';

export const NODE_POOL_SCENARIO: Scenario = {
  operator: 'nodepool',
  kinds: [NodePool, Node, RuntimeClass],
  async play(stage) {
    const { admin, namespace: pool } = stage;
    const role = ROLE + pool;
    const nodes = ['member', 'guest'].map((name) => `${name}-${pool}`);
    const [member = '', guest = ''] = nodes;
    const labelled = async (expected: string[]): Promise<void> => {
      const { items } = await admin.list(Node, { labelSelector: `pool-${pool}=yes` });
      assertEqual(items.map(({ metadata }) => metadata.name).sort(), expected, 'labelled nodes');
    };
    const converged = (expected: string[], handler: string): Promise<void> =>
      until(async () => {
        await labelled([...expected].sort());
        const { metadata, status } = await admin.get(NodePool, pool);
        const { status: ready, observedGeneration } = status?.conditions?.[0] ?? {};
        const expectedStatus = [expected.length, 'True', metadata.generation];
        assertEqual([status?.nodes, ready, observedGeneration], expectedStatus, 'status');
        assertEqual((await admin.get(RuntimeClass, pool)).handler, handler, 'handler');
      });
    for (const name of nodes)
      await admin.create(Node, { metadata: { name, labels: name === member ? { [role]: '' } : {} } });
    const labels = { [`pool-${pool}`]: 'yes' };
    const taints = [{ key: 'pool', value: 'a', effect: 'NoSchedule' }];
    await admin.create(NodePool, { metadata: { name: pool }, spec: { labels, taints, handler: 'one' } });
    await converged([member], 'one');
    await admin.patch(NodePool, pool, { spec: { handler: 'two' } });
    await converged([member], 'two');
    await admin.patch(Node, guest, { metadata: { labels: { [role]: '' } } });
    await converged([member, guest], 'two');
    await admin.patch(Node, guest, { metadata: { labels: { [role]: null } } });
    await converged([member], 'two');
    await admin.delete(NodePool, pool);
    await untilDeleted(stage, NodePool, pool);
    await labelled([]);
  },
  async cleanUp({ admin, namespace: pool }) {
    await admin.patch(NodePool, pool, { metadata: { finalizers: null } }).catch(ignoreNotFound);
    await admin.delete(NodePool, pool).catch(ignoreNotFound);
    await admin.delete(RuntimeClass, pool).catch(ignoreNotFound);
    for (const name of ['member', 'guest']) await admin.delete(Node, `${name}-${pool}`).catch(ignoreNotFound);
  },
};

/** Of the operators with namespaced kinds. */
export const NAMESPACED_SCENARIOS: readonly Scenario[] = [podBugger, podSet, helloApp, mydemo];
