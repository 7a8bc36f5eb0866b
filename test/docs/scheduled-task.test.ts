import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CronJob } from 'kindwright';
import { convert, eventually, review, roundTrips, startCluster, type Cluster } from 'kindwright/testing';
import { ScheduledTask, ScheduledTaskV2 } from '../../docs/examples/scheduled-task.js';

const namespace = 'default';
const pod = { containers: [{ name: 'task', image: 'busybox' }] };

describe('the example of a kind with two versions', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
    await cluster.run(ScheduledTask, ScheduledTaskV2);
  });
  afterAll(() => cluster.stop());

  test('reconciles an object of v2 in v1, filled and validated', async () => {
    await cluster.create(ScheduledTaskV2, {
      metadata: { name: 'nightly', namespace },
      spec: { schedule: { minute: '0', hour: '3' }, pod },
    });
    await eventually(async () => {
      const { spec } = await cluster.client.get(CronJob, 'nightly', { namespace });
      expect(spec).toMatchObject({ schedule: '0 3 * * *', concurrencyPolicy: 'Forbid', failedJobsHistoryLimit: 1 });
    });
    const { spec } = await cluster.client.get(ScheduledTask, 'nightly', { namespace });
    expect(spec.schedule).toBe('0 3 * * *');
  });

  test('rejects an object of v2 by the rules of v1', async () => {
    const name = 'x'.repeat(53);
    await expect(
      cluster.create(ScheduledTaskV2, { metadata: { name, namespace }, spec: { schedule: {}, pod } }),
    ).rejects.toThrow(/must be no more than 52 characters/);
  });

  test('warns of a task that runs every minute', async () => {
    const object = { metadata: { name: 'a' }, spec: { schedule: '* * * * *', pod } };
    expect((await review(ScheduledTask, { object })).warnings).toEqual(['the task runs every minute']);
  });

  test('converts without a server, and survives round trips', async () => {
    expect(convert(ScheduledTask, { spec: { schedule: '0 3 * * *' } }, 'v2')).toMatchObject({
      spec: { schedule: { minute: '0', hour: '3' } },
    });
    const examples = { 'spec.pod': [pod] };
    await roundTrips(ScheduledTaskV2, ScheduledTask, { objects: 200, seed: 1, examples });
  });
});
