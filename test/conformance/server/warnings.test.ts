import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiEndpoint } from '../../fidelity/api-endpoint.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';
import { WARNED_OBJECTS } from './warned-objects.js';
import { WARNED_SECRETS } from './warned-secrets.js';

let cluster: SuiteControlPlane;
let api: ApiEndpoint;
beforeAll(async () => {
  cluster = await startSuiteControlPlane({
    parts: ['etcd', 'apiserver'],
    apiserverArgs: ['--disable-admission-plugins=ServiceAccount'],
  });
  api = new ApiEndpoint(cluster.kubeconfig);
}, 60_000);
afterAll(async () => {
  api.close();
  await cluster.stop();
});

test.each(WARNED_OBJECTS)('%s is accepted with a warning', async (_title, { path, ...object }, warnings) => {
  const body = { metadata: { name: 'x' }, ...object };
  const { code, warning } = await api.send({ method: 'POST', path: `${path}?dryRun=All`, body });
  const expected = warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(', ');
  expect([code, warning]).toEqual([201, expected]);
});

test.each(WARNED_SECRETS)('a Secret with %s causes the warnings of Kubernetes', async (_what, cert, key, warnings) => {
  const base64 = (value: string): string => Buffer.from(value).toString('base64');
  const data = { 'tls.crt': base64(cert), 'tls.key': base64(key) };
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, type: 'kubernetes.io/tls', data };
  const path = '/api/v1/namespaces/default/secrets?dryRun=All';
  const { code, warning } = await api.send({ method: 'POST', path, body });
  expect([code, warning]).toEqual([201, warnings.length === 0 ? undefined : `299 - "${warnings.join()}"`]);
});
