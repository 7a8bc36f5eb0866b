import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from 'kindwright/testing';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, conditionOf } from '../controllers/cluster-suite.js';
import { MetricsServer } from './metrics-server.js';
import { limitTests } from '../../time-limits.js';

// Autoscalers are looked at each 15 seconds: all of them are made at once.
limitTests(120_000);
const AUTOSCALERS = 'autoscaling/v2/horizontalpodautoscalers';

const cpu = (averageUtilization: number): object => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const CPU = cpu(50);
const average = (averageValue: string): object => ({ type: 'AverageValue', averageValue });

interface Case {
  readonly replicas?: number;
  readonly maxReplicas?: number;
  readonly metrics: readonly object[];
  readonly behavior?: object;
}

const CASES: Readonly<Record<string, Case>> = {
  steady: { metrics: [CPU] },
  idle: { replicas: 4, metrics: [CPU] },
  shrinking: {
    replicas: 4,
    metrics: [CPU],
    behavior: {
      scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 600 }] },
    },
  },
  tolerant: { metrics: [CPU], behavior: { scaleUp: { tolerance: '0.5' } } },
  partial: { metrics: [CPU] },
  memory: { metrics: [{ type: 'Resource', resource: { name: 'memory', target: average('100Mi') } }] },
  container: {
    metrics: [
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 50 } },
      },
    ],
  },
  pods: { metrics: [{ type: 'Pods', pods: { metric: { name: 'rps' }, target: average('10') } }] },
  object: {
    maxReplicas: 3,
    metrics: [
      {
        type: 'Object',
        object: {
          metric: { name: 'hits' },
          describedObject: { apiVersion: 'v1', kind: 'Service', name: 'front' },
          target: { type: 'Value', value: '100' },
        },
      },
    ],
  },
  external: { metrics: [{ type: 'External', external: { metric: { name: 'queue' }, target: average('10') } }] },
  mixed: {
    metrics: [{ type: 'External', external: { metric: { name: 'unknown' }, target: average('10') } }, CPU],
  },
  unknown: {
    metrics: [{ type: 'External', external: { metric: { name: 'unknown' }, target: average('10') } }, cpu(1000)],
  },
  // Created last and checked first: it has six replicas 15 seconds after it has four.
  busy: { metrics: [CPU] },
};

/** What all pods of an app use of the CPU, in thousandths. */
const USAGE: Readonly<Record<string, number>> = {
  busy: 300,
  steady: 104,
  idle: 40,
  shrinking: 40,
  tolerant: 140,
  partial: 300,
  container: 150,
  mixed: 150,
  unknown: 150,
};
const METRICS: Readonly<Record<string, (count: number) => string>> = {
  'rps of pods': (count) => String(40 / count),
  'hits of services/front': () => '150',
  'queue of external': () => '30500m',
};

let suite: ClusterSuite;
let metrics: MetricsServer;
beforeAll(async () => {
  suite = await ClusterSuite.start();
  await suite.begin();
  metrics = await MetricsServer.start(suite, {
    usage: (app, index, count) => {
      if (app === 'partial' && index > 0) return undefined;
      const used = `${Math.floor((USAGE[app] ?? count) / count)}m`;
      return { cpu: used, memory: `${Math.floor(300 / count)}Mi` };
    },
    metric: (name, about, count) => METRICS[`${name} of ${about}`]?.(count),
  });
  for (const [name, each] of Object.entries(CASES)) await create(name, each);
});
afterAll(async () => {
  await metrics.stop();
  await suite.stop();
});

async function create(name: string, { replicas = 2, maxReplicas = 10, metrics: specs, behavior }: Case): Promise<void> {
  const container = { name: 'c', image: 'i', resources: { requests: { cpu: '100m', memory: '200Mi' } } };
  const template = { metadata: { labels: { app: name } }, spec: { containers: [container] } };
  await suite.create('apps/v1/deployments', 'Deployment', name, {
    spec: { replicas, selector: { matchLabels: { app: name } }, template },
  });
  await suite.once(suite.path('apps/v1/deployments', name), ({ status }) => Number(status?.readyReplicas) === replicas);
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
  const spec = { minReplicas: 1, maxReplicas, scaleTargetRef, metrics: specs, behavior };
  await suite.create(AUTOSCALERS, 'HorizontalPodAutoscaler', name, { spec });
}

const statusOnce = (name: string, isWanted: (status: Json) => boolean): Promise<Json> =>
  eventually(
    async () => {
      const { body } = await suite.get(suite.path(AUTOSCALERS, name));
      if (!isWanted(body.status ?? {})) throw new Error(JSON.stringify(body.status));
      return body;
    },
    { timeout: '60s', interval: '250ms' },
  );
const told = (autoscaler: Json, type: string): unknown => {
  const { status, reason, message } = conditionOf(autoscaler, type) ?? {};
  return [text(status), text(reason), text(message)];
};
const UTILIZATION = 'cpu resource utilization (percentage of request)';

