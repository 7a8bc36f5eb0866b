import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';
import { podSpec, workload, workloadChange, workloadOperations } from './workload-kinds.js';

const statefulSet: RandomKind = {
  title: 'StatefulSet',
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  subresources: ['status', 'scale'],
  body: (choose) => ({
    spec: {
      ...workload(choose),
      ...choose.maybe(0.7, { serviceName: choose.pick(['s', 's', 't', 'Bad_Name']) }),
      ...choose.maybe(0.2, { podManagementPolicy: choose.pick(['Parallel', 'OrderedReady', 'Odd']) }),
      ...choose.maybe(0.2, {
        updateStrategy: choose.pick([
          { type: 'OnDelete' },
          { type: 'RollingUpdate', rollingUpdate: { partition: choose.pick([0, 2, -1]) } },
          { type: 'OnDelete', rollingUpdate: { partition: 1 } },
          { type: 'Odd' },
        ]),
      }),
      ...choose.maybe(0.1, { persistentVolumeClaimRetentionPolicy: { whenDeleted: choose.pick(['Delete', 'Odd']) } }),
      ...choose.maybe(0.1, { ordinals: { start: choose.pick([1, -1]) } }),
    },
  }),
  change: workloadChange,
  operations: workloadOperations,
  status: (choose) => ({
    replicas: choose.pick([1, 2, -1]),
    ...choose.maybe(0.5, { readyReplicas: choose.pick([1, 5]) }),
  }),
};

const daemonSet: RandomKind = {
  title: 'DaemonSet',
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  subresources: ['status'],
  body: (choose) => {
    const { replicas: _, ...spec } = workload(choose) as { replicas?: number };
    const strategy = choose.pick([
      { type: 'OnDelete' },
      { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: choose.pick([1, 0, '120%', 'x']) } },
      { rollingUpdate: { maxSurge: choose.pick([1, 0]), maxUnavailable: choose.pick([0, 1]) } },
      { type: 'Odd' },
    ]);
    return { spec: { ...spec, ...choose.maybe(0.3, { updateStrategy: strategy }) } };
  },
  change: (choose) =>
    choose.pick([
      { spec: { template: { spec: { containers: [{ name: 'c', image: 'new:1' }] } } } },
      { spec: { minReadySeconds: choose.pick([5, -1]) } },
      { spec: { selector: { matchLabels: { app: 'z' } } } },
    ]),
  operations: (choose) => [{ op: 'add', path: '/spec/minReadySeconds', value: choose.pick([1, -1, '3']) }],
  status: (choose) => ({
    currentNumberScheduled: choose.pick([1, -1]),
    numberMisscheduled: 0,
    desiredNumberScheduled: 1,
    numberReady: 1,
  }),
};

function jobSpec(choose: Chooser): object {
  return {
    template: { ...choose.maybe(0.2, { metadata: { labels: { app: 'a' } } }), spec: jobPod(choose) },
    ...choose.maybe(0.3, { completions: choose.pick([1, 3, -1]) }),
    ...choose.maybe(0.3, { parallelism: choose.pick([1, 2, -1]) }),
    ...choose.maybe(0.2, { backoffLimit: choose.pick([0, 4, -1]) }),
    ...choose.maybe(0.1, { activeDeadlineSeconds: choose.pick([5, -1]) }),
    ...choose.maybe(0.1, { ttlSecondsAfterFinished: choose.pick([5, -1]) }),
    ...choose.maybe(0.2, { completionMode: choose.pick(['Indexed', 'NonIndexed', 'Odd']) }),
    ...choose.maybe(0.1, { suspend: true }),
    ...choose.maybe(0.1, { backoffLimitPerIndex: 1 }),
    ...choose.maybe(0.1, { manualSelector: choose.pick([true, false]) }),
    ...choose.maybe(0.1, { selector: { matchLabels: { app: 'a' } } }),
    ...choose.maybe(0.05, { podReplacementPolicy: choose.pick(['Failed', 'TerminatingOrFailed', 'Odd']) }),
  };
}

function jobPod(choose: Chooser): object {
  return {
    ...podSpec(choose),
    ...choose.maybe(0.9, { restartPolicy: choose.pick(['Never', 'OnFailure', 'Never', 'Odd']) }),
  };
}

