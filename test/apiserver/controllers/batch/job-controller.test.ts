import { afterEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../../../src/base/fake-clock.js';
import type { EmbeddedApiServerOptions } from '../../../../src/apiserver/embedded-api-server.js';
import { text } from '../../api-client.js';
import { ClusterTest, holding, phaseOf } from '../cluster-test.js';

let cluster: ClusterTest;
afterEach(() => cluster.stop());

async function newJob(options: EmbeddedApiServerOptions, spec: object = {}): Promise<string> {
  cluster = await ClusterTest.start(options);
  return cluster.create('batch/v1', 'jobs', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }, ...spec },
  });
}

const ended = (status: Readonly<Record<string, unknown>>): boolean =>
  holding(status).some((type) => type === 'Complete' || type === 'Failed');

describe('a Job', () => {
  test('a Job is complete once its pods succeeded', async () => {
    const status = await statusAtTheEnd({}, { completions: 3, parallelism: 2 });
    expect([status.succeeded, holding(status)]).toEqual([3, ['SuccessCriteriaMet', 'Complete']]);
  });

  test('a Job fails when more pods failed than it allows', async () => {
    const clock = new FakeClock();
    const path = await newJob({ clock, planPod: () => ({ exitCode: 1 }) }, { backoffLimit: 2 });
    for (const [failures, backoffMs] of [
      [1, 10_000],
      [2, 20_000],
    ] as const) {
      await cluster.statusOnce(path, ({ failed }) => failed === failures);
      await clock.advance(backoffMs);
    }
    const status = await cluster.statusOnce(path, ended);
    expect([status.failed, holding(status)]).toEqual([3, ['FailureTarget', 'Failed']]);
  });

  test('a Job continues after a failed pod', async () => {
    let failures = 1;
    const clock = new FakeClock();
    const path = await newJob({ clock, planPod: () => (failures-- > 0 ? { exitCode: 1 } : undefined) });
    await cluster.statusOnce(path, ({ failed }) => failed === 1);
    await clock.advance(10_000);
    const status = await cluster.statusOnce(path, ended);
    expect([status.failed, status.succeeded]).toEqual([1, 1]);
  });

  test('a Job runs no more pods at the same time than its parallelism', async () => {
    const path = await newJob({ planPod: () => ({ runMs: 60_000 }) }, { completions: 5, parallelism: 2 });
    await cluster.statusOnce(path, ({ ready }) => ready === 2);
    expect((await cluster.pods()).map(phaseOf)).toEqual(['Running', 'Running']);
  });

  test('an indexed Job gives each pod an index', async () => {
    const status = await statusAtTheEnd({}, { completions: 3, parallelism: 3, completionMode: 'Indexed' });
    expect(text(status.completedIndexes)).toBe('0-2');
  });

  test('a suspended Job runs no pods', async () => {
    const path = await newJob({}, { suspend: true });
    await cluster.statusOnce(path, (status) => holding(status).includes('Suspended'));
    expect(await cluster.pods()).toEqual([]);
  });

  test('a Job fails at its deadline, and ends its pods', async () => {
    const clock = new FakeClock();
    const path = await newJob({ clock, planPod: () => ({ runMs: 3_600_000 }) }, { activeDeadlineSeconds: 60 });
    await cluster.statusOnce(path, ({ ready }) => ready === 1);
    await clock.advance(61_000);
    expect(holding(await cluster.statusOnce(path, ended))).toEqual(['FailureTarget', 'Failed']);
  });

  test('a deleted Job deletes its running pods', async () => {
    const path = await newJob({ planPod: () => ({ runMs: 3_600_000 }) });
    await cluster.statusOnce(path, ({ ready }) => ready === 1);
    await cluster.api.send('DELETE', path, { propagationPolicy: 'Background' });
    expect(await cluster.podsOnce((pods) => pods.length === 0)).toEqual([]);
  });

  test('a finished Job is deleted after ttlSecondsAfterFinished', async () => {
    const clock = new FakeClock();
    const path = await newJob({ clock }, { ttlSecondsAfterFinished: 100 });
    await cluster.statusOnce(path, ended);
    await clock.advance(101_000);
    expect((await cluster.api.until(path, ({ code }) => code === 404)).code).toBe(404);
  });
});

async function statusAtTheEnd(options: EmbeddedApiServerOptions, spec: object = {}) {
  const path = await newJob(options, spec);
  return cluster.statusOnce(path, ended);
}
