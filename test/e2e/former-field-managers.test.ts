import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  type Context,
  Controller,
  CustomResource,
  Deployment,
  Kind,
  loadClusterConfig,
  Owns,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { grantedClient } from './granted-account.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';

@Kind({ group: 'former.example.com', version: 'v1', kind: 'Web' })
@Owns(Deployment)
class EarlierWeb extends CustomResource {
  async reconcile(ctx: Context): Promise<void> {
    const labels = { app: this.metadata.name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
    await ctx.apply(Deployment, {
      metadata: { name: this.metadata.name },
      spec: { replicas: 0, selector: { matchLabels: labels }, template },
    });
  }
}

@Kind({ group: 'former.example.com', version: 'v1' })
@Controller({ formerFieldManagers: ['manager'] })
class Web extends EarlierWeb {}

let cluster: SuiteControlPlane;
let client: Client;
let operator: Client;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Web]);
  operator = await grantedClient(cluster, client, 'former-managers', [Web]);
});
afterAll(async () => {
  operator.close();
  client.close();
  await cluster.stop();
});

/** What an operator that writes by updates has made, with a variable that the new one does not have. */
async function createAsFormer(name: string): Promise<void> {
  const { uid = '' } = (await client.create(Web, { metadata: { name, namespace } })).metadata;
  const labels = { app: name };
  const container = { name: 'web', image: 'nginx', env: [{ name: 'OLD', value: '1' }] };
  const owner = {
    apiVersion: 'former.example.com/v1',
    kind: 'Web',
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const deployment: Deployment = {
    metadata: { name, namespace, ownerReferences: [owner], annotations: { note: 'old' } },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
  await client.create(Deployment, deployment, { fieldManager: 'manager' });
  await client.patch(
    Deployment,
    name,
    { metadata: { annotations: { 'example.com/user': 'kept' } } },
    { namespace, fieldManager: 'kubectl-annotate' },
  );
}

test('fields that a former operator has written by updates are removed by one change, and those of others stay', async () => {
  await createAsFormer('early');
  const manager = await RunningManager.start(operator, [Web]);
  try {
    await eventually(async () => {
      const { metadata, spec } = await client.get(Deployment, 'early', { namespace });
      expect(spec?.template.spec?.containers[0]?.env).toBeUndefined();
      expect(metadata.annotations).toMatchObject({ 'example.com/user': 'kept' });
      expect(metadata.annotations).not.toHaveProperty('note');
      expect(metadata.generation).toBe(3); // the annotation of the user was the second
    });
    await manager.logged(/Took over the fields of a former field manager/);
  } finally {
    await manager.stop();
  }
});

test('fields that remain after a release without the option are removed by a release with it', async () => {
  await createAsFormer('late');
  const first = await RunningManager.start(operator, [EarlierWeb]);
  await eventually(async () => {
    const { metadata } = await client.get(Deployment, 'late', { namespace });
    const entries = (metadata as { managedFields?: { manager?: string }[] }).managedFields ?? [];
    expect(entries.map(({ manager }) => manager)).toContain('web');
  });
  await first.stop();
  expect((await client.get(Deployment, 'late', { namespace })).spec?.template.spec?.containers[0]?.env).toHaveLength(1);
  const second = await RunningManager.start(operator, [Web]);
  await eventually(async () => {
    const { spec } = await client.get(Deployment, 'late', { namespace });
    expect(spec?.template.spec?.containers[0]?.env).toBeUndefined();
  });
  await second.stop();
});
