import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Job, loadClusterConfig, Pod } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

let cluster: SuiteControlPlane;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
}, 60_000);
afterAll(() => cluster.stop());

test('the Pods of a Job that a client deletes are deleted', async () => {
  const client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  const namespace = 'default';
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c' }] } };
  await client.create(Job, { metadata: { name: 'task', namespace }, spec: { template } });
  const pods = async () => (await client.list(Pod, { namespace, labelSelector: 'job-name=task' })).items.length;
  await eventually(async () => expect(await pods()).toBe(1));
  await client.delete(Job, 'task', { namespace });
  await eventually(async () => expect(await pods()).toBe(0), { timeout: '30s' });
  client.close();
});
