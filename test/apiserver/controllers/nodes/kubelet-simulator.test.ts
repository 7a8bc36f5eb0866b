import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../../src/testing/eventually.js';
import { FakeClock } from '../../../../src/base/fake-clock.js';
import type { EmbeddedApiServerOptions } from '../../../../src/apiserver/embedded-api-server.js';
import { text } from '../../api-client.js';
import { ClusterTest, phaseOf } from '../cluster-test.js';

let cluster: ClusterTest;
afterEach(() => cluster.stop());

async function newPod(
  options: EmbeddedApiServerOptions,
  restartPolicy = 'Always',
  container: object = {},
  more: object = {},
): Promise<string> {
  cluster = await ClusterTest.start(options);
  return cluster.create('v1', 'pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { restartPolicy, containers: [{ name: 'c', image: 'i', ...container }], ...more },
  });
}

interface ContainerStatus {
  readonly restartCount: number;
  readonly allocatedResources?: { readonly cpu: string };
  readonly state: Readonly<Record<string, { readonly reason?: string; readonly message?: string }>>;
}

const containerOf = (status: Readonly<Record<string, unknown>>): ContainerStatus | undefined =>
  (status.containerStatuses as ContainerStatus[] | undefined)?.[0];
const conditionOf = (status: Readonly<Record<string, unknown>>, type: string): object | undefined =>
  (status.conditions as { readonly type: string }[] | undefined)?.find((condition) => condition.type === type);
/** Reasons and messages of the events other than normal starts. */
async function eventsOfKubelet(): Promise<string[]> {
  const { body } = await cluster.api.send('GET', '/api/v1/namespaces/default/events');
  return (body.items as unknown as { reason: string; message: string; source: { component?: string } }[])
    .filter(({ source, reason }) => source.component === 'kubelet' && ['BackOff', 'Failed'].includes(reason))
    .map(({ reason, message }) => `${reason} ${message}`)
    .sort();
}

const isRunning = (status: Readonly<Record<string, unknown>>): boolean => status.phase === 'Running';

