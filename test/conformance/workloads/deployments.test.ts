import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, conditionOf, items } from '../controllers/cluster-suite.js';

const DEPLOYMENTS = 'apps/v1/deployments';
const SETS = 'apps/v1/replicasets';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

const newDeployment = (spec: object = {}): Promise<Json> =>
  suite.create(DEPLOYMENTS, 'Deployment', 'web', {
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] },
      },
      ...spec,
    },
  });
const change = (spec: object): Promise<Json> => suite.patch(suite.path(DEPLOYMENTS, 'web'), { spec });
const ofImage = (image: string, spec: object = {}): object => ({
  template: { spec: { containers: [{ name: 'c', image }], ...spec } },
});
/** A template with pods that fit no node. */
const stuck = (image: string): object => ofImage(image, { nodeSelector: { no: 'where' } });
const statusOnce = async (counts: object): Promise<Json> => {
  const wanted = Object.entries(counts);
  const isReached = ({ metadata, status }: Json): boolean =>
    Number(status?.observedGeneration) === Number(metadata?.generation) &&
    wanted.every(([field, count]) => Number(status?.[field] ?? 0) === count);
  return suite.once(suite.path(DEPLOYMENTS, 'web'), isReached);
};
const progressOnce = async (wanted: string): Promise<Json> => {
  const isTold = (found: Json): boolean => text(conditionOf(found, 'Progressing')?.reason) === wanted;
  return conditionOf(await suite.once(suite.path(DEPLOYMENTS, 'web'), isTold), 'Progressing')!;
};
const settled = (replicas: number): Promise<Json> =>
  statusOnce({ replicas, updatedReplicas: replicas, availableReplicas: replicas, unavailableReplicas: 0 });
/** The images of the ReplicaSets with their sizes. */
const sizes = async (): Promise<Record<string, number>> => {
  const { body } = await suite.get(suite.path(SETS));
  const sized = items(body).map(({ spec }): [string, number] => {
    const [container] = spec!.template!.spec!.containers as unknown as Json[];
    return [text(container!.image), Number(spec!.replicas)];
  });
  return Object.fromEntries(sized);
};

describe('a Deployment that is scaled while it rolls', () => {
  test('scaling a Deployment during a rollout keeps the proportions of its ReplicaSets', async () => {
    await newDeployment({ replicas: 10, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } });
    await settled(10);
    await change(stuck('j'));
    await statusOnce({ replicas: 13, updatedReplicas: 5, availableReplicas: 8 });
    await change({ replicas: 30 });
    await statusOnce({ replicas: 33, updatedReplicas: 13, availableReplicas: 20 });
    expect(await sizes()).toEqual({ i: 20, j: 13 });
    await change({ replicas: 12 });
    await statusOnce({ replicas: 15, updatedReplicas: 6, availableReplicas: 9 });
    expect(await sizes()).toEqual({ i: 9, j: 6 });
    await change({ replicas: 0 });
    await statusOnce({ replicas: 0 });
    expect(await sizes()).toEqual({ i: 0, j: 0 });
  });

  test('each step of a scaled rollout has an event', async () => {
    await newDeployment({ replicas: 4 });
    await settled(4);
    await change(stuck('j'));
    await statusOnce({ replicas: 5, updatedReplicas: 2 });
    await change({ replicas: 8 });
    await statusOnce({ replicas: 10, updatedReplicas: 4 });
    const [old, current] = items((await suite.get(suite.path(SETS))).body)
      .sort((a, b) => Number(b.spec!.replicas) - Number(a.spec!.replicas))
      .map(({ metadata }) => text(metadata!.name));
    const told = (await suite.messages('web', 'ScalingReplicaSet', 6)).sort();
    expect(told).toEqual(
      [
        `Scaled up replica set ${old!} from 0 to 4`,
        `Scaled up replica set ${current!} from 0 to 1`,
        `Scaled down replica set ${old!} from 4 to 3`,
        `Scaled up replica set ${current!} from 1 to 2`,
        `Scaled up replica set ${old!} from 3 to 6`,
        `Scaled up replica set ${current!} from 2 to 4`,
      ].sort(),
    );
  });
});

describe('a paused Deployment', () => {
  test('a paused Deployment changes its size but not its template, until it is resumed', async () => {
    await newDeployment({ paused: true });
    await progressOnce('DeploymentPaused');
    expect(await sizes()).toEqual({});
    await change({ paused: null });
    await settled(2);
    await change({ paused: true });
    await change({ ...ofImage('j'), replicas: 3 });
    await statusOnce({ replicas: 3, updatedReplicas: 0, availableReplicas: 3 });
    expect(await sizes()).toEqual({ i: 3 });
    expect(await progressOnce('DeploymentPaused')).toMatchObject({
      status: 'Unknown',
      message: 'Deployment is paused',
    });
    await change({ paused: null });
    await settled(3);
    await progressOnce('NewReplicaSetAvailable');
  });

  test('a Deployment that is resumed in the middle of a rollout has this condition until it makes progress', async () => {
    await newDeployment();
    await settled(2);
    await change(stuck('j'));
    await statusOnce({ replicas: 3, updatedReplicas: 1 });
    await change({ paused: true });
    await progressOnce('DeploymentPaused');
    await change({ paused: null });
    expect(await progressOnce('DeploymentResumed')).toMatchObject({
      status: 'Unknown',
      message: 'Deployment is resumed',
    });
  });
});

