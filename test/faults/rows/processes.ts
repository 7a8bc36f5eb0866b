import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigMap, Deployment } from 'kindwright';
import { PodSet } from '../../../operators/podset.js';
import { OperatorProcess } from '../../e2e/operator-process.js';
import { assert, assertEqual, within } from '../oracles/converged.js';
import { isCounted } from '../oracles/ledger.js';
import { Brake } from '../harness/blocking-operator.js';
import type { Row } from '../harness/row.js';
import { SUSPENDED_MS } from '../harness/settings.js';
import type { World } from '../harness/world.js';
import { Gate } from '../proxy/faults.js';

function startPodSet(world: World): OperatorProcess {
  const args = ['operators/podset.ts', '--namespace', world.namespace, '--no-preflight'];
  const operator = OperatorProcess.start(world.kubeconfig, args);
  world.onEnd(() => operator.stop('SIGKILL'));
  return operator;
}

async function createSet({ admin, namespace }: World, size: number): Promise<void> {
  await admin.create(PodSet, { metadata: { name: 'set', namespace }, spec: { size } });
}

async function untilReplicas({ admin, namespace }: World, size: number): Promise<void> {
  await within(60_000, async () => {
    assertEqual((await admin.get(Deployment, 'set', { namespace })).spec?.replicas, size, 'replicas');
  });
}

const writesOf = ({ proxy }: World): number => proxy.writes.filter(isCounted).length;

/** A stop takes less than 2 s on an idle machine; the rows share it with others. */
const STOP_MS = 5_000;

function assertShort(stopMs: number): void {
  assert(stopMs < STOP_MS, `the stop took ${(stopMs / 1000).toFixed(1)} s`);
}

export const PROCESS_ROWS: readonly Row[] = [
  {
    id: 'F33',
    title: `an operator that was suspended for ${SUSPENDED_MS / 1000} s reaches the last state with few writes`,
    async run(world) {
      const { admin, namespace } = world;
      await createSet(world, 1);
      const operator = startPodSet(world);
      await untilReplicas(world, 1);
      await delay(1_000);
      operator.send('SIGSTOP');
      const before = writesOf(world);
      for (let size = 2; size <= 5; size++) {
        await admin.patch(PodSet, 'set', { spec: { size } }, { namespace });
        await delay(SUSPENDED_MS / 4);
      }
      assertEqual(writesOf(world), before, 'writes of a suspended process');
      operator.send('SIGCONT');
      await untilReplicas(world, 5);
      await delay(2_000);
      // The merged changes are one write; the four events may also be taken one by one.
      const writes = writesOf(world) - before;
      assert(writes >= 1 && writes <= 4, `${writes} writes`);
    },
  },
  {
    id: 'F56',
    title: 'SIGTERM during a write lets it finish, takes no more objects, and ends with exit code 0',
    async run(world) {
      const { admin, namespace, proxy } = world;
      const gate = new Gate();
      const held = proxy.inject({ verb: 'apply', resource: 'deployments' }, gate.responses, { times: 1 });
      await createSet(world, 1);
      const operator = startPodSet(world);
      await within(60_000, () => assertEqual(held.hits, 1, 'held writes'));
      const exit = operator.stop('SIGTERM');
      await operator.logged(/[Ss]topping|[Ss]hutting down|stopp/);
      await admin.create(PodSet, { metadata: { name: 'late', namespace }, spec: { size: 1 } });
      gate.release();
      assertEqual(await exit, 0, 'exit code');
      await operator.logged(/^PodSet .*\/set: created Deployment set/); // printed at the end of a reconcile
      assertEqual(proxy.writes.filter(({ name }) => name === 'late').length, 0, 'writes for the new object');
    },
  },
  {
    id: 'F57',
    title: 'SIGTERM during the first list ends the operator with exit code 0, without a write',
    async run(world) {
      const gate = new Gate();
      const held = world.proxy.inject({ verb: 'watch', resource: 'podsets' }, gate.requests);
      await createSet(world, 1);
      const operator = startPodSet(world);
      await within(60_000, () => assert(held.hits > 0, 'no list'));
      const before = performance.now();
      assertEqual(await operator.stop('SIGTERM'), 0, 'exit code');
      assertShort(performance.now() - before);
      assertEqual(writesOf(world), 0, 'writes');
      gate.release();
    },
  },
  {
    id: 'F57-disconnected',
    title: 'SIGTERM while the server cannot be reached ends the operator with exit code 0',
    async run(world) {
      await createSet(world, 1);
      const operator = startPodSet(world);
      await untilReplicas(world, 1);
      await world.proxy.refuse();
      await delay(1_000);
      const before = performance.now();
      assertEqual(await operator.stop('SIGTERM'), 0, 'exit code');
      assertShort(performance.now() - before);
      await world.proxy.listen();
    },
  },
  {
    id: 'F32',
    title: 'an operator that does not read its watch while 16 MB of changes arrive reaches the last state',
    async run(world) {
      const { admin, namespace, cluster } = world;
      await createSet(world, 1);
      // Without the proxy, which would read the watch in place of the operator.
      const args = ['operators/podset.ts', '--namespace', namespace, '--no-preflight'];
      const operator = OperatorProcess.start(cluster.controlPlane.kubeconfig, args);
      world.onEnd(() => operator.stop('SIGKILL'));
      await untilReplicas(world, 1);
      operator.send('SIGSTOP');
      for (let round = 0; round < 80; round++) {
        const annotations = { filler: String(round % 10).repeat(200_000) };
        await admin.patch(PodSet, 'set', { metadata: { annotations } }, { namespace });
      }
      await admin.patch(PodSet, 'set', { spec: { size: 4 }, metadata: { annotations: null } }, { namespace });
      operator.send('SIGCONT');
      await untilReplicas(world, 4);
      await admin.patch(PodSet, 'set', { spec: { size: 2 } }, { namespace });
      await untilReplicas(world, 2);
    },
  },
  {
    id: 'F58',
    title:
      'a leader whose event loop is blocked past its lease writes nothing more and ends, and another one takes over',
    async run(world) {
      const { admin, namespace, cluster } = world;
      const start = (kubeconfig: string): OperatorProcess => {
        const election = ['--leader-elect', '--leader-election-namespace', namespace];
        const args = ['test/faults/harness/blocking-operator.ts', '--namespace', namespace, '--no-preflight'];
        const operator = OperatorProcess.start(kubeconfig, [...args, ...election]);
        world.onEnd(() => operator.stop('SIGKILL'));
        return operator;
      };
      const marker = join(cluster.controlPlane.dir, `${namespace}-marker`);
      await admin.create(Brake, { metadata: { name: 'brake', namespace }, spec: { marker, blockMs: 25_000 } });
      const blocked = start(world.kubeconfig);
      await within(60_000, () => assert(existsSync(marker), 'the leader does not reconcile'));
      const other = await cluster.proxy();
      world.onEnd(() => other.close());
      start(await cluster.kubeconfigFor(other.url));
      await within(90_000, async () => {
        const { data } = await admin.get(ConfigMap, 'brake', { namespace });
        assertEqual(data, { writer: 'other' }, 'data');
      });
      const code = await blocked.ended();
      assert(code !== 0, `exit code ${String(code)}`);
      assertEqual(writesOf(world), 0, 'writes of the blocked leader');
      const { data } = await admin.get(ConfigMap, 'brake', { namespace });
      assertEqual(data, { writer: 'other' }, 'data');
    },
  },
];
