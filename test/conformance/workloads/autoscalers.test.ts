import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from 'kindwright/testing';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, conditionOf } from '../controllers/cluster-suite.js';
import { limitTests } from '../../time-limits.js';

// Autoscalers are looked at each 15 seconds.
limitTests(120_000);
const AUTOSCALERS = 'autoscaling/v2/horizontalpodautoscalers';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

/** A Deployment with an autoscaler of its name that keeps between two and five. */
async function newPair(name: string, replicas: number, metric: object = CPU, app = name): Promise<void> {
  await suite.create('apps/v1/deployments', 'Deployment', name, {
    spec: {
      replicas,
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  await newAutoscaler(name, metric);
}
const newAutoscaler = (name: string, metric: object = CPU): Promise<Json> =>
  suite.create(AUTOSCALERS, 'HorizontalPodAutoscaler', name, {
    spec: {
      minReplicas: 2,
      maxReplicas: 5,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      metrics: [metric],
    },
  });
const CPU = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
const once = (name: string, isWanted: (autoscaler: Json) => boolean): Promise<Json> =>
  eventually(
    async () => {
      const { body } = await suite.get(suite.path(AUTOSCALERS, name));
      if (!isWanted(body)) throw new Error(JSON.stringify(body));
      return body;
    },
    { timeout: '60s', interval: '250ms' },
  );
const conditionOnce = async (name: string, type: string): Promise<unknown> => {
  const isTold = (autoscaler: Json): boolean => conditionOf(autoscaler, type) !== undefined;
  const { status, reason, message } = conditionOf(await once(name, isTold), type)!;
  return [text(status), text(reason), text(message)];
};

describe('an autoscaler', () => {
  test('an autoscaler keeps the replicas of its target within its bounds', async () => {
    await newPair('few', 1);
    await newPair('many', 7);
    await newPair('none', 0);
    const scaled = (name: string, replicas: number): Promise<Json> =>
      once(name, ({ status }) => Number(status?.desiredReplicas) === replicas);
    expect((await scaled('few', 2)).status).toHaveProperty('lastScaleTime');
    expect((await scaled('many', 5)).status).toHaveProperty('lastScaleTime');
    expect(await suite.event('few', 'SuccessfulRescale')).toMatchObject({
      message: 'New size: 2; reason: Current number of replicas below Spec.MinReplicas',
      source: { component: 'horizontal-pod-autoscaler' },
    });
    expect(await suite.event('many', 'SuccessfulRescale')).toMatchObject({
      message: 'New size: 5; reason: Current number of replicas above Spec.MaxReplicas',
    });
    expect(await conditionOnce('none', 'ScalingActive')).toEqual([
      'False',
      'ScalingDisabled',
      'scaling is disabled since the replica count of the target is zero',
    ]);
    const { body } = await suite.get(suite.path('apps/v1/deployments', 'many'));
    expect(Number(body.spec!.replicas)).toBe(5);
  });

  test.each([
    ['empty', {}, 15],
    ['half', { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } }, 60],
  ])(
    'an autoscaler with behavior %s gets the default rules of both directions',
    async (name, behavior, downSeconds) => {
      const { spec } = await suite.create(AUTOSCALERS, 'HorizontalPodAutoscaler', name, {
        spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, behavior },
      });
      expect(spec).toMatchObject({
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [{ value: 4 }, { value: 100 }] },
          scaleDown: { selectPolicy: 'Max', policies: [{ periodSeconds: downSeconds }] },
        },
      });
    },
  );

  test('an autoscaler reports missing metrics', async () => {
    const NO_CUSTOM =
      'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';
    await newPair('cpu', 2);
    await newPair('pods', 2, {
      type: 'Pods',
      pods: { metric: { name: 'qps' }, target: { type: 'AverageValue', averageValue: '1' } },
    });
    const describedObject = { apiVersion: 'v1', kind: 'Service', name: 's' };
    await newPair('object', 2, {
      type: 'Object',
      object: { metric: { name: 'rps' }, describedObject, target: { type: 'Value', value: '1' } },
    });
    await newPair('external', 2, {
      type: 'External',
      external: { metric: { name: 'queue' }, target: { type: 'Value', value: '1' } },
    });
    const missing =
      'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource ' +
      'metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';
    const because = 'the HPA was unable to compute the replica count: ';
    expect(await conditionOnce('cpu', 'ScalingActive')).toEqual([
      'False',
      'FailedGetResourceMetric',
      because + missing,
    ]);
    expect(await suite.event('cpu', 'FailedGetResourceMetric')).toMatchObject({ type: 'Warning', message: missing });
    expect(await suite.event('cpu', 'FailedComputeMetricsReplicas')).toMatchObject({
      message: `invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${missing}`,
    });
    const { status } = await once('cpu', (found) => Number(found.status?.currentReplicas) === 2);
    expect(status).toMatchObject({ currentReplicas: 2, desiredReplicas: 0 });
    expect(await conditionOnce('pods', 'ScalingActive')).toEqual([
      'False',
      'FailedGetPodsMetric',
      `${because}unable to get metric qps: ${NO_CUSTOM}`,
    ]);
    expect(await conditionOnce('object', 'ScalingActive')).toEqual([
      'False',
      'FailedGetObjectMetric',
      `${because}unable to get metric rps: Service on ${suite.namespace} s/${NO_CUSTOM}`,
    ]);
    expect(await conditionOnce('external', 'ScalingActive')).toEqual([
      'False',
      'FailedGetExternalMetric',
      `${because}unable to get external metric ${suite.namespace}/queue/nil: unable to fetch metrics from external ` +
        'metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)',
    ]);
  });

  test('an autoscaler reports a missing target', async () => {
    await newAutoscaler('gone');
    expect(await conditionOnce('gone', 'AbleToScale')).toEqual([
      'False',
      'FailedGetScale',
      `the HPA controller was unable to get the target's current scale: deployments.apps "gone" not found`,
    ]);
    expect(await suite.event('gone', 'FailedGetScale')).toMatchObject({ message: 'deployments.apps "gone" not found' });
  });

  test('an autoscaler does not act on pods that another one controls', async () => {
    await newPair('one', 2, CPU, 'shared');
    await newPair('two', 2, CPU, 'shared');
    const isAmbiguous = (found: Json): boolean =>
      text(conditionOf(found, 'ScalingActive')?.reason) === 'AmbiguousSelector';
    const { message } = conditionOf(await once('two', isAmbiguous), 'ScalingActive')!;
    expect(text(message)).toMatch(/^pods by selector app=shared are controlled by multiple HPAs: \[/);
  });
});
