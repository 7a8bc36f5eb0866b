import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Context, CustomResource, Deployment, Field, Kind, loadClusterConfig, Rbac } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;
const errors: unknown[] = [];

class StopwatchSpec {
  @Field({ optional: true }) startedAt?: Date;
  @Field({ optional: true }) stoppedAt?: Date;
  @Field() replicas!: string;
}

@Kind({ group: 'values.example.com', version: 'v1', plural: 'stopwatches' })
@Rbac(Deployment, 'patch')
class Stopwatch extends CustomResource {
  @Field() spec!: StopwatchSpec;

  async reconcile(ctx: Context): Promise<void> {
    await ctx.update(Stopwatch, this, ({ spec }) => {
      spec.stoppedAt = new Date('2026-01-02T03:04:06Z');
    });
    const replicas = Number.parseInt(this.spec.replicas, 10);
    const { name } = this.metadata;
    await ctx.patch(Deployment, name, { spec: { replicas } }).catch((error: unknown) => errors.push(error));
  }
}

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Stopwatch]);
  manager = await RunningManager.start(client, [Stopwatch]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

test('ctx.update writes an object with Dates, and ctx.patch rejects NaN instead of writing null', async () => {
  const name = 'a';
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'nginx' }] } };
  await client.create(Deployment, {
    metadata: { name, namespace },
    spec: { replicas: 5, selector: { matchLabels: labels }, template },
  });
  const startedAt = new Date('2026-01-02T03:04:05Z');
  await client.create(Stopwatch, { metadata: { name, namespace }, spec: { startedAt, replicas: 'many' } });
  await eventually(async () => {
    const { spec } = await client.get(Stopwatch, name, { namespace });
    expect(spec).toEqual({
      startedAt: '2026-01-02T03:04:05Z',
      stoppedAt: '2026-01-02T03:04:06Z',
      replicas: 'many',
    });
  });
  await eventually(() => {
    expect(errors[0]).toMatchObject({
      code: 'E_NO_JSON',
      message: expect.stringContaining('Deployment.spec.replicas'),
    });
  });
  expect((await client.get(Deployment, name, { namespace })).spec?.replicas).toBe(5);
});
