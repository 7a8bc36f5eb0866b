import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../api-client.js';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

const ONE = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const TWO = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };

test('an autoscaler of the first version is served in the second', async () => {
  await api.send('POST', ONE, {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a' },
    spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
  });
  const { body } = await api.send('GET', `${TWO}/a`);
  expect(body).toMatchObject({
    apiVersion: 'autoscaling/v2',
    spec: {
      minReplicas: 1,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  });
});

test('a write in the first version keeps the fields that this version lacks', async () => {
  const memory = {
    type: 'Resource',
    resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 60 } },
  };
  await api.send('POST', TWO, {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'b' },
    spec: { scaleTargetRef, maxReplicas: 3, metrics: [memory] },
  });
  await api.patch(`${ONE}/b`, 'merge', { spec: { maxReplicas: 4 } });
  const { body } = await api.send('GET', `${TWO}/b`);
  expect(body.spec).toMatchObject({ maxReplicas: 4, metrics: [memory] });
});

test('Events are the same in the core group and in events.k8s.io', async () => {
  await api.send('POST', '/api/v1/namespaces/default/events', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
    reason: 'R',
    message: 'm',
    count: 2,
  });
  const { body } = await api.send('GET', '/apis/events.k8s.io/v1/namespaces/default/events/e');
  expect(body).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    note: 'm',
    deprecatedCount: 2,
  });
});

test('Events of both groups can be selected by the field names of either', async () => {
  const count = async (path: string, selector: string): Promise<unknown> => {
    const { body } = await api.send('GET', `${path}/namespaces/default/events?fieldSelector=${selector}`);
    return (body.items as unknown as unknown[] | undefined)?.length ?? body.message;
  };
  expect(await count('/api/v1', 'involvedObject.name=p,reason=R')).toBe(1);
  expect(await count('/apis/events.k8s.io/v1', 'regarding.name=p,reason=R')).toBe(1);
  expect(await count('/apis/events.k8s.io/v1', 'involvedObject.name=p')).toBe(
    'field label not supported: involvedObject.name',
  );
});
