import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeProtobuf } from '../../src/apiserver/schema/protobuf-encoder.js';
import { CONFIG_MAPS, configMap, TestServer } from './api-client.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

describe('protobuf', () => {
  test.each([
    ['an object', `${CONFIG_MAPS}/p`],
    ['a list', CONFIG_MAPS],
    ['an error', `${CONFIG_MAPS}/absent`],
    ['a review', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  ])('%s is sent as protobuf on request', async (what, path) => {
    await api.send('POST', CONFIG_MAPS, configMap('p'));
    const body =
      what === 'a review' ? { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1' } : undefined;
    const { headers } = await api.send(body ? 'POST' : 'GET', path, body, { accept: PROTOBUF });
    expect(headers['content-type']).toBe(PROTOBUF);
  });

  test('the scale of an object may be sent as protobuf', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { a: 'b' };
    await api.send('POST', path, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 5 } };
    const body = encodeProtobuf('autoscaling/v1.Scale', scale);
    const scaled = await api.send('PUT', `${path}/d/scale`, body, { 'content-type': PROTOBUF });
    expect([scaled.code, scaled.body.spec]).toEqual([200, { replicas: 5 }]);
  });

  test('custom resources are not available as protobuf', async () => {
    const name = 'gadgets.example.com';
    await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'gadgets', kind: 'Gadget' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    const path = '/apis/example.com/v1/gadgets';
    await api.until(path, ({ code }) => code === 200);
    const partial = `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
    const [alone, orJson, metadata] = await Promise.all(
      [PROTOBUF, `${PROTOBUF},application/json`, partial].map((accept) => api.send('GET', path, undefined, { accept })),
    );
    expect(alone?.code).toBe(406);
    expect(orJson?.headers['content-type']).toBe('application/json');
    expect(metadata?.headers['content-type']).toBe(PROTOBUF);
  });
});
