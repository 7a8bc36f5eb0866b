import { afterEach, expect, test } from '@jest/globals';
import { FakeClock } from '../../../src/base/fake-clock.js';
import type { EmbeddedApiServerOptions } from '../../../src/apiserver/embedded-api-server.js';
import { text, type Json } from '../api-client.js';
import { ClusterTest, items, SELECTOR, TEMPLATE } from './cluster-test.js';

const EVENTS = '/api/v1/namespaces/default/events';

let cluster: ClusterTest;
afterEach(() => cluster.stop());

async function newDeployment(options: EmbeddedApiServerOptions = {}): Promise<void> {
  cluster = await ClusterTest.start(options);
  await cluster.create('apps/v1', 'deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: SELECTOR, template: TEMPLATE },
  });
}

const reasonsOf = (events: readonly Json[]): string[] => events.map(({ reason }) => text(reason)).sort();
const eventsOnce = async (isWanted: (events: Json[]) => boolean): Promise<Json[]> =>
  items(await cluster.api.until(EVENTS, (reply) => isWanted(items(reply))));
const hasStarted = (events: Json[]): boolean => reasonsOf(events).includes('Started');

test('a rollout has the events of the real controllers', async () => {
  await newDeployment();
  const events = await eventsOnce(hasStarted);
  expect(reasonsOf(events)).toEqual([
    'Created',
    'Pulled',
    'RegisteredNode',
    'RegisteredNode',
    'ScalingReplicaSet',
    'Scheduled',
    'Started',
    'SuccessfulCreate',
  ]);
  const scaled = events.find(({ reason }) => text(reason) === 'ScalingReplicaSet')!;
  expect(text(scaled.message)).toMatch(/^Scaled up replica set web-[b-z2-9]{8,10} from 0 to 1$/);
  expect(scaled.source).toEqual({ component: 'deployment-controller' });
  expect(scaled.involvedObject).toMatchObject({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' });
});

test('repeated events are counted', async () => {
  const clock = new FakeClock();
  await newDeployment({ clock, planPod: () => ({ exitCode: 1 }) });
  await cluster.podsOnce(([pod]) => JSON.stringify(pod?.status ?? {}).includes('CrashLoopBackOff'));
  await clock.advance(10_000);
  const events = await eventsOnce((all) =>
    all.some(({ reason, count }) => text(reason) === 'Started' && Number(count) === 2),
  );
  expect(reasonsOf(events).filter((reason) => reason === 'Started')).toHaveLength(1);
});

test('the count of an event starts again after an hour', async () => {
  const clock = new FakeClock();
  await newDeployment({ clock });
  await eventsOnce(hasStarted);
  await clock.advance(3_600_001);
  await cluster.api.patch('/apis/apps/v1/namespaces/default/deployments/web', 'merge', { spec: { replicas: 0 } });
  const events = await eventsOnce((all) => !all.some(({ message }) => text(message).includes('from 0 to 1')));
  expect(reasonsOf(events)).toContain('ScalingReplicaSet');
});
