import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, items } from '../controllers/cluster-suite.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';

let suite: ClusterSuite;
let controlPlane: SuiteControlPlane;
beforeAll(async () => {
  controlPlane = await startSuiteControlPlane();
  suite = await ClusterSuite.start(Promise.resolve(controlPlane));
  await suite.begin();
});
afterAll(() => suite.stop());

const nodesOf = (list: Json): (string | undefined)[] => items(list).map(({ spec }) => text(spec!.nodeName));

test('kubectl drain moves pods to other nodes as fast as their budget allows, and keeps daemon pods', async () => {
  const template = (app: string): object => ({
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] },
    },
  });
  await suite.create('apps/v1/daemonsets', 'DaemonSet', 'daemon', { spec: template('daemon') });
  await suite.create('policy/v1/poddisruptionbudgets', 'PodDisruptionBudget', 'web', {
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
  });
  await suite.create('apps/v1/deployments', 'Deployment', 'web', { spec: { replicas: 4, ...template('web') } });
  await suite.once(suite.path('apps/v1/deployments', 'web'), ({ status }) => Number(status?.availableReplicas) === 4);
  await suite.once(suite.path('apps/v1/daemonsets', 'daemon'), ({ status }) => Number(status?.numberReady) === 2);
  const out = await controlPlane.kubectl(['drain', 'node-2', '--ignore-daemonsets', '--timeout=60s']);
  expect(out).toContain('node/node-2 drained');
  const isPlaced = (list: Json): boolean => nodesOf(list).length === 4 && !nodesOf(list).includes(undefined);
  const web = await suite.once(`${suite.path('pods')}?labelSelector=app%3Dweb`, isPlaced);
  expect(new Set(nodesOf(web))).toEqual(new Set(['node-1']));
  const { body } = await suite.get(`${suite.path('pods')}?labelSelector=app%3Ddaemon`);
  expect(nodesOf(body).sort()).toEqual(['node-1', 'node-2']);
  await controlPlane.kubectl(['uncordon', 'node-2']);
  await suite.once('/api/v1/nodes/node-2', ({ spec }) => spec?.taints === undefined);
});
