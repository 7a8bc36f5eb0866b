import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { text } from '../../api-client.js';
import { ClusterTest, SELECTOR, TEMPLATE } from '../cluster-test.js';

const EVENTS = '/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind=DaemonSet';

let cluster: ClusterTest;
beforeEach(async () => {
  cluster = await ClusterTest.start();
});
afterEach(() => cluster.stop());

async function newSet(podSpec: object = {}): Promise<string> {
  const template = { ...TEMPLATE, spec: { ...TEMPLATE.spec, ...podSpec } };
  return cluster.create('apps/v1', 'daemonsets', {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: { selector: SELECTOR, template },
  });
}

const newNode = (name: string, labels: object = {}) =>
  cluster.api.send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
const ready = (count: number) => (status: Readonly<Record<string, unknown>>) => status.numberReady === count;

describe('a DaemonSet', () => {
  test('a DaemonSet has a pod on each node', async () => {
    await cluster.statusOnce(await newSet(), ready(2));
    const nodes = (await cluster.pods()).map((pod) => text(pod.spec!.nodeName));
    expect(nodes.sort()).toEqual(['node-1', 'node-2']);
  });

  test('a DaemonSet adds a pod to a node that is added later', async () => {
    const path = await newSet();
    await cluster.statusOnce(path, ready(2));
    await newNode('late');
    expect((await cluster.statusOnce(path, ready(3))).desiredNumberScheduled).toBe(3);
  });

  test('a DaemonSet runs only on nodes that match its selector', async () => {
    await newNode('gpu', { gpu: 'yes' });
    await cluster.statusOnce(await newSet({ nodeSelector: { gpu: 'yes' } }), ready(1));
    expect((await cluster.pods()).map((pod) => text(pod.spec!.nodeName))).toEqual(['gpu']);
  });

  test('a DaemonSet removes its pod from a node without the label', async () => {
    await newNode('gpu', { gpu: 'yes' });
    const path = await newSet({ nodeSelector: { gpu: 'yes' } });
    await cluster.statusOnce(path, ready(1));
    await cluster.api.patch('/api/v1/nodes/gpu', 'merge', { metadata: { labels: { gpu: null } } });
    expect((await cluster.statusOnce(path, ready(0))).desiredNumberScheduled).toBe(0);
  });

  test('a DaemonSet keeps its pod on a node that is cordoned', async () => {
    const path = await newSet();
    await cluster.statusOnce(path, ready(2));
    await cluster.api.patch('/api/v1/nodes/node-1', 'merge', { spec: { unschedulable: true } });
    await newNode('late');
    expect((await cluster.statusOnce(path, ready(3))).desiredNumberScheduled).toBe(3);
  });

  test('a DaemonSet replaces its pods when the template changes', async () => {
    const path = await newSet();
    await cluster.statusOnce(path, ready(2));
    await cluster.api.patch(path, 'strategic-merge', {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'j' }] } } },
    });
    const status = await cluster.statusOnce(
      path,
      ({ observedGeneration, updatedNumberScheduled, numberReady }) =>
        observedGeneration === 2 && updatedNumberScheduled === 2 && numberReady === 2,
    );
    expect(status.numberUnavailable).toBeUndefined();
  });

  test('a DaemonSet with maxSurge deletes a pod only once the next one is available', async () => {
    const path = await newSet();
    await cluster.statusOnce(path, ready(2));
    await cluster.api.patch(path, 'strategic-merge', {
      spec: {
        updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        template: { spec: { containers: [{ name: 'c', image: 'j' }] } },
      },
    });
    await cluster.statusOnce(
      path,
      ({ observedGeneration, updatedNumberScheduled, numberReady }) =>
        observedGeneration === 2 && updatedNumberScheduled === 2 && numberReady === 2,
    );
    const { body } = await cluster.api.send('GET', EVENTS);
    const events = body.items as unknown as { reason: string; metadata: { resourceVersion: string } }[];
    const order = events.sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
    expect(order.map(({ reason }) => reason.replace('Successful', ''))).toEqual([
      ...['Create', 'Create', 'Create'],
      ...['Delete', 'Create', 'Delete'],
    ]);
  });
});
