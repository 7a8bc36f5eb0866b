import { describe, expect, test } from '@jest/globals';
import { convert, review, roundTrips } from 'kindwright/testing';
import { ScheduledTask, ScheduledTaskV2 } from '../../docs/examples/scheduled-task.js';

const pod = { containers: [{ name: 'task', image: 'busybox' }] };

describe('the example of a kind with two versions', () => {
  test('a task that runs every minute causes a warning', async () => {
    const object = { metadata: { name: 'a' }, spec: { schedule: '* * * * *', pod } };
    expect((await review(ScheduledTask, { object })).warnings).toEqual(['the task runs every minute']);
  });

  test('the versions of a task are converted without a server, and survive round trips', async () => {
    expect(convert(ScheduledTask, { spec: { schedule: '0 3 * * *' } }, 'v2')).toMatchObject({
      spec: { schedule: { minute: '0', hour: '3' } },
    });
    await roundTrips(ScheduledTaskV2, ScheduledTask, { examples: { 'spec.pod': [pod] }, objects: 200 });
  });
});