const job: RandomKind = {
  title: 'Job',
  apiVersion: 'batch/v1',
  kind: 'Job',
  plural: 'jobs',
  subresources: ['status'],
  fieldSelectors: ['status.successful=0', 'status.successful=1'],
  body: (choose) => ({ spec: jobSpec(choose) }),
  change: (choose) =>
    choose.pick([
      { spec: { parallelism: choose.pick([2, -1]) } },
      { spec: { suspend: choose.pick([true, false]) } },
      { spec: { completions: 5 } },
      { spec: { template: { spec: { restartPolicy: 'OnFailure' } } } },
    ]),
  operations: (choose) => [{ op: 'replace', path: '/spec/parallelism', value: choose.pick([1, 2, -1, 'x']) }],
  status: (choose) => ({ active: choose.pick([1, -1]), ...choose.maybe(0.3, { succeeded: 1 }) }),
};

const cronJob: RandomKind = {
  title: 'CronJob',
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.97, {
        schedule: choose.pick(['* * * * *', '*/5 1 * * 1-5', '@daily', '*/0 * * * *', 'x', '']),
      }),
      jobTemplate: { spec: jobSpec(choose) },
      ...choose.maybe(0.2, { concurrencyPolicy: choose.pick(['Forbid', 'Replace', 'Odd']) }),
      ...choose.maybe(0.2, { timeZone: choose.pick(['Etc/UTC', 'Europe/Berlin', 'Nowhere/Land', '']) }),
      ...choose.maybe(0.1, { startingDeadlineSeconds: choose.pick([10, -1]) }),
      ...choose.maybe(0.1, { successfulJobsHistoryLimit: choose.pick([0, -1]) }),
      ...choose.maybe(0.1, { suspend: true }),
    },
  }),
  change: (choose) =>
    choose.pick([
      { spec: { schedule: choose.pick(['0 0 * * *', 'y']) } },
      { spec: { suspend: choose.pick([true, false]) } },
      { spec: { jobTemplate: { spec: { parallelism: choose.pick([2, -1]) } } } },
    ]),
  operations: (choose) => [{ op: 'replace', path: '/spec/suspend', value: choose.pick([true, false, 'x']) }],
  status: () => ({ lastScheduleTime: '2026-01-01T00:00:00Z' }),
};

function metrics(choose: Chooser): object[] {
  const target = choose.pick([
    { type: 'Utilization', averageUtilization: choose.pick([50, 0]) },
    { type: 'AverageValue', averageValue: '100m' },
    { type: 'Odd' },
  ]);
  return choose.pick([
    [{ type: 'Resource', resource: { name: choose.pick(['cpu', 'memory']), target } }],
    [{ type: 'Resource' }],
    [{ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } } }],
    [],
  ]);
}

const autoscaler: RandomKind = {
  title: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.97, {
        scaleTargetRef: {
          apiVersion: 'apps/v1',
          kind: choose.pick(['Deployment', '']),
          ...choose.maybe(0.9, { name: 'd' }),
        },
      }),
      ...choose.maybe(0.5, { minReplicas: choose.pick([1, 2, 0]) }),
      maxReplicas: choose.pick([3, 5, 0]),
      ...choose.maybe(0.5, { metrics: metrics(choose) }),
      ...choose.maybe(0.2, {
        behavior: { scaleDown: { stabilizationWindowSeconds: choose.pick([10, -1]) } },
      }),
    },
  }),
  change: (choose) => choose.pick([{ spec: { maxReplicas: choose.pick([7, 0]) } }, { spec: { minReplicas: null } }]),
  operations: (choose) => [{ op: 'replace', path: '/spec/maxReplicas', value: choose.pick([4, -1, 'x']) }],
  status: (choose) => ({ currentReplicas: choose.pick([1, -1]), desiredReplicas: 1 }),
};

const budget: RandomKind = {
  title: 'PodDisruptionBudget',
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.7, { minAvailable: choose.pick([1, '50%', -1, 'x', '150%']) }),
      ...choose.maybe(0.4, { maxUnavailable: choose.pick([1, '50%', -1]) }),
      ...choose.maybe(0.9, {
        selector: choose.pick([
          { matchLabels: { app: 'a' } },
          {},
          { matchExpressions: [{ key: 'a', operator: choose.pick(['In', 'Exists', 'Odd']), values: ['b'] }] },
        ]),
      }),
      ...choose.maybe(0.1, { unhealthyPodEvictionPolicy: choose.pick(['AlwaysAllow', 'Odd']) }),
    },
  }),
  change: (choose) => choose.pick([{ spec: { minAvailable: choose.pick([2, null]) } }, { spec: { selector: null } }]),
  operations: (choose) => [{ op: 'add', path: '/spec/minAvailable', value: choose.pick([3, -1]) }],
  status: (choose) => ({
    disruptionsAllowed: choose.pick([1, -1]),
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
  }),
};

export const BATCH_KINDS: readonly RandomKind[] = [statefulSet, daemonSet, job, cronJob, autoscaler, budget];
