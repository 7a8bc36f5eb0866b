import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApiException, AppsV1Api, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { Client, clientNodeApi, ConfigMap, Namespace } from 'kindwright';
import { startCluster, type Cluster } from 'kindwright/testing';

const namespace = 'default';
let cluster: Cluster;
let kubeConfig: KubeConfig;
let client: Client;

beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded' });
  kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(cluster.kubeconfig);
  client = new Client(kubeConfig);
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

describe('a KubeConfig of client-node', () => {
  test('a KubeConfig of client-node configures a client', async () => {
    expect((await client.get(Namespace, namespace)).metadata.name).toBe(namespace);
    expect(client.config.server.href).toBe(cluster.client.config.server.href);
  });

  test('a KubeConfig of client-node without a current context is an error', () => {
    expect(() => new Client(new KubeConfig())).toThrow(/^KubeConfig: current-context is not set/);
  });
});

describe('an API class of client-node', () => {
  test('an API class of client-node reads, writes and deletes with the credentials of the client', async () => {
    const core = await clientNodeApi(client, CoreV1Api);
    const name = 'from-client-node';
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data: { text: 'a&b ü' } } });
    expect((await client.get(ConfigMap, name, { namespace })).data).toEqual({ text: 'a&b ü' });
    const { metadata, data } = await core.readNamespacedConfigMap({ name, namespace });
    expect(metadata?.creationTimestamp).toBeInstanceOf(Date);
    expect(data).toEqual({ text: 'a&b ü' });
    await core.deleteNamespacedConfigMap({ name, namespace });
    expect((await core.listNamespacedConfigMap({ namespace, fieldSelector: `metadata.name=${name}` })).items).toEqual(
      [],
    );
  });

  test('an API class of client-node throws its own exception with the Status of the server', async () => {
    const core = await clientNodeApi(client, CoreV1Api);
    const error: unknown = await core
      .readNamespacedSecret({ name: 'missing', namespace })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiException);
    const { code, body } = error as ApiException<string>;
    expect(code).toBe(404);
    expect(body).toContain('not found');
  });

  test('an API class of client-node creates subresources', async () => {
    const core = await clientNodeApi(client, CoreV1Api);
    await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'robot' } } });
    const body = { spec: { audiences: ['https://example.com'], expirationSeconds: 3600 } };
    const { status } = await core.createNamespacedServiceAccountToken({ name: 'robot', namespace, body });
    expect(status?.token?.split('.')).toHaveLength(3);
  });

  test('API classes of client-node read and write custom objects and the scale of a Deployment', async () => {
    const apps = await clientNodeApi(client, AppsV1Api);
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    await apps.createNamespacedDeployment({ namespace, body: { metadata: { name: 'web' }, spec } });
    const scale = await apps.readNamespacedDeploymentScale({ name: 'web', namespace });
    expect(scale.spec?.replicas).toBe(1);
    const custom = await clientNodeApi(client, CustomObjectsApi);
    const found: unknown = await custom.listClusterCustomObject({
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
    });
    expect(found).toMatchObject({ kind: 'CustomResourceDefinitionList' });
  });
});
