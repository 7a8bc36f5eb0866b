import { expect, test } from '@jest/globals';
import { EmbeddedApiServer } from '../../../src/apiserver/embedded-api-server.js';
import { ClusterTest } from '../controllers/cluster-test.js';

test('a disabled admission plugin does not change objects', async () => {
  const cluster = await ClusterTest.start({ disableAdmissionPlugins: ['Priority', 'DefaultTolerationSeconds'] });
  const { body } = await cluster.api.send('POST', '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  expect([body.spec!.priority, body.spec!.tolerations]).toEqual([undefined, undefined]);
  await cluster.stop();
});

test('disabling an unknown admission plugin is an error', async () => {
  const options = { disableAdmissionPlugins: ['LimitRange' as 'LimitRanger'] };
  await expect(EmbeddedApiServer.start(options)).rejects.toMatchObject({
    code: 'E_ADMISSION_PLUGIN',
    message: 'disableAdmissionPlugins: unknown admission plugin LimitRange',
    hint: expect.stringContaining('LimitRanger'),
  });
});
