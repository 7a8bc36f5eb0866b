import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CoreV1Api, KubeConfig, Watch } from '@kubernetes/client-node';
import type { RequestOptions } from 'node:https';
import { toKubeConfig, type ClusterConfig } from 'kindwright';
import { startCluster, type Cluster } from 'kindwright/testing';
import { Secret } from '../../../src/client/secret.js';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded' });
});
afterAll(() => cluster.stop());

test('the API classes of client-node use the credentials of a client', async () => {
  const core = (await toKubeConfig(cluster.client)).makeApiClient(CoreV1Api);
  expect((await core.readNamespace({ name: 'default' })).metadata?.name).toBe('default');
});

test('a stream of client-node uses the credentials of a client', async () => {
  const watch = new Watch(await toKubeConfig(cluster.client));
  const found = await new Promise<string>((resolve, reject) => {
    const following = watch.watch(
      '/api/v1/namespaces',
      {},
      (_phase, object: { metadata: { name: string } }) => {
        resolve(object.metadata.name);
        void following.then((controller) => {
          controller.abort();
        });
      },
      reject,
    );
  });
  expect(found).not.toBe('');
});

test('the namespace and the authority of a client are those of its KubeConfig', async () => {
  const kubeConfig = await toKubeConfig({ config: { ...cluster.client.config, namespace: 'team' } });
  expect(kubeConfig.getContextObject(kubeConfig.getCurrentContext())?.namespace).toBe('team');
  const other = new KubeConfig();
  other.loadFromFile(cluster.kubeconfig);
  expect(kubeConfig.getCurrentCluster()?.caData).toBe(other.getCurrentCluster()?.caData);
});

test.each([
  ['a token', { token: new Secret('abc') }, { Authorization: 'Bearer abc' }],
  ['a password', { basic: { username: 'a', password: new Secret('b') } }, { Authorization: 'Basic YTpi' }],
  [
    'impersonation',
    { impersonate: { user: 'jane', uid: '1', groups: ['red', 'blue'], extra: new Map([['team/x', ['y']]]) } },
    {
      'Impersonate-User': 'jane',
      'Impersonate-Uid': '1',
      'Impersonate-Group': ['red', 'blue'],
      'Impersonate-Extra-team%2Fx': ['y'],
    },
  ],
] satisfies [string, ClusterConfig['auth'] & object, object][])(
  'a request of client-node has the headers of %s',
  async (_name, auth, headers) => {
    const server = new URL('https://127.0.0.1:6443/prefix');
    const kubeConfig = await toKubeConfig({ config: { server, namespace: undefined, source: 'test', user: '', auth } });
    expect(kubeConfig.getCurrentCluster()?.server).toBe('https://127.0.0.1:6443/prefix');
    const options: RequestOptions = {};
    await kubeConfig.applyToHTTPSOptions(options);
    expect(options.headers).toEqual(headers);
  },
);