describe('a pod', () => {
  test('a pod is pending until its start delay is over', async () => {
    const clock = new FakeClock();
    const path = await newPod({ clock, podStartDelayMs: 5000 });
    await cluster.podsOnce(([pod]) => pod?.spec?.nodeName !== undefined);
    const before = phaseOf((await cluster.pods())[0]!);
    await clock.advance(5000);
    expect([before, (await cluster.statusOnce(path, isRunning)).phase]).toEqual(['Pending', 'Running']);
  });

  test('a pod starts after exactly its delay, when it is created within a second', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1) + 700);
    const path = await newPod({ clock, podStartDelayMs: 2000 });
    await cluster.podsOnce(([pod]) => pod?.spec?.nodeName !== undefined);
    await clock.advance(1999);
    const before = phaseOf((await cluster.pods())[0]!);
    await clock.advance(1);
    expect([before, (await cluster.statusOnce(path, isRunning)).phase]).toEqual(['Pending', 'Running']);
  });

  test('a pod ends after exactly its run time, when it starts within a second', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1) + 700);
    const path = await newPod({ clock, planPod: () => ({ exitCode: 0, runMs: 500 }) }, 'Never');
    await cluster.statusOnce(path, isRunning);
    await clock.advance(499);
    const before = phaseOf((await cluster.pods())[0]!);
    await clock.advance(1);
    expect([before, (await cluster.statusOnce(path, ({ phase }) => phase === 'Succeeded')).phase]).toEqual([
      'Running',
      'Succeeded',
    ]);
  });

  test.each([
    ['ErrImagePull', {}, ['Failed Error: ErrImagePull']],
    [
      'ImagePullBackOff',
      { message: 'Back-off pulling image "i"' },
      ['BackOff Back-off pulling image "i"', 'Failed Error: ImagePullBackOff'],
    ],
  ])('the status of a pod contains why a container does not start: %s', async (waitingReason, more, told) => {
    const path = await newPod({ planPod: () => ({ waitingReason }) });
    const status = await cluster.statusOnce(path, (now) => containerOf(now) !== undefined);
    expect([status.phase, containerOf(status)!.state]).toEqual([
      'Pending',
      { waiting: { reason: waitingReason, ...more } },
    ]);
    await eventually(async () => expect(await eventsOfKubelet()).toEqual(told));
  });

  test('the status of a pod with crashing containers contains the back-off', async () => {
    const clock = new FakeClock();
    const path = await newPod({ clock, planPod: () => ({ exitCode: 1 }) });
    const crashed = (times: number) =>
      cluster.statusOnce(path, (now) => {
        const container = containerOf(now);
        return container?.restartCount === times && container.state.waiting !== undefined;
      });
    const [made] = await cluster.pods();
    const pod = `p_default(${text(made!.metadata!.uid)})`;
    const told = (delay: string) => `back-off ${delay} restarting failed container=c pod=${pod}`;
    expect(containerOf(await crashed(1))!.state.waiting).toMatchObject({ message: told('10s') });
    for (const [restarts, delay] of [20, 40, 80].entries()) {
      await clock.advance(delay * 500 + 1000);
      const { message } = containerOf(await crashed(restarts + 2))!.state.waiting!;
      expect(message).toBe(told(delay < 60 ? `${delay}s` : '1m20s'));
    }
    const backOff = `BackOff Back-off restarting failed container c in pod ${pod}`;
    await eventually(async () => expect(await eventsOfKubelet()).toContain(backOff));
  });

  test('a pod that is never restarted fails', async () => {
    const path = await newPod({ planPod: () => ({ exitCode: 3 }) }, 'Never');
    expect((await cluster.statusOnce(path, ({ phase }) => phase === 'Failed')).phase).toBe('Failed');
  });

  test('a crashed pod is started again after a back-off', async () => {
    const clock = new FakeClock();
    const planPod = ({ restarts }: { restarts: number }) => (restarts === 0 ? { exitCode: 1 } : undefined);
    const path = await newPod({ clock, planPod });
    await cluster.statusOnce(path, (now) => containerOf(now)?.state.waiting?.reason === 'CrashLoopBackOff');
    await clock.advance(11_000);
    const status = await cluster.statusOnce(path, (now) => containerOf(now)?.state.running !== undefined);
    expect(containerOf(status)!.restartCount).toBe(1);
  });

  test('a pod is resized while it runs', async () => {
    const path = await newPod({}, 'Always', { resources: { requests: { cpu: '1' } } });
    await cluster.statusOnce(path, isRunning);
    const requests = { cpu: '2' };
    const spec = { containers: [{ name: 'c', resources: { requests } }] };
    await cluster.api.patch(`${path}/resize`, 'strategic-merge', { spec });
    const status = await cluster.statusOnce(path, (now) => containerOf(now)?.allocatedResources?.cpu === '2');
    expect(containerOf(status)).toMatchObject({ resources: { requests }, allocatedResources: requests });
  });

  test('a pod runs its init containers first, and its sidecars beside its containers', async () => {
    const initContainers = [
      { name: 'first', image: 'i' },
      { name: 'sidecar', image: 'i', restartPolicy: 'Always' },
    ];
    const path = await newPod({}, 'Always', {}, { initContainers });
    expect((await cluster.statusOnce(path, isRunning)).initContainerStatuses).toMatchObject([
      { name: 'first', ready: true, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
      { name: 'sidecar', ready: true, started: true, state: { running: {} } },
    ]);
  });

  test('a pod is ready when the conditions of its readiness gates are met', async () => {
    const readinessGates = [{ conditionType: 'example.com/ready' }];
    const path = await newPod({}, 'Always', {}, { readinessGates });
    const before = await cluster.statusOnce(path, isRunning);
    expect(conditionOf(before, 'ContainersReady')).toMatchObject({ status: 'True' });
    expect(conditionOf(before, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message: 'corresponding condition of pod readiness gate "example.com/ready" does not exist.',
    });
    const conditions = [{ type: 'example.com/ready', status: 'True' }];
    await cluster.api.patch(`${path}/status`, 'strategic-merge', { status: { conditions } });
    const isReady = (status: Readonly<Record<string, unknown>>): boolean =>
      (conditionOf(status, 'Ready') as { status?: string }).status === 'True';
    expect(conditionOf(await cluster.statusOnce(path, isReady), 'Ready')).not.toHaveProperty('reason');
  });

  test('a pod runs its ephemeral containers, and its status has the observed generation', async () => {
    const path = await newPod({});
    expect((await cluster.statusOnce(path, isRunning)).observedGeneration).toBe(1);
    const ephemeralContainers = [{ name: 'debugger', image: 'i' }];
    await cluster.api.patch(`${path}/ephemeralcontainers`, 'strategic-merge', { spec: { ephemeralContainers } });
    const status = await cluster.statusOnce(path, (now) => now.ephemeralContainerStatuses !== undefined);
    expect(status.ephemeralContainerStatuses).toMatchObject([{ name: 'debugger', state: { running: {} } }]);
    expect([status.observedGeneration, conditionOf(status, 'PodScheduled')]).toMatchObject([
      2,
      { status: 'True', observedGeneration: 2 },
    ]);
  });

  test('a pod that is being deleted can be read until its containers have ended', async () => {
    const clock = new FakeClock();
    const path = await newPod({ clock, planPod: () => ({ stopMs: 5000 }) });
    await cluster.statusOnce(path, isRunning);
    await cluster.api.send('DELETE', path);
    await clock.advance(4999);
    const { body } = await cluster.api.send('GET', path);
    expect(body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30, generation: 2 } });
    expect(phaseOf(body)).toBe('Running');
    await clock.advance(1);
    await cluster.api.until(path, ({ code }) => code === 404);
  });

  test('containers end within the grace period', async () => {
    const clock = new FakeClock();
    const path = await newPod({ clock, planPod: () => ({ stopMs: 60_000 }) });
    await cluster.statusOnce(path, isRunning);
    await cluster.api.send('DELETE', `${path}?gracePeriodSeconds=2`);
    await clock.advance(2000);
    await cluster.api.until(path, ({ code }) => code === 404);
  });

  test('a pod is deleted although the clock does not advance', async () => {
    const path = await newPod({ clock: new FakeClock() });
    await cluster.statusOnce(path, isRunning);
    await cluster.api.send('DELETE', path);
    await cluster.api.until(path, ({ code }) => code === 404);
  });

  test('a pod has the address of its node as host IP', async () => {
    const path = await newPod({}, 'Always', {}, { nodeName: 'node-2' });
    expect((await cluster.statusOnce(path, isRunning)).hostIP).toBe('10.1.0.2');
  });
});