describe('an autoscaler with metrics', () => {
  test('an autoscaler computes the replicas from the utilization, but at most doubles them', async () => {
    const autoscaler = await statusOnce('busy', ({ desiredReplicas }) => Number(desiredReplicas) === 4);
    expect(autoscaler.status!.currentMetrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 150, averageValue: '150m' } } },
    ]);
    expect(told(autoscaler, 'AbleToScale')).toEqual([
      'True',
      'SucceededRescale',
      'the HPA controller was able to update the target scale to 4',
    ]);
    expect(told(autoscaler, 'ScalingActive')).toEqual([
      'True',
      'ValidMetricFound',
      `the HPA was able to successfully calculate a replica count from ${UTILIZATION}`,
    ]);
    expect(told(autoscaler, 'ScalingLimited')).toEqual([
      'True',
      'ScaleUpLimit',
      'the desired replica count is increasing faster than the maximum scale rate',
    ]);
    expect(await suite.event('busy', 'SuccessfulRescale')).toMatchObject({
      message: `New size: 4; reason: ${UTILIZATION} above target`,
    });
  });

  test.each([
    ['steady', 'ReadyForNewScale', 2, 52],
    ['tolerant', 'ReadyForNewScale', 2, 70],
    ['idle', 'ScaleDownStabilized', 4, 10],
  ])('an autoscaler does not change a target that is %s', async (name, reason, replicas, averageUtilization) => {
    const autoscaler = await statusOnce(name, ({ desiredReplicas }) => Number(desiredReplicas) > 0);
    expect(told(autoscaler, 'AbleToScale')).toEqual(['True', reason, expect.any(String)]);
    expect(told(autoscaler, 'ScalingLimited')).toEqual([
      'False',
      'DesiredWithinRange',
      'the desired count is within the acceptable range',
    ]);
    expect(autoscaler.status).toMatchObject({
      currentReplicas: replicas,
      desiredReplicas: replicas,
      currentMetrics: [{ resource: { current: { averageUtilization } } }],
    });
    expect(autoscaler.status).not.toHaveProperty('lastScaleTime');
  });

  test('an autoscaler scales down no faster than its policies allow', async () => {
    const autoscaler = await statusOnce('shrinking', ({ desiredReplicas }) => Number(desiredReplicas) === 3);
    expect(told(autoscaler, 'ScalingLimited')).toEqual([
      'True',
      'ScaleDownLimit',
      'the desired replica count is decreasing faster than the maximum scale rate',
    ]);
    expect(await suite.event('shrinking', 'SuccessfulRescale')).toMatchObject({
      message: 'New size: 3; reason: All metrics below target',
    });
  });

  test('an autoscaler assumes no usage for pods without metrics when it scales up', async () => {
    const autoscaler = await statusOnce('partial', ({ desiredReplicas }) => Number(desiredReplicas) === 3);
    expect(autoscaler.status!.currentMetrics).toMatchObject([{ resource: { current: { averageUtilization: 150 } } }]);
  });

  test.each([
    [
      'memory',
      { type: 'Resource', resource: { name: 'memory', current: { averageValue: '150Mi' } } },
      'memory resource',
    ],
    [
      'container',
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'c', current: { averageUtilization: 75, averageValue: '75m' } },
      },
      'cpu container resource utilization (percentage of request)',
    ],
    ['object', objectMetric(), 'Service metric hits'],
    [
      'external',
      { type: 'External', external: { metric: { name: 'queue' }, current: { averageValue: '15250m' } } },
      'external metric queue(nil)',
      4,
    ],
    [
      'pods',
      { type: 'Pods', pods: { metric: { name: 'rps' }, current: { averageValue: '20' } } },
      'pods metric rps',
      4,
    ],
  ])('an autoscaler uses %s', async (name, metric, above, replicas = 3) => {
    const autoscaler = await statusOnce(name, ({ desiredReplicas }) => Number(desiredReplicas) === replicas);
    expect(autoscaler.status!.currentMetrics).toEqual([metric]);
    expect(await suite.event(name, 'SuccessfulRescale')).toMatchObject({
      message: `New size: ${replicas}; reason: ${above} above target`,
    });
  });

  test('an autoscaler scales up by one metric while another one is unavailable', async () => {
    const autoscaler = await statusOnce('mixed', ({ desiredReplicas }) => Number(desiredReplicas) === 3);
    expect(told(autoscaler, 'ScalingActive')).toEqual(['True', 'ValidMetricFound', expect.any(String)]);
    expect(autoscaler.status!.currentMetrics).toMatchObject([{ type: '' }, { type: 'Resource' }]);
  });

  test('an autoscaler does not scale down while a metric is unavailable', async () => {
    const autoscaler = await statusOnce('unknown', ({ conditions }) =>
      JSON.stringify(conditions ?? '').includes('Failed'),
    );
    const why =
      `unable to get external metric ${suite.namespace}/unknown/nil: ` +
      'unable to fetch metrics from external metrics API: nothing known';
    expect(told(autoscaler, 'ScalingActive')).toEqual([
      'False',
      'FailedGetExternalMetric',
      `the HPA was unable to compute the replica count: ${why}`,
    ]);
    expect(await suite.event('unknown', 'FailedComputeMetricsReplicas')).toMatchObject({
      message:
        'invalid metrics (1 invalid out of 2), first error is: failed to get unknown external metric value: ' +
        `failed to get unknown external metric: ${why}`,
    });
  });
});

function objectMetric(): object {
  const describedObject = { apiVersion: 'v1', kind: 'Service', name: 'front' };
  return { type: 'Object', object: { metric: { name: 'hits' }, describedObject, current: { value: '150' } } };
}
