import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually } from 'kindwright/testing';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, conditionOf } from '../controllers/cluster-suite.js';
import { startSuiteControlPlane } from '../../e2e/suite-control-plane.js';
import { limitTests } from '../../time-limits.js';

// The times a node may be silent are Kubernetes' own.
limitTests(200_000);
const PATIENCE = { timeout: '2m', interval: '500ms' };
const UNREACHABLE = 'node.kubernetes.io/unreachable';

let suite: ClusterSuite;
beforeAll(async () => {
  const parts = ['etcd', 'apiserver', 'controller-manager', 'scheduler'] as const;
  suite = await ClusterSuite.start(startSuiteControlPlane({ parts }));
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

const newNode = (name: string, status: object): Promise<Json> =>
  suite.createGlobal('/api/v1/nodes', 'Node', name, { status });
const newPod = (name: string, nodeName: string, tolerations: object[]): Promise<Json> =>
  suite.create('pods', 'Pod', name, {
    spec: { nodeName, terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }], tolerations },
  });
const patiently = (path: string, isWanted: (found: Json, code: number) => boolean): Promise<Json> =>
  eventually(async () => {
    await suite.patch('/api/v1/nodes/well/status', { status: { conditions: [readyNow()] } });
    const { body, code } = await suite.get(path);
    if (!isWanted(body, code)) throw new Error(JSON.stringify(body));
    return body;
  }, PATIENCE);
const readyNow = (): object => {
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const times = { lastHeartbeatTime: now, lastTransitionTime: now };
  return { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'm', ...times };
};
const readiness = (found: Json): string => text(conditionOf(found, 'Ready')?.status);
const taintsOf = ({ spec }: Json): string[] =>
  ((spec?.taints ?? []) as unknown as Json[]).map(({ key, effect }) => `${text(key)}:${text(effect)}`);

test('a node without heartbeats is unknown, and its pods are neither ready nor evicted', async () => {
  await newNode('mute', {});
  await newNode('well', { conditions: [readyNow()] });
  await newNode('gone', { conditions: [readyNow()] });
  await newPod('lost', 'nowhere', []);
  const stays = (tolerationSeconds: number): object[] => [
    { key: UNREACHABLE, operator: 'Exists', effect: 'NoExecute', tolerationSeconds },
  ];
  await newPod('hasty', 'gone', stays(1));
  await newPod('patient', 'gone', stays(600));
  await suite.patch(`${suite.path('pods', 'patient')}/status`, {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
  expect(await suite.event('gone', 'RegisteredNode', 'default')).toMatchObject({
    message: 'Node gone event: Registered Node gone in Controller',
    source: { component: 'node-controller' },
  });
  const gone = await patiently('/api/v1/nodes/gone', (node) => readiness(node) === 'Unknown');
  expect(conditionOf(gone, 'Ready')).toMatchObject({
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
  });
  expect(conditionOf(gone, 'DiskPressure')).toMatchObject({ status: 'Unknown', reason: 'NodeStatusNeverUpdated' });
  const tainted = await patiently('/api/v1/nodes/gone', (node) => taintsOf(node).length === 2);
  expect(taintsOf(tainted).sort()).toEqual([`${UNREACHABLE}:NoExecute`, `${UNREACHABLE}:NoSchedule`]);
  await patiently(suite.path('pods', 'patient'), (pod) => readiness(pod) === 'False');
  expect(await suite.event('patient', 'NodeNotReady')).toMatchObject({ type: 'Warning', message: 'Node is not ready' });
  expect(await suite.event('gone', 'NodeNotReady', 'default')).toMatchObject({
    message: 'Node gone status is now: NodeNotReady',
  });
  await patiently(
    suite.path('pods', 'hasty'),
    (pod, code) => code === 404 || pod.metadata!.deletionTimestamp !== undefined,
  );
  await patiently(suite.path('pods', 'lost'), (_pod, code) => code === 404);
  const mute = await patiently('/api/v1/nodes/mute', (node) => readiness(node) === 'Unknown');
  expect(conditionOf(mute, 'Ready')).toMatchObject({
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
  });
});
