import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { text, type Json } from '../admission/admission-suite.js';
import { ClusterSuite, conditionOf } from '../controllers/cluster-suite.js';

const RANGES = '/apis/networking.k8s.io/v1/servicecidrs';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

test('a range of Services is ready, and goes when none of its addresses is used', async () => {
  await suite.createGlobal(RANGES, 'ServiceCIDR', 'extra', { spec: { cidrs: ['10.9.0.0/24'] } });
  const range = await suite.once(`${RANGES}/extra`, (found) => conditionOf(found, 'Ready') !== undefined);
  expect(conditionOf(range, 'Ready')).toMatchObject({
    status: 'True',
    reason: '',
    message: 'Kubernetes Service CIDR is ready',
  });
  expect(range.metadata!.finalizers).toEqual(['networking.k8s.io/service-cidr-finalizer']);
  await suite.requests.send('DELETE', `${RANGES}/extra`);
  await suite.gone(`${RANGES}/extra`);
});

test('a range stays as long as a Service has an address of it that no other range has', async () => {
  await suite.create('services', 'Service', 'web', { spec: { ports: [{ port: 80 }] } });
  await suite.requests.send('DELETE', `${RANGES}/kubernetes`);
  const isKept = (found: Json): boolean => text(conditionOf(found, 'Ready')?.reason) === 'Terminating';
  expect(conditionOf(await suite.once(`${RANGES}/kubernetes`, isKept), 'Ready')).toMatchObject({
    status: 'False',
    message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
  });
});
