import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Deployment } from 'kindwright';
import { PodSet } from '../../../operators/podset.js';
import { OperatorProcess } from '../../e2e/operator-process.js';
import type { Row } from '../harness/row.js';
import { randomOf } from '../harness/settings.js';
import type { World } from '../harness/world.js';
import { assert, assertEqual, within } from '../oracles/converged.js';

const run = promisify(execFile);

function startPodSet(world: World, log?: string, variables: NodeJS.ProcessEnv = {}): OperatorProcess {
  const args = ['operators/podset.ts', '--namespace', world.namespace, '--no-preflight'];
  const operator = OperatorProcess.start(world.kubeconfig, args, log, variables);
  world.onEnd(() => operator.stop('SIGKILL'));
  return operator;
}

async function changeSet({ admin, namespace }: World, size: number): Promise<void> {
  await admin.patch(PodSet, 'set', { spec: { size } }, { namespace });
}

async function untilReplicas({ admin, namespace }: World, size: number): Promise<void> {
  await within(60_000, async () => {
    assertEqual((await admin.get(Deployment, 'set', { namespace })).spec?.replicas, size, 'replicas');
  });
}

/** Allows a process no more file descriptors than the given number, or than before. */
async function limitFiles(pid: number, count: number | string): Promise<void> {
  await run('prlimit', ['--pid', String(pid), `--nofile=${count}:`]);
}

export const PROCESS_LIMIT_ROWS: readonly Row[] = [
  {
    id: 'F59',
    title: 'an operator that runs out of memory between writes ends, and reaches the last state with more memory',
    async run(world) {
      const { admin, namespace } = world;
      await admin.create(PodSet, { metadata: { name: 'set', namespace }, spec: { size: 1 } });
      const operator = startPodSet(world, undefined, { NODE_OPTIONS: '--max-old-space-size=40' });
      await untilReplicas(world, 1);
      const ended = { isOver: false };
      const exit = operator.ended().finally(() => (ended.isOver = true));
      // Objects of 250 kB in the cache, until the memory does not suffice for another one.
      const annotations = { filler: 'x'.repeat(250_000) };
      const names: string[] = [];
      while (!ended.isOver && names.length < 600) {
        names.push(`large-${names.length}`);
        const metadata = { name: names.at(-1)!, namespace, annotations };
        await admin.create(PodSet, { metadata, spec: { size: 2 } });
      }
      await within(30_000, () => assert(ended.isOver, 'the operator has not run out of memory'));
      assert((await exit) !== 0, 'the operator has ended with exit code 0');
      const written = (await admin.list(Deployment, { namespace })).items.length;
      assert(written < names.length, 'all objects were reconciled before the operator ran out of memory');
      startPodSet(world);
      await within(120_000, async () => {
        const { items } = await admin.list(Deployment, { namespace });
        assertEqual(items.map(({ metadata }) => metadata.name).sort(), ['set', ...names].sort(), 'Deployments');
      });
    },
  },
  {
    id: 'F96',
    title: 'an operator that cannot open files or connections for a while continues when it can',
    async run(world) {
      const { admin, namespace, proxy } = world;
      await admin.create(PodSet, { metadata: { name: 'set', namespace }, spec: { size: 1 } });
      const operator = startPodSet(world);
      await untilReplicas(world, 1);
      const { pid } = operator;
      const open = (await readdir(`/proc/${pid}/fd`)).map(Number);
      // Descriptors are the lowest free numbers: those of the connections that are cut would be free again.
      const lowest = open.filter((descriptor) => descriptor < 10).length;
      await limitFiles(pid, lowest);
      const accepted = proxy.accepted;
      proxy.cut();
      await changeSet(world, 2);
      await delay(4_000);
      assertEqual(proxy.accepted, accepted, 'connections without a free file descriptor');
      await limitFiles(pid, 1_024);
      await untilReplicas(world, 2);
    },
  },
  {
    id: 'F97',
    title: 'an operator whose log is on a full disk works',
    async run(world) {
      const { admin, namespace } = world;
      await admin.create(PodSet, { metadata: { name: 'set', namespace }, spec: { size: 1 } });
      const operator = startPodSet(world, '/dev/full');
      await untilReplicas(world, 1);
      for (const size of [2, 3]) {
        await changeSet(world, size);
        await untilReplicas(world, size);
      }
      assertEqual(await operator.stop('SIGTERM'), 0, 'exit code');
    },
  },
  {
    id: 'F98',
    title: 'an operator that is killed five times at random moments under load reaches the last state of 20 objects',
    async run(world) {
      const { admin, namespace } = world;
      const names = Array.from({ length: 20 }, (_, index) => `set-${index}`);
      const spec = { size: 0 };
      for (const name of names) await admin.create(PodSet, { metadata: { name, namespace }, spec });
      const random = randomOf('F98');
      for (let round = 1; round <= 5; round++) {
        const operator = startPodSet(world);
        const end = delay(1_000 + random() * 2_500);
        for (const name of names) await admin.patch(PodSet, name, { spec: { size: round } }, { namespace });
        await end;
        await operator.stop('SIGKILL');
      }
      startPodSet(world);
      await within(60_000, async () => {
        const { items } = await admin.list(Deployment, { namespace });
        assertEqual(items.map(({ metadata }) => metadata.name).sort(), [...names].sort(), 'Deployments');
        for (const { metadata, spec } of items) assertEqual(spec?.replicas, 5, `replicas of ${metadata.name}`);
        for (const { status } of (await admin.list(PodSet, { namespace })).items)
          assertEqual(status?.nodes ?? [], [], 'nodes');
      });
    },
  },
];
