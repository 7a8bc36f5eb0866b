import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { inClusterConfig, isInCluster } from '../../../src/client/config/in-cluster-config.js';
import { tempFolder } from '../temp-folder.js';

const ENV = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

describe('inClusterConfig', () => {
  test('inClusterConfig reads the files that the kubelet mounts', async () => {
    const directory = tempFolder({ token: 't', 'ca.crt': 'PEM', namespace: 'ns\n' });
    expect(await inClusterConfig({ directory }, ENV)).toEqual({
      server: new URL('https://10.0.0.1'),
      namespace: 'ns',
      source: 'in-cluster',
      user: 'the ServiceAccount of the pod',
      tls: { ca: { file: join(directory, 'ca.crt') } },
      auth: { tokenFile: join(directory, 'token') },
    });
  });

  test('inClusterConfig accepts an IPv6 address', async () => {
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
    const config = await inClusterConfig({ directory: tempFolder({ token: 't' }) }, env);
    expect(config.server.href).toBe('https://[fd00::1]:6443/');
  });

  test('inClusterConfig without a token fails with a hint for the pod', async () => {
    const promise = inClusterConfig({ directory: tempFolder() }, ENV);
    await expect(promise).rejects.toMatchObject({
      message: expect.stringContaining('the pod has no ServiceAccount token'),
      hint: expect.stringContaining('automountServiceAccountToken'),
    });
  });
});

test.each([
  [ENV, true],
  [{ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, false],
  [{ ...ENV, KUBERNETES_SERVICE_HOST: '' }, false],
  [{}, false],
])('a process is in a pod with the environment %j: %s', (env, expected) => {
  expect(isInCluster(env)).toBe(expected);
});
