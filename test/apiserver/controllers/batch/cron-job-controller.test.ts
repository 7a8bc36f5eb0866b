import { afterEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../../../src/base/fake-clock.js';
import { ClusterTest, items, nameOf } from '../cluster-test.js';

const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const START = Date.UTC(2026, 0, 1);

let cluster: ClusterTest;
let clock: FakeClock;
afterEach(() => cluster.stop());

async function newCronJob(spec: object = {}, runMs = 0): Promise<string> {
  clock = new FakeClock(START);
  cluster = await ClusterTest.start({ clock, planPod: () => ({ runMs }) });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  return cluster.create('batch/v1', 'cronjobs', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '*/10 * * * *', jobTemplate: { spec: { template } }, ...spec },
  });
}

const jobAt = (minutes: number): string => `tick-${START / 60_000 + minutes}`;

/** The message of the first event of the reason, once there is one. */
async function told(reason: string): Promise<unknown> {
  const events = `/api/v1/namespaces/default/events?fieldSelector=reason=${reason},involvedObject.kind=CronJob`;
  const reply = await cluster.api.until(events, (found) => items(found).length > 0);
  return items(reply)[0]!.message;
}

describe('a CronJob', () => {
  test('a CronJob starts its Job at its time', async () => {
    const path = await newCronJob();
    await clock.advance(10 * 60_000);
    const status = await cluster.statusOnce(path, ({ lastSuccessfulTime }) => lastSuccessfulTime !== undefined);
    expect(status.lastScheduleTime).toBe('2026-01-01T00:10:00Z');
    expect(items(await cluster.api.send('GET', JOBS)).map(nameOf)).toEqual([jobAt(10)]);
  });

  test('a CronJob uses the clock of its time zone', async () => {
    const path = await newCronJob({ schedule: '40 5 * * *', timeZone: 'Asia/Kolkata' });
    await clock.advance(10 * 60_000);
    await cluster.statusOnce(path, ({ lastScheduleTime }) => lastScheduleTime === '2026-01-01T00:10:00Z');
    const { body } = await cluster.api.send('GET', `${JOBS}/${jobAt(10)}`);
    expect(body.metadata!.annotations).toEqual({
      'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T05:40:00+05:30',
    });
  });

  test('a CronJob starts only the last of the runs it missed', async () => {
    const path = await newCronJob({ suspend: true });
    await clock.advance(35 * 60_000);
    await cluster.api.patch(path, 'merge', { spec: { suspend: false } });
    await cluster.statusOnce(path, ({ lastScheduleTime }) => lastScheduleTime !== undefined);
    expect(items(await cluster.api.send('GET', JOBS)).map(nameOf)).toEqual([jobAt(30)]);
  });

  test('a CronJob with concurrencyPolicy Replace replaces a running Job', async () => {
    const path = await newCronJob({ concurrencyPolicy: 'Replace' }, 3_600_000);
    await clock.advance(10 * 60_000);
    await cluster.api.until(`${JOBS}/${jobAt(10)}`, ({ code }) => code === 200);
    await clock.advance(10 * 60_000);
    await cluster.statusOnce(path, ({ lastScheduleTime }) => lastScheduleTime === '2026-01-01T00:20:00Z');
    const left = await cluster.api.until(JOBS, (reply) => items(reply).length === 1);
    expect(items(left).map(nameOf)).toEqual([jobAt(20)]);
  });

  test('a CronJob whose time never comes has an event', async () => {
    await newCronJob({ schedule: '59 23 31 2 *' });
    expect(await told('InvalidSchedule')).toBe(
      'invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second',
    );
  });

  test('a CronJob has events about its Jobs', async () => {
    await newCronJob({ successfulJobsHistoryLimit: 0 }, 1000);
    await clock.advance(10 * 60_000);
    expect(await told('SuccessfulCreate')).toBe(`Created job ${jobAt(10)}`);
    await clock.advance(2000);
    expect(await told('SawCompletedJob')).toBe(`Saw completed job: ${jobAt(10)}, condition: Complete`);
    expect(await told('SuccessfulDelete')).toBe(`Deleted job ${jobAt(10)}`);
  });

  test('a CronJob has an event about a run that waits for the previous one', async () => {
    await newCronJob({ concurrencyPolicy: 'Forbid' }, 3_600_000);
    await clock.advance(10 * 60_000);
    await told('SuccessfulCreate');
    await clock.advance(10 * 60_000);
    expect(await told('JobAlreadyActive')).toMatch(/^Not starting job because prior execution is running/);
  });
});
