import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, CronJob, loadClusterConfig } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { ScheduledTask, ScheduledTaskV2 } from '../../docs/examples/scheduled-task.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const pod = { containers: [{ name: 'task', image: 'busybox' }] };
let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [ScheduledTask, ScheduledTaskV2]);
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  manager = new RunningManager(client, [ScheduledTask], { webhooks: { register: client, onServing: served } });
  await Promise.race([serving, manager.ended]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

describe("the example after kubebuilder's multi-version tutorial", () => {
  test('an object of v2 gets the defaults of the webhook of v1, is reconciled in v1 and served in both versions', async () => {
    await client.create(ScheduledTaskV2, {
      metadata: { name: 'sample', namespace },
      spec: { schedule: { minute: '*/1' }, concurrencyPolicy: 'Allow', pod },
    });
    await eventually(async () => {
      const { spec } = await client.get(CronJob, 'sample', { namespace });
      expect(spec).toMatchObject({ schedule: '*/1 * * * *', concurrencyPolicy: 'Allow', failedJobsHistoryLimit: 1 });
    });
    expect(await client.get(ScheduledTask, 'sample', { namespace })).toMatchObject({
      spec: { schedule: '*/1 * * * *', concurrencyPolicy: 'Allow', failedJobsHistoryLimit: 1 },
    });
    const { spec } = await client.get(ScheduledTaskV2, 'sample', { namespace });
    expect([spec.schedule, spec.failedJobsHistoryLimit]).toEqual([{ minute: '*/1' }, 1]);
  });

  test('an object of v2 that violates a rule of v1 is rejected', async () => {
    const metadata = { name: 'x'.repeat(53), namespace };
    await expect(client.create(ScheduledTaskV2, { metadata, spec: { schedule: {}, pod } })).rejects.toThrow(
      /must be no more than 52 characters/,
    );
  });

  test('a change of the object in either version updates its CronJob', async () => {
    const schedule = async () => (await client.get(CronJob, 'sample', { namespace })).spec.schedule;
    await client.patch(ScheduledTaskV2, 'sample', { spec: { schedule: { hour: '3' } } }, { namespace });
    await eventually(async () => expect(await schedule()).toBe('*/1 3 * * *'));
    await client.patch(ScheduledTask, 'sample', { spec: { schedule: '0 4 * * 1' } }, { namespace });
    await eventually(async () => expect(await schedule()).toBe('0 4 * * 1'));
    expect((await client.get(ScheduledTaskV2, 'sample', { namespace })).spec.schedule).toEqual({
      minute: '0',
      hour: '4',
      dayOfWeek: '1',
    });
  });
});
