import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, text, TestServer } from './api-client.js';

/** Members that every JavaScript object inherits. */
const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
  await api.send('POST', CONFIG_MAPS, configMap('patched'));
});
afterAll(() => api.stop());

test.each(INHERITED)('the JSON patch operation %s is rejected', async (op) => {
  const patch = `[{"op":"${op}","path":"/data"}]`;
  const { code } = await api.send('PATCH', `${CONFIG_MAPS}/patched`, patch, {
    'content-type': 'application/json-patch+json',
  });
  expect(code).toBe(422);
});

test.each(INHERITED)('no path is served at /%s', async (name) => {
  expect((await api.send('GET', `/${name}`)).code).toBe(404);
});

test.each(INHERITED)('a Secret of the type %s is stored', async (type) => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `s-${type.toLowerCase().replaceAll('_', '')}` },
    type,
  };
  expect((await api.send('POST', '/api/v1/namespaces/default/secrets', secret)).code).toBe(201);
});

test.each(INHERITED)('a Pod with the node selector %s causes no warning', async (label) => {
  const nodeSelector = JSON.parse(`{"${label}":"a"}`) as object;
  const spec = { containers: [{ name: 'a', image: 'a' }], nodeSelector };
  const name = `p-${label.toLowerCase().replaceAll('_', '')}`;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
  const reply = await api.send('POST', '/api/v1/namespaces/default/pods?dryRun=All', pod);
  expect(reply.headers.warning).toBeUndefined();
});

test.each(INHERITED)('an autoscaler with the metric type %s is rejected', async (type) => {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };
  const spec = { scaleTargetRef, maxReplicas: 3, metrics: [{ type }] };
  const autoscaler = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'a' }, spec };
  const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
  const { code, body } = await api.send('POST', path, autoscaler);
  expect([code, text(body.message)]).toEqual([422, expect.stringContaining(`Unsupported value: "${type}"`)]);
});

test.each(INHERITED)('an integer of the format %s is stored', async (format) => {
  const plural = `f${format.toLowerCase().replaceAll('_', '')}s`;
  const n = { type: 'integer', format };
  const openAPIV3Schema = { type: 'object', properties: { n } };
  const kind = `F${plural.slice(1)}`;
  const names = { plural, singular: plural.slice(0, -1), kind };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const definition = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope: 'Cluster', names, versions },
  };
  const created = await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  expect(created.code).toBe(201);
  const object = { apiVersion: 'example.com/v1', kind, metadata: { name: 'a' }, n: 1 };
  const path = `/apis/example.com/v1/${plural}`;
  await api.until(path, ({ code }) => code === 200);
  expect((await api.send('POST', path, object)).code).toBe(201);
});
