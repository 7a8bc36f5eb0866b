import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, ClusterRole, loadClusterConfig } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const WIDGETS = { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get', 'patch'] };

let cluster: SuiteControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

const rulesOf = async (name: string) => (await client.get(ClusterRole, name)).rules ?? [];

test('edit contains all rules of view, and admin contains all rules of edit', async () => {
  await eventually(async () => {
    const [view, edit, admin] = await Promise.all(['view', 'edit', 'admin'].map(rulesOf));
    expect(edit).toEqual(expect.arrayContaining(view!));
    expect(admin).toEqual(expect.arrayContaining(edit!));
    expect([view!.length > 0, edit!.length > view!.length, admin!.length > edit!.length]).toEqual([true, true, true]);
  });
});

test('a role with the aggregation label adds its rules, and removes them when it is deleted', async () => {
  const labels = { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' };
  await client.create(ClusterRole, { metadata: { name: 'widgets', labels }, rules: [WIDGETS] });
  await eventually(async () => {
    expect(await rulesOf('edit')).toContainEqual(WIDGETS);
    expect(await rulesOf('admin')).toContainEqual(WIDGETS);
  });
  expect(await rulesOf('view')).not.toContainEqual(WIDGETS);
  await client.delete(ClusterRole, 'widgets');
  await eventually(async () => {
    expect(await rulesOf('edit')).not.toContainEqual(WIDGETS);
    expect(await rulesOf('admin')).not.toContainEqual(WIDGETS);
  });
});