test('a rollout without progress is reported as failed, paused or not, until it continues', async () => {
  await newDeployment({ progressDeadlineSeconds: 1 });
  await settled(2);
  await change(stuck('j'));
  const { status, message } = await progressOnce('ProgressDeadlineExceeded');
  expect([text(status), text(message)]).toEqual([
    'False',
    expect.stringMatching(/^ReplicaSet "web-\w+" has timed out progressing\.$/),
  ]);
  await change({ paused: true });
  await statusOnce({ replicas: 3, updatedReplicas: 1 });
  await progressOnce('ProgressDeadlineExceeded');
  await change({ paused: null, template: { spec: { nodeSelector: null } } });
  await settled(2);
  expect(await progressOnce('NewReplicaSetAvailable')).toMatchObject({ status: 'True' });
});

test('a Deployment without progressDeadlineSeconds has no condition about progress', async () => {
  await newDeployment({ progressDeadlineSeconds: 2147483647 });
  const deployment = await settled(2);
  expect(conditionOf(deployment, 'Progressing')).toBeUndefined();
  expect(conditionOf(deployment, 'Available')).toMatchObject({ reason: 'MinimumReplicasAvailable' });
});

test('a Deployment reports that its ReplicaSet cannot be created', async () => {
  await suite.requests.quota(suite.namespace, 'none', { hard: { 'count/replicasets.apps': '0' } });
  await newDeployment();
  const { status, message } = await progressOnce('ReplicaSetCreateError');
  expect(text(status)).toBe('False');
  expect(text(message)).toMatch(
    /^Failed to create new replica set "web-\w+": replicasets\.apps "web-\w+" is forbidden: exc/,
  );
  const [told] = await suite.messages('web', 'ReplicaSetCreateError');
  expect(told).toBe(text(message));
});

test('pods of a Deployment and its ReplicaSets are available after minReadySeconds', async () => {
  await newDeployment({ minReadySeconds: 500 });
  await statusOnce({ readyReplicas: 2, availableReplicas: 0 });
  await change({ minReadySeconds: 2 });
  await settled(2);
  await suite.once(suite.path(SETS), (list) => items(list).every(({ spec }) => Number(spec!.minReadySeconds) === 2));
});

test('Recreate creates new pods once the old ones are deleted', async () => {
  await newDeployment({ strategy: { type: 'Recreate' } });
  await settled(2);
  await change(stuck('j'));
  const { status } = await statusOnce({ replicas: 2, updatedReplicas: 2, availableReplicas: 0 });
  expect(Number(status!.unavailableReplicas)).toBe(2);
  expect(await sizes()).toEqual({ i: 0, j: 2 });
});

test('revisionHistoryLimit limits the number of old ReplicaSets', async () => {
  await newDeployment({ replicas: 1, revisionHistoryLimit: 1 });
  for (const image of ['i', 'j', 'k', 'l']) {
    await change(ofImage(image));
    await settled(1);
  }
  await suite.once(suite.path(SETS), (list) => items(list).length === 2);
  expect(await sizes()).toEqual({ k: 0, l: 1 });
});

test('the tenth of similar Events combines all that follow', async () => {
  await newDeployment({ replicas: 12 });
  const told = await suite.messages('web-', 'SuccessfulCreate', 10);
  expect(
    told.filter((message) => message.startsWith('(combined from similar events): Created pod: web-')),
  ).toHaveLength(1);
});

test('a Deployment continues from the revision of the ReplicaSet it adopts, however large', async () => {
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'former' }] } };
  const annotations = { 'deployment.kubernetes.io/revision': '3546343826724305832' };
  const spec = { replicas: 1, selector: { matchLabels: { app: 'a' } }, template };
  await suite.create(SETS, 'ReplicaSet', 'former', { spec }, { labels: { app: 'a' }, annotations });
  // Controllers know of it, that of Deployments too, when one has written its status.
  await suite.once(suite.path(SETS, 'former'), ({ status }) => Number(status?.observedGeneration) === 1);
  await newDeployment();

  const isNumbered = ({ metadata }: Json): boolean => metadata?.annotations !== undefined;
  const { metadata } = await suite.once(suite.path(DEPLOYMENTS, 'web'), isNumbered);
  expect(metadata?.annotations).toEqual({ 'deployment.kubernetes.io/revision': '3546343826724305833' });
});
