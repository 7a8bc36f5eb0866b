import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PRIVILEGED_PODS } from '../../e2e/admission/checked-pods.js';
import { TestServer, text } from '../api-client.js';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.start();
  const labels = { 'pod-security.kubernetes.io/enforce': 'baseline' };
  await api.send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'n', labels },
  });
});
afterAll(() => api.stop());

test.each([
  ['privileged', 'privileged (container "c" must not set securityContext.privileged=true)'],
  [
    'privileged in three containers',
    'privileged (containers "i1", "c1", "c2" must not set securityContext.privileged=true)',
  ],
  [
    'host process',
    'host namespaces (hostNetwork=true), hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
  ],
])('the baseline level rejects a pod that is %s', async (name, violations) => {
  const { code, body } = await api.send('POST', '/api/v1/namespaces/n/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: PRIVILEGED_PODS[name],
  });
  const message = `pods "p" is forbidden: violates PodSecurity "baseline:latest": ${violations}`;
  expect([code, text(body.message)]).toEqual([403, message]);
});

test('the baseline level accepts an AppArmor annotation only with a valid profile', async () => {
  const send = (profile: string) =>
    api.send('POST', '/api/v1/namespaces/n/pods?dryRun=All', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', annotations: { 'container.apparmor.security.beta.kubernetes.io/c': profile } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
  expect([(await send('localhost/p')).code, (await send('unconfined')).code]).toEqual([201, 403]);
});
