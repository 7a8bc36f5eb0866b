import { afterEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../../../src/base/fake-clock.js';
import type { EmbeddedApiServerOptions } from '../../../../src/apiserver/embedded-api-server.js';
import type { Json } from '../../api-client.js';
import { ClusterTest, holding, items, SELECTOR, TEMPLATE } from '../cluster-test.js';

const REVISION = 'deployment.kubernetes.io/revision';
const SETS = '/apis/apps/v1/namespaces/default/replicasets';

let cluster: ClusterTest;
afterEach(() => cluster.stop());

async function newDeployment(options: EmbeddedApiServerOptions = {}, spec: object = {}): Promise<string> {
  cluster = await ClusterTest.start(options);
  return cluster.create('apps/v1', 'deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 4, selector: SELECTOR, template: TEMPLATE, ...spec },
  });
}

const setImage = (path: string, image: string) =>
  cluster.api.patch(path, 'strategic-merge', {
    spec: { template: { spec: { containers: [{ name: 'c', image }] } } },
  });
const settled =
  (generation: number, replicas = 4) =>
  (status: Readonly<Record<string, unknown>>): boolean =>
    status.observedGeneration === generation &&
    [status.replicas, status.updatedReplicas, status.availableReplicas].every((count) => count === replicas);
/** A roll that came as far as it may: two new pods that do not start, three old ones. */
const isHalfway = ({ replicas, updatedReplicas, availableReplicas }: Readonly<Record<string, unknown>>): boolean =>
  replicas === 5 && updatedReplicas === 2 && availableReplicas === 3;
const reasonOf = (status: Readonly<Record<string, unknown>>, type: string): string | undefined =>
  (status.conditions as { type: string; reason: string }[] | undefined)?.find((one) => one.type === type)?.reason;
const revisionOf = (object: Json): unknown => object.metadata!.annotations![REVISION];
/** A template with pods that never become ready. */
const broken: EmbeddedApiServerOptions = {
  planPod: ({ images }) => (images.includes('bad') ? { waitingReason: 'ImagePullBackOff' } : undefined),
};

describe('a Deployment', () => {
  test('a Deployment is available and complete once its pods run', async () => {
    const path = await newDeployment();
    const status = await cluster.statusOnce(path, (now) => reasonOf(now, 'Progressing') === 'NewReplicaSetAvailable');
    expect(holding(status).sort()).toEqual(['Available', 'Progressing']);
  });

  test('a Deployment rolls out a new template as its second revision', async () => {
    const path = await newDeployment();
    await cluster.statusOnce(path, settled(1));
    await setImage(path, 'j');
    await cluster.statusOnce(path, settled(2));
    expect(revisionOf((await cluster.api.send('GET', path)).body)).toBe('2');
  });

  test('a rollback of a Deployment makes the old ReplicaSet the latest revision', async () => {
    const path = await newDeployment();
    await cluster.statusOnce(path, settled(1));
    await setImage(path, 'j');
    await cluster.statusOnce(path, settled(2));
    await setImage(path, 'i');
    await cluster.statusOnce(path, settled(3));
    const sets = items(await cluster.api.send('GET', SETS));
    const told = sets.map((set) => [revisionOf(set), set.metadata!.annotations![`${REVISION}-history`]]);
    expect(told.sort()).toEqual([
      ['2', undefined],
      ['3', '1'],
    ]);
  });

  test('a Deployment keeps enough old pods when the new template does not run', async () => {
    const path = await newDeployment(broken);
    await cluster.statusOnce(path, settled(1));
    await setImage(path, 'bad');
    const status = await cluster.statusOnce(path, isHalfway);
    expect([status.unavailableReplicas, holding(status).sort()]).toEqual([2, ['Available', 'Progressing']]);
  });

  test('a Deployment is reported as failed after its deadline', async () => {
    const clock = new FakeClock();
    const path = await newDeployment({ ...broken, clock }, { progressDeadlineSeconds: 30 });
    await cluster.statusOnce(path, settled(1));
    await setImage(path, 'bad');
    await cluster.statusOnce(path, isHalfway);
    await clock.advance(60_000);
    const status = await cluster.statusOnce(path, (now) => reasonOf(now, 'Progressing') === 'ProgressDeadlineExceeded');
    expect(holding(status)).toEqual(['Available']);
  });

  test('a paused Deployment does not roll out, and still follows its size', async () => {
    const path = await newDeployment();
    await cluster.statusOnce(path, settled(1));
    await cluster.api.patch(path, 'merge', { spec: { paused: true } });
    await setImage(path, 'j');
    await cluster.api.patch(path, 'merge', { spec: { replicas: 2 } });
    const status = await cluster.statusOnce(path, ({ replicas }) => replicas === 2);
    expect(status.updatedReplicas).toBeUndefined();
  });

  test('a Deployment with the strategy Recreate ends all old pods before it creates new ones', async () => {
    const path = await newDeployment(broken, { strategy: { type: 'Recreate' } });
    await cluster.statusOnce(path, settled(1));
    await setImage(path, 'bad');
    const status = await cluster.statusOnce(path, ({ updatedReplicas }) => updatedReplicas === 4);
    expect([status.replicas, status.availableReplicas]).toEqual([4, undefined]);
  });

  test('a Deployment keeps no more old ReplicaSets than its history limit', async () => {
    const path = await newDeployment({}, { revisionHistoryLimit: 1, replicas: 1 });
    for (const [index, image] of ['i', 'j', 'k', 'l'].entries()) {
      await setImage(path, image);
      await cluster.statusOnce(path, settled(index + 1, 1));
    }
    const reply = await cluster.api.until(SETS, (list) => items(list).length === 2);
    expect(items(reply).map(revisionOf).sort()).toEqual(['3', '4']);
  });
});
