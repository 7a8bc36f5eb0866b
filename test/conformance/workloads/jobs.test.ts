import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, conditionOf, items, phaseOf } from '../controllers/cluster-suite.js';

const JOBS = 'batch/v1/jobs';
const INDEX = 'batch.kubernetes.io/job-completion-index';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

/** A Job with pods that fit no node, so that the test sets how they end. */
const newJob = (spec: object = {}, podSpec: object = {}): Promise<Json> =>
  suite.create(JOBS, 'Job', 'job', {
    spec: {
      template: {
        spec: {
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 0,
          nodeSelector: { no: 'where' },
          containers: [{ name: 'c', image: 'i' }],
          ...podSpec,
        },
      },
      ...spec,
    },
  });
const indexed = (spec: object = {}): Promise<Json> =>
  newJob({ completionMode: 'Indexed', parallelism: 3, completions: 3, ...spec });
const change = (spec: object): Promise<Json> => suite.patch(suite.path(JOBS, 'job'), { spec });
const statusOnce = async (wanted: object): Promise<Json> => {
  const fields = Object.entries(wanted) as [string, unknown][];
  const { status } = await suite.once(suite.path(JOBS, 'job'), ({ status: now }) =>
    fields.every(([field, value]) => (now?.[field] ?? (typeof value === 'number' ? 0 : undefined)) === value),
  );
  return status!;
};
const conditionOnce = async (type: string): Promise<Json> => {
  const job = await suite.once(suite.path(JOBS, 'job'), (found) => conditionOf(found, type) !== undefined);
  return conditionOf(job, type)!;
};
const waiting = async (): Promise<Json[]> => {
  const { body } = await suite.get(suite.path('pods'));
  return items(body).filter((pod) => phaseOf(pod) === 'Pending' && pod.metadata!.deletionTimestamp === undefined);
};
/** Has pods end: all, or those of the indexes. */
const end = async (exitCode: number, indexes?: readonly number[], conditions: object[] = []): Promise<void> => {
  for (const { metadata } of await waiting()) {
    if (indexes?.includes(Number(metadata!.annotations![INDEX])) === false) continue;
    const state = {
      terminated: { exitCode, reason: 'Ended', finishedAt: new Date().toISOString().replace(/\.\d+/, '') },
    };
    const container = { name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state };
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    const status = { phase, conditions, containerStatuses: [container] };
    await suite.patch(`${suite.path('pods', text(metadata!.name))}/status`, { status });
  }
};

describe('a Job', () => {
  test('a Job waits before it replaces a failed pod', async () => {
    await newJob({ backoffLimit: 3 });
    await statusOnce({ active: 1 });
    await end(1);
    await statusOnce({ active: 0, failed: 1 });
    expect(await waiting()).toEqual([]);
    await statusOnce({ active: 1, failed: 1 });
  });

  test('a Job fails when all of its pods fail', async () => {
    await newJob({ parallelism: 2, completions: 4, backoffLimit: 0 });
    await statusOnce({ active: 2 });
    const [{ metadata }] = (await waiting()) as [Json];
    await suite.patch(`${suite.path('pods', text(metadata!.name))}/status`, { status: { phase: 'Failed' } });
    expect(await conditionOnce('Failed')).toMatchObject({
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    });
    await statusOnce({ failed: 2, active: 0, terminating: 0 });
  });

  test('a Job counts a pod as failed that was deleted by others, but not its own deletions', async () => {
    await newJob({ parallelism: 3, completions: 5 });
    await statusOnce({ active: 3 });
    await change({ parallelism: 1 });
    await statusOnce({ active: 1, failed: 0, terminating: 0 });
    const [{ metadata }] = (await waiting()) as [Json];
    await suite.requests.send('DELETE', suite.path('pods', text(metadata!.name)));
    await statusOnce({ active: 0, failed: 1 });
  });

  test('a suspended Job has no start time', async () => {
    await newJob({ parallelism: 2 });
    await statusOnce({ active: 2 });
    await change({ suspend: true });
    await conditionOnce('Suspended');
    const status = await statusOnce({ active: 0, terminating: 0 });
    expect(status).not.toHaveProperty('startTime');
    await change({ suspend: false });
    expect(await statusOnce({ active: 2, failed: 0 })).toHaveProperty('startTime');
  });

  test('a Job of another controller is not changed', async () => {
    await newJob({ managedBy: 'example.com/other' });
    await suite.create(JOBS, 'Job', 'own', { spec: { suspend: true, template: { spec: podOf() } } });
    await suite.once(suite.path(JOBS, 'own'), (job) => conditionOf(job, 'Suspended') !== undefined);
    expect((await suite.get(suite.path(JOBS, 'job'))).body.status).toEqual({});
    expect(await waiting()).toEqual([]);
  });

  test('a Job reports why its pods cannot be created', async () => {
    await suite.requests.quota(suite.namespace, 'none', { hard: { pods: '0' } });
    await newJob();
    const [told] = await suite.messages('job', 'FailedCreate');
    expect(told).toMatch(/^Error creating: pods "job-\w{5}" is forbidden: exceeded quota: none, /);
    // The Event may arrive before the status.
    await suite.once(suite.path(JOBS, 'job'), ({ status }) => status?.['startTime'] !== undefined);
    await statusOnce({ active: 0, ready: 0 });
  });

  test('a Job follows its podFailurePolicy', async () => {
    const rules = [
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [42] } },
    ];
    await newJob({ parallelism: 2, completions: 2, podFailurePolicy: { rules } });
    await statusOnce({ active: 2 });
    const [{ metadata }] = (await waiting()) as [Json];
    const conditions = [{ type: 'DisruptionTarget', status: 'True' }];
    const path = suite.path('pods', text(metadata!.name));
    await suite.patch(`${path}/status`, { status: { phase: 'Failed', conditions } });
    await statusOnce({ active: 1, failed: 0 });
    await end(42);
    const { reason, message } = await conditionOnce('Failed');
    expect(text(reason)).toBe('PodFailurePolicy');
    expect(text(message)).toMatch(
      /^Container c for pod test-\w+\/job-\w+ failed with exit code 42 matching FailJob rule at index 1$/,
    );
    await statusOnce({ failed: 1 });
  });
});

