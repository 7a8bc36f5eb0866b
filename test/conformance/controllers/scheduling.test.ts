import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, conditionOf, items, phaseOf } from './cluster-suite.js';

const NODE = '/api/v1/nodes/node-2';
const THINGS = 'example.com/things';

let suite: ClusterSuite;
/** A PriorityClass. */
let important: string;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(async () => {
  await suite.begin();
  await have('3');
  important = await suite.createPriorityClass('high', { value: 9 });
});
afterEach(async () => {
  await suite.requests.send('DELETE', suite.path('pods'));
  await suite.once(suite.path('pods'), (list) => items(list).length === 0);
  await have(null);
});

const have = (amount: string | null): Promise<Json> =>
  suite.patch(`${NODE}/status`, {
    status: { capacity: { [THINGS]: amount }, allocatable: { [THINGS]: amount } },
  });

/** A pod for node-2 that wants so many of its things. */
function newPod(name: string, amount: number, spec: object = {}, container: object = {}): Promise<Json> {
  const things = { [THINGS]: String(amount) };
  const resources = { requests: things, limits: things };
  return suite.create('pods', 'Pod', name, {
    spec: {
      nodeSelector: { 'kubernetes.io/hostname': 'node-2' },
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'c', image: 'i', resources, ...container }],
      ...spec,
    },
  });
}
const running = (name: string): Promise<Json> =>
  suite.once(suite.path('pods', name), (pod) => phaseOf(pod) === 'Running');
const refused = async (name: string): Promise<unknown> => {
  const pod = await suite.once(suite.path('pods', name), (found) => conditionOf(found, 'PodScheduled') !== undefined);
  return conditionOf(pod, 'PodScheduled');
};

const AFFINITY = "1 node(s) didn't match Pod's node affinity/selector";

test('a pod waits until a node has the resources that it requests', async () => {
  await newPod('first', 2);
  await running('first');
  await newPod('second', 2);
  expect(await refused('second')).toMatchObject({
    status: 'False',
    reason: 'Unschedulable',
    message:
      `0/2 nodes are available: 1 Insufficient ${THINGS}, ${AFFINITY}. no new claims to deallocate, preemption: 0/2 ` +
      'nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.',
  });
  await suite.requests.send('DELETE', suite.path('pods', 'first'));
  await running('second');
});

test('a pod does not preempt others for resources that its node does not have', async () => {
  await newPod('greedy', 4, { priorityClassName: important });
  expect(await refused('greedy')).toMatchObject({
    message:
      `0/2 nodes are available: 1 Insufficient ${THINGS}, ${AFFINITY}. no new claims to deallocate, preemption: 0/2 ` +
      'nodes are available: 2 Preemption is not helpful for scheduling.',
  });
});

test('a host port is used by one pod at a time, unless the host addresses differ', async () => {
  const on = (hostIP?: string): object => ({ ports: [{ containerPort: 80, hostPort: 54321, hostIP }] });
  await newPod('one', 0, {}, on('127.0.0.1'));
  await running('one');
  await newPod('other', 0, {}, on('127.0.0.2'));
  await running('other');
  await newPod('every', 0, {}, on());
  expect(await refused('every')).toMatchObject({
    message: expect.stringContaining("1 node(s) didn't have free ports for the requested pod ports"),
  });
});

test('a pod of higher priority preempts a pod of lower priority', async () => {
  await newPod('low', 2);
  const low = await running('low');
  const high = await newPod('high', 2, { priorityClassName: important });
  await suite.gone(suite.path('pods', 'low'));
  const placed = await running('high');
  expect(placed.status).not.toHaveProperty('nominatedNodeName');
  expect(await suite.event('low', 'Preempted')).toMatchObject({
    message: `Preempted by pod ${text(high.metadata!.uid)} on node node-2`,
    involvedObject: { uid: low.metadata!.uid },
  });
});

test('a preempted pod has an event with the reason', async () => {
  await suite.create(
    'pods',
    'Pod',
    'low',
    {
      spec: {
        nodeSelector: { 'kubernetes.io/hostname': 'node-2' },
        containers: [{ name: 'c', image: 'i', resources: { limits: { [THINGS]: '3' } } }],
      },
    },
    { finalizers: ['example.com/hold'] },
  );
  await running('low');
  await newPod('high', 3, { priorityClassName: important });
  const victim = await suite.once(
    suite.path('pods', 'low'),
    ({ metadata }) => metadata?.deletionTimestamp !== undefined,
  );
  expect(conditionOf(victim, 'DisruptionTarget')).toMatchObject({
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: 'default-scheduler: preempting to accommodate a higher priority pod',
  });
  await suite.patch(suite.path('pods', 'low'), { metadata: { finalizers: null } });
  await running('high');
});

test('a pod with preemptionPolicy Never waits for resources', async () => {
  await newPod('low', 2);
  await running('low');
  const priorityClassName = await suite.createPriorityClass('meek', { value: 8, preemptionPolicy: 'Never' });
  await newPod('meek', 2, { priorityClassName });
  expect(await refused('meek')).toMatchObject({
    message: expect.stringContaining('preemption: not eligible due to preemptionPolicy=Never.'),
  });
});
