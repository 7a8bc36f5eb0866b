import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Namespace, Pod } from 'kindwright';
import { review, startCluster, type Cluster } from 'kindwright/testing';
import { TeamPods } from '../../docs/examples/team-pods.js';

const TEAM = 'docs.example.com/team';
const spec = { containers: [{ name: 'app', image: 'example' }] };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await cluster.create(Namespace, { metadata: { name: 'shop', labels: { [TEAM]: 'sales' } } });
  await cluster.run(TeamPods);
});
afterAll(() => cluster.stop());

test('pods get the team of their namespace, and keep another', async () => {
  const metadata = { namespace: 'shop' };
  const pod = await cluster.create(Pod, { metadata: { ...metadata, name: 'a' }, spec });
  expect(pod.metadata.labels).toEqual({ [TEAM]: 'sales' });
  const other = await cluster.create(Pod, { metadata: { ...metadata, name: 'b', labels: { [TEAM]: 'web' } }, spec });
  expect(other.metadata.labels).toEqual({ [TEAM]: 'web' });
});

test('pods of a namespace without a team are not reviewed', async () => {
  const pod = await cluster.create(Pod, { metadata: { name: 'a', namespace: 'default' }, spec });
  expect(pod.metadata.labels).toBeUndefined();
});

test('a pod without a team is rejected, as review shows without a server', async () => {
  const object = { metadata: { name: 'a', namespace: 'shop' }, spec };
  const { allowed, message } = await review<Pod>(TeamPods, { object });
  expect([allowed, message]).toEqual([false, `Pod "a" is invalid: metadata.labels[${TEAM}]: must name a team`]);
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { [TEAM]: 'sales' } } };
  const outcome = await review<Pod>(TeamPods, {
    object,
    objects: [{ ...namespace, metadata: { ...namespace.metadata, namespace: 'default' } }],
  });
  expect(outcome.allowed).toBe(true);
});
