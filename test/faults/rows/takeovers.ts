import { setTimeout as delay } from 'node:timers/promises';
import { Deployment } from 'kindwright';
import { PodSet } from '../../../operators/podset.js';
import { OperatorProcess } from '../../e2e/operator-process.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { assert, assertEqual, within } from '../oracles/converged.js';

const ACQUIRED = /^Successfully acquired lease$/;

function startReplica(world: World): OperatorProcess {
  const election = ['--leader-elect', '--leader-election-namespace', world.namespace];
  const args = ['operators/podset.ts', '--namespace', world.namespace, '--no-preflight', ...election];
  const operator = OperatorProcess.start(world.kubeconfig, args);
  world.onEnd(() => operator.stop('SIGKILL'));
  return operator;
}

async function untilReplicas({ admin, namespace }: World, size: number): Promise<void> {
  await within(60_000, async () => {
    assertEqual((await admin.get(Deployment, 'set', { namespace })).spec?.replicas, size, 'replicas');
  });
}

/** Ends the leader, and returns the seconds until the other replica leads. It reconciles a change that no replica has seen. */
async function takeOver(world: World, signal: 'SIGKILL' | 'SIGTERM'): Promise<number> {
  const { admin, namespace } = world;
  await admin.create(PodSet, { metadata: { name: 'set', namespace }, spec: { size: 1 } });
  const leader = startReplica(world);
  await untilReplicas(world, 1);
  const standby = startReplica(world);
  await standby.logged(/^Lease is held by another process$/);
  // The standby has seen a renewal, as that of an operator that has run for a while.
  await delay(5_000);
  const before = performance.now();
  const ended = leader.stop(signal);
  await admin.patch(PodSet, 'set', { spec: { size: 2 } }, { namespace });
  await standby.logged(ACQUIRED);
  const seconds = (performance.now() - before) / 1000;
  assertEqual(await ended, signal === 'SIGTERM' ? 0 : signal, 'end of the leader');
  await untilReplicas(world, 2);
  return seconds;
}

export const TAKEOVER_ROWS: readonly Row[] = [
  {
    id: 'F65-killed',
    title: 'after a leader was killed, another replica leads within 17 s',
    async run(world) {
      const seconds = await takeOver(world, 'SIGKILL');
      // The lease expires 15 s after the standby has seen the last renewal.
      assert(seconds <= 17, `the takeover took ${seconds.toFixed(1)} s`);
    },
  },
  {
    id: 'F65-stopped',
    title: 'after a leader was stopped with SIGTERM, another replica leads within 3 s',
    async run(world) {
      const seconds = await takeOver(world, 'SIGTERM');
      assert(seconds <= 3, `the takeover took ${seconds.toFixed(1)} s`);
    },
  },
];
