import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

let suite: AdmissionSuite;
let namespace: string;
let quotas: string;

beforeAll(async () => {
  suite = await AdmissionSuite.start();
  namespace = await suite.namespace();
  quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;
});
afterAll(() => suite.stop());

const usedOnce = (isWanted: (used: Json | undefined) => boolean): Promise<Reply> =>
  suite.until(
    () => suite.send('GET', `${quotas}/devices`),
    ({ body }) => isWanted(body.status?.used),
  );

test('a quota counts claims of devices, and the devices that they request per class', async () => {
  const claims = 'count/resourceclaims.resource.k8s.io';
  const devices = 'gold.deviceclass.resource.k8s.io/devices';
  await suite.quota(namespace, 'devices', { hard: { [claims]: '3', [devices]: '5' } });
  const claim = (name: string, ...requests: object[]): Promise<Reply> =>
    suite.send('POST', `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name },
      spec: { devices: { requests } },
    });
  const gold = (name: string, count: number): object => ({ name, deviceClassName: 'gold', count });
  expect((await claim('one', { name: 'r', exactly: { deviceClassName: 'gold', count: 2 } })).code).toBe(201);
  expect((await claim('two', { name: 'r', firstAvailable: [gold('a', 1), gold('b', 2)] })).code).toBe(201);
  await usedOnce((used) => text(used?.[devices]) === '4' && text(used?.[claims]) === '2');
  const all = { deviceClassName: 'gold', allocationMode: 'All' };
  const { code, body } = await claim('three', { name: 'r', exactly: all });
  expect([code, body.message]).toEqual([
    403,
    `resourceclaims.resource.k8s.io "three" is forbidden: exceeded quota: devices, requested: ${devices}=32, used: ${devices}=4, limited: ${devices}=5`,
  ]);
  await suite.send('DELETE', `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims/two`);
  await usedOnce((used) => text(used?.[devices]) === '2' && text(used?.[claims]) === '1');
});
