import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ClusterSuite, conditionOf } from '../controllers/cluster-suite.js';
import { startSuiteControlPlane } from '../../e2e/suite-control-plane.js';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start(startSuiteControlPlane());
  await suite.begin();
});
afterAll(() => suite.stop());

test('a node created by a client gets the status that a kubelet reports', async () => {
  await suite.createGlobal('/api/v1/nodes', 'Node', 'mine', {});
  const node = await suite.once('/api/v1/nodes/mine', (found) => conditionOf(found, 'Ready') !== undefined);
  expect(conditionOf(node, 'Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' });
  expect(conditionOf(node, 'MemoryPressure')).toMatchObject({
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  });
  expect(conditionOf(node, 'DiskPressure')).toMatchObject({
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  });
  expect(conditionOf(node, 'PIDPressure')).toMatchObject({
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  });
});

test('a new node keeps the capacity it was created with', async () => {
  await suite.createGlobal('/api/v1/nodes', 'Node', 'told', { status: { capacity: { cpu: '4', pods: '10' } } });
  const node = await suite.once('/api/v1/nodes/told', (found) => conditionOf(found, 'Ready') !== undefined);
  expect(node.status).toMatchObject({ capacity: { cpu: '4', pods: '10' } });
});