describe('an indexed Job', () => {
  test('an indexed Job sets the index in its containers', async () => {
    await indexed();
    await statusOnce({ active: 3 });
    const [pod] = await waiting();
    const [container] = pod!.spec!.containers as unknown as Json[];
    expect(container!.env).toEqual([
      {
        name: 'JOB_COMPLETION_INDEX',
        valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${INDEX}']` } },
      },
    ]);
  });

  test('an indexed Job fails once every index has ended and one failed too often', async () => {
    await indexed({ backoffLimitPerIndex: 0 });
    await statusOnce({ active: 3, failedIndexes: '' });
    await end(1, [1]);
    await statusOnce({ active: 2, failed: 1, failedIndexes: '1' });
    await end(0);
    expect(await conditionOnce('Failed')).toMatchObject({ reason: 'FailedIndexes', message: 'Job has failed indexes' });
    await statusOnce({ succeeded: 2, completedIndexes: '0,2', failedIndexes: '1' });
  });

  test('an indexed Job fails when too many indexes failed', async () => {
    await indexed({ backoffLimitPerIndex: 0, maxFailedIndexes: 1 });
    await statusOnce({ active: 3 });
    await end(1, [0, 1]);
    expect(await conditionOnce('Failed')).toMatchObject({ reason: 'MaxFailedIndexesExceeded' });
    await statusOnce({ failed: 3, active: 0 });
  });

  test('an indexed Job retries an index, and sets the number of failures in its pod', async () => {
    await indexed({ completions: 1, parallelism: 1, backoffLimitPerIndex: 1 });
    await statusOnce({ active: 1 });
    await end(1);
    await suite.once(suite.path('pods'), (list) => items(list).length === 2);
    const [pod] = await waiting();
    expect(text(pod!.metadata!.annotations!['batch.kubernetes.io/job-index-failure-count'])).toBe('1');
    await end(1);
    expect(await conditionOnce('Failed')).toMatchObject({ reason: 'FailedIndexes' });
  });

  test('an indexed Job fails an index according to its podFailurePolicy', async () => {
    const rules = [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } }];
    await indexed({ backoffLimitPerIndex: 5, podFailurePolicy: { rules } });
    await statusOnce({ active: 3 });
    await end(42, [0]);
    await statusOnce({ active: 2, failed: 1, failedIndexes: '0' });
  });

  test('an indexed Job is complete when the required indexes succeeded', async () => {
    await indexed({ successPolicy: { rules: [{ succeededIndexes: '1-2', succeededCount: 1 }] } });
    await statusOnce({ active: 3 });
    await end(0, [2]);
    expect(await conditionOnce('SuccessCriteriaMet')).toMatchObject({
      reason: 'SuccessPolicy',
      message: 'Matched rules at index 0',
    });
    await conditionOnce('Complete');
    await statusOnce({ succeeded: 1, failed: 0, active: 0, completedIndexes: '2' });
  });
});

const podOf = (): object => ({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] });
