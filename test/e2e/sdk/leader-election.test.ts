import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, ConfigMap, Lease, loadClusterConfig } from 'kindwright';
import { eventually } from '../../../src/testing/eventually.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { RunningManager, installKinds } from './running-manager.js';
import { behaviors, Widget } from './widget.js';

const namespace = 'default';
/** A fifth of the defaults, for tests that wait for a lease to run out. */
const QUICK = { namespace, leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 400 };
let cluster: SuiteControlPlane;
let client: Client;
let managers: RunningManager[];

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'], audit: true });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Widget]);
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});
beforeEach(() => {
  managers = [];
});
afterEach(async () => {
  await Promise.allSettled(managers.map((manager) => manager.stop()));
  await client.delete(Lease, 'widget-leader', { namespace }).catch(() => undefined);
});

function candidate(identity: string, election = {}): RunningManager {
  const manager = new RunningManager(client, [Widget], { identity, leaderElection: { namespace, ...election } });
  managers.push(manager);
  return manager;
}
const lease = () => client.get(Lease, 'widget-leader', { namespace });
const holder = async () => (await lease()).spec?.holderIdentity;
const isWorking = (manager: RunningManager) => manager.logger.messages().includes('Started workers');

describe('leader election', () => {
  test('the Lease has the fields that client-go writes', async () => {
    await candidate('a').workersStarted();
    expect((await lease()).spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
    const { acquireTime, renewTime } = (await lease()).spec ?? {};
    for (const time of [acquireTime, renewTime]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  test('one of ten candidates that start together leads, and the others queue no keys', async () => {
    for (let i = 0; i < 10; i++) candidate(`c${String(i)}`);
    await eventually(() => expect(managers.filter(isWorking)).toHaveLength(1));
    await eventually(async () => expect(managers.findIndex(isWorking)).toBe(Number((await holder())?.slice(1))));
    const standby = managers.filter((manager) => !isWorking(manager));
    expect(standby).toHaveLength(9);
    for (const { logger } of standby) expect(logger.messages()).not.toContain('Setting up event handlers');
  });

  test('a leader that stops releases the lease last, and another candidate takes it at its next attempt', async () => {
    await candidate('a').workersStarted();
    const second = candidate('b');
    await second.logged(/^Attempting to acquire leader lease$/);
    await managers[0]!.stop();
    expect(await holder()).not.toBe('a');
    await eventually(() => expect(isWorking(second)).toBe(true), { timeout: '5s' });
    expect((await lease()).spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  test('a standby that stops has written nothing except to the lease', async () => {
    await candidate('a').workersStarted();
    const second = candidate('b');
    await second.logged(/^Lease is held by another process$/);
    await second.stop();
    expect(await holder()).toBe('a');
    expect(second.logger.messages()).not.toContain('Shutting down workers');
  });

  test('a lease that its holder does not renew is taken over when it has expired', async () => {
    const now = new Date().toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: 'dead', leaseDurationSeconds: 3, acquireTime: now, renewTime: now };
    await client.create(Lease, { metadata: { name: 'widget-leader', namespace }, spec });
    const manager = candidate('a', QUICK);
    await manager.logged(/^Lease is held by another process$/);
    expect(isWorking(manager)).toBe(false);
    await manager.workersStarted();
    expect(await holder()).toBe('a');
  });

  test('a leader that loses its lease aborts its reconciles, writes no more, and run rejects', async () => {
    let isAborted = false;
    let write: (() => Promise<unknown>) | undefined;
    behaviors.set('busy', async (_self, ctx) => {
      write = () => ctx.apply(ConfigMap, { metadata: { name: 'busy' } });
      await new Promise<void>((resolve) => {
        ctx.signal.addEventListener('abort', () => {
          isAborted = true;
          resolve();
        });
      });
    });
    await client.create(Widget, { metadata: { name: 'busy', namespace }, spec: { value: 'a' } });
    const leader = candidate('a', QUICK);
    await eventually(() => expect(write).toBeDefined());
    await client.patch(Lease, 'widget-leader', { spec: { holderIdentity: 'thief' } }, { namespace });
    await expect(leader.ended).rejects.toMatchObject({
      code: 'E_LEASE_LOST',
      message: 'leader election lost: it is held by thief',
    });
    expect(isAborted).toBe(true);
    await expect(write!()).rejects.toThrow('leader election lost');
    expect(await holder()).toBe('thief');
    behaviors.delete('busy');
  });

  test('a leader that cannot reach the server stops work before another may take over', async () => {
    const leader = candidate('a', QUICK);
    await leader.workersStarted();
    await cluster.stopPart('apiserver');
    await expect(leader.ended).rejects.toThrow(/leader election lost: not renewed within 2000 ms \(.*refused/);
    await cluster.startPart('apiserver');
  });

  test('the leader recreates its Lease when it is deleted', async () => {
    const leader = candidate('a', QUICK);
    await leader.workersStarted();
    const { uid } = (await lease()).metadata;
    await client.delete(Lease, 'widget-leader', { namespace });
    await eventually(async () => expect((await lease()).metadata.uid).not.toBe(uid));
    expect(await holder()).toBe('a');
  });
});
