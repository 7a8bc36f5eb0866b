import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  CoreV1Api,
  loadYaml,
  V1MicroTime,
  type V1ConfigMap,
  type V1NetworkPolicy,
  type V1Pod,
} from '@kubernetes/client-node';
import { clientNodeApi, type ConfigMap, fromClientNode, Lease, type NetworkPolicy, Pod } from 'kindwright';
import { startCluster, type Cluster } from 'kindwright/testing';

const namespace = 'default';
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded' });
});
afterAll(() => cluster.stop());

test('a V1Pod that client-node returned is written with the client, and read back with client-node', async () => {
  const { client } = cluster;
  const core = await clientNodeApi(client, CoreV1Api);
  const spec = { schedulerName: 'none', containers: [{ name: 'app', image: 'nginx' }] };
  const given: V1Pod = await core.createNamespacedPod({ namespace, body: { metadata: { name: 'web' }, spec } });
  expect(given.metadata?.creationTimestamp).toBeInstanceOf(Date);
  const pod: Pod = fromClientNode(given);
  expect(pod.metadata.creationTimestamp).toMatch(/^\d{4}-.*Z$/);
  const live = await client.get(Pod, 'web', { namespace });
  expect(pod.spec).toEqual(live.spec);
  await client.update(Pod, { ...pod, metadata: { ...pod.metadata, labels: { seen: 'yes' } } });
  const updated = await client.get(Pod, 'web', { namespace });
  const back: V1Pod = loadYaml<V1Pod>(JSON.stringify(updated));
  expect(back.metadata?.creationTimestamp).toEqual(given.metadata?.creationTimestamp);
  const replaced = await core.replaceNamespacedPod({ name: 'web', namespace, body: back });
  expect(replaced.metadata?.labels).toEqual({ seen: 'yes' });
});

test('fields get the names of the API, also those of object literals', () => {
  const peers = [{ podSelector: {} }];
  const policy: V1NetworkPolicy = { metadata: { name: 'a' }, spec: { podSelector: {}, ingress: [{ _from: peers }] } };
  const literal: NetworkPolicy = fromClientNode(policy);
  expect(literal.spec?.ingress).toEqual([{ from: peers }]);
  const text = JSON.stringify({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', ...literal });
  const generated = loadYaml<V1NetworkPolicy>(text);
  expect(generated.spec?.ingress?.[0]?._from).toBeDefined();
  expect(fromClientNode(generated).spec?.ingress).toEqual([{ from: peers }]);
});

test('keys of maps are kept', () => {
  const map: V1ConfigMap = { metadata: { name: 'a' }, data: { _from: 'text' } };
  const converted: ConfigMap = fromClientNode(map);
  expect(converted.data).toEqual({ _from: 'text' });
});

test('a V1MicroTime keeps its microseconds', async () => {
  const renewTime = new V1MicroTime('2026-01-02T03:04:05.678Z');
  const lease = fromClientNode({ metadata: { name: 'l', namespace }, spec: { renewTime } });
  const { spec } = await cluster.client.create(Lease, lease);
  expect(spec?.renewTime).toBe('2026-01-02T03:04:05.678000Z');
});
