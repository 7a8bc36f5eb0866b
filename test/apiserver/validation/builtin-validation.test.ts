import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer, text } from '../api-client.js';
import { REFUSED_CLUSTER_OBJECTS } from './refused-cluster-objects.js';
import { REFUSED_LIMITS } from './refused-limits.js';
import { REFUSED_EVENTS } from './refused-events.js';
import { REFUSED_PODS } from './refused-pods.js';
import { REFUSED_OBJECTS } from './refused-objects.js';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

describe('a new object of a built-in kind', () => {
  test.each([...REFUSED_OBJECTS, ...REFUSED_CLUSTER_OBJECTS, ...REFUSED_LIMITS, ...REFUSED_PODS, ...REFUSED_EVENTS])(
    'a new object is rejected as on the real server when it is %s',
    async (_title, path, object, why) => {
      const { code, body } = await api.send('POST', path, { ...object, metadata: { name: 'x' } });
      expect([code, text(body.message).replace(/^.*? is invalid: /, '')]).toEqual([422, why]);
    },
  );
});

describe('an object without a name', () => {
  const spec = { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } };
  test.each([
    ['Job', '/apis/batch/v1/namespaces/default/jobs', { apiVersion: 'batch/v1', kind: 'Job', spec }],
    [
      'CronJob',
      '/apis/batch/v1/namespaces/default/cronjobs',
      { apiVersion: 'batch/v1', kind: 'CronJob', spec: { schedule: '* * * * *', jobTemplate: { spec } } },
    ],
    [
      'PriorityClass',
      '/apis/scheduling.k8s.io/v1/priorityclasses',
      { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 1 },
    ],
  ])('a missing name is an error of a %s', async (_kind, path, object) => {
    const { code, body } = await api.send('POST', path, object);
    expect([code, text(body.message).replace(/^.*? is invalid: /, '')]).toEqual([
      422,
      'metadata.name: Required value: name or generateName is required',
    ]);
  });
});
