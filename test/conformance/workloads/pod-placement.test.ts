import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, conditionOf } from '../controllers/cluster-suite.js';

const HOST = 'kubernetes.io/hostname';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

const newPod = (name: string, labels: object, spec: object): Promise<Json> =>
  suite.create(
    'pods',
    'Pod',
    name,
    { spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }], ...spec } },
    { labels },
  );
const on = (node: string): object => ({ nodeSelector: { [HOST]: node } });
/** A term about the pods of an app, by the nodes they are on. */
const near = (app: string, rest: object = {}): object => ({
  labelSelector: { matchLabels: { app } },
  topologyKey: HOST,
  ...rest,
});
const required = (kind: 'podAffinity' | 'podAntiAffinity', term: object): object => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
});
const preferred = (kind: 'podAffinity' | 'podAntiAffinity', podAffinityTerm: object): object => ({
  affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] } },
});
const spread = (rest: object = {}): object => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: HOST,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'a' } },
      nodeAffinityPolicy: 'Ignore',
      ...rest,
    },
  ],
});
const nodeOf = async (name: string): Promise<string> => {
  const pod = await suite.once(suite.path('pods', name), ({ spec }) => spec?.nodeName !== undefined);
  return text(pod.spec!.nodeName);
};
const refused = async (name: string): Promise<string> => {
  const isTold = (found: Json): boolean => conditionOf(found, 'PodScheduled') !== undefined;
  const pod = await suite.once(suite.path('pods', name), isTold);
  return text(conditionOf(pod, 'PodScheduled')?.message);
};
const NO_VICTIMS = 'No preemption victims found for incoming pod';
const NOT_HELPFUL = 'Preemption is not helpful for scheduling';
const available = (why: string, preemption: string): string =>
  `0/2 nodes are available: ${why}. no new claims to deallocate, preemption: 0/2 nodes are available: ${preemption}.`;

describe('a pod that has to be near others', () => {
  test('a pod with required affinity waits for the other pods and follows them', async () => {
    await newPod('follower', {}, required('podAffinity', near('b')));
    expect(await refused('follower')).toBe(available("2 node(s) didn't match pod affinity rules", `2 ${NOT_HELPFUL}`));
    await newPod('leader', { app: 'b' }, on('node-2'));
    expect(await nodeOf('follower')).toBe('node-2');
  });

  test('a pod with affinity to its own labels may be the first one', async () => {
    await newPod('first', { app: 'a' }, required('podAffinity', near('a')));
    await newPod('second', { app: 'a' }, required('podAffinity', near('a')));
    expect(await nodeOf('second')).toBe(await nodeOf('first'));
  });
});

describe('a pod that must not be near others', () => {
  test('a pod with anti-affinity has a node of its own while one is free', async () => {
    for (const name of ['first', 'second']) await newPod(name, { app: 'a' }, required('podAntiAffinity', near('a')));
    expect([await nodeOf('first'), await nodeOf('second')].sort()).toEqual(['node-1', 'node-2']);
    await newPod('third', { app: 'a' }, required('podAntiAffinity', near('a')));
    expect(await refused('third')).toBe(available("2 node(s) didn't match pod anti-affinity rules", `2 ${NO_VICTIMS}`));
    await newPod('plain', { app: 'a' }, {});
    expect(await refused('plain')).toBe(
      available("2 node(s) didn't satisfy existing pods anti-affinity rules", `2 ${NO_VICTIMS}`),
    );
    await suite.requests.send('DELETE', suite.path('pods', 'first'));
    await suite.once(suite.path('pods', 'third'), ({ spec }) => spec?.nodeName !== undefined);
  });

  test('a pod with anti-affinity preempts pods of lower priority', async () => {
    const priorityClassName = await suite.createPriorityClass('high', { value: 9 });
    for (const node of ['node-1', 'node-2']) await newPod(node, { app: 'b' }, on(node));
    for (const node of ['node-1', 'node-2']) await nodeOf(node);
    const spec = { ...required('podAntiAffinity', near('b')), priorityClassName, ...on('node-1') };
    await newPod('important', {}, spec);
    expect(await nodeOf('important')).toBe('node-1');
    await suite.gone(suite.path('pods', 'node-1'));
  });
});

test('pods of other namespaces count if an affinity term selects their namespace', async () => {
  await newPod('leader', { app: suite.namespace }, on('node-1'));
  await nodeOf('leader');
  const term = near(suite.namespace, { namespaceSelector: {} });
  await suite.begin();
  await newPod('follower', {}, required('podAffinity', term));
  expect(await nodeOf('follower')).toBe('node-1');
});

describe('pods that are to be spread', () => {
  test('a pod with a spread constraint waits instead of exceeding maxSkew', async () => {
    await newPod('first', { app: 'a' }, { ...on('node-1'), ...spread() });
    await nodeOf('first');
    await newPod('second', { app: 'a' }, { ...on('node-1'), ...spread() });
    expect(await refused('second')).toBe(
      available(
        "1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't match pod topology spread constraints",
        `1 ${NO_VICTIMS}, 1 ${NOT_HELPFUL}`,
      ),
    );
    await newPod('third', { app: 'a' }, spread());
    expect(await nodeOf('third')).toBe('node-2');
    expect(await nodeOf('second')).toBe('node-1');
  });

  test('spread constraints require nodes with the topology label', async () => {
    await newPod('pod', { app: 'a' }, spread({ topologyKey: 'no/label' }));
    expect(await refused('pod')).toBe(
      available("2 node(s) didn't match pod topology spread constraints (missing required label)", `2 ${NOT_HELPFUL}`),
    );
  });

  test('spread constraints with minDomains keep room for missing domains', async () => {
    await newPod('first', { app: 'a' }, spread({ minDomains: 3 }));
    await nodeOf('first');
    await newPod('second', { app: 'a' }, spread({ minDomains: 3 }));
    await nodeOf('second');
    await newPod('third', { app: 'a' }, spread({ minDomains: 3 }));
    expect(await refused('third')).toContain("2 node(s) didn't match pod topology spread constraints");
  });
});

test('pods are scheduled to the nodes they prefer', async () => {
  await newPod('leader', { app: 'b' }, on('node-2'));
  await nodeOf('leader');
  for (const name of ['one', 'two']) await newPod(name, {}, preferred('podAffinity', near('b')));
  expect([await nodeOf('one'), await nodeOf('two')]).toEqual(['node-2', 'node-2']);
  await newPod('shy', {}, preferred('podAntiAffinity', near('b')));
  expect(await nodeOf('shy')).toBe('node-1');
  const preference = { matchExpressions: [{ key: HOST, operator: 'In', values: ['node-2'] }] };
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] };
  await newPod('fond', {}, { affinity: { nodeAffinity } });
  expect(await nodeOf('fond')).toBe('node-2');
});
