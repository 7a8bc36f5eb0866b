import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigMap } from 'kindwright';
import { OperatorProcess } from '../../e2e/operator-process.js';
import { PersistentWriter, permissionOf, WAITING } from '../harness/persistent-writer.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { assert, assertEqual, within } from '../oracles/converged.js';
import { ledgerEntry } from '../oracles/ledger.js';
import type { FaultProxy } from '../proxy/fault-proxy.js';

/** The process that is stopped. */
const STOPPED = 'stopped';

/** A process that waits for a permission, and then tries to write in every way. */
interface WriterProcess {
  readonly operator: OperatorProcess;
  readonly proxy: FaultProxy;
  /** The lines that it has recorded. */
  record(): readonly string[];
  permit(): void;
}

async function startWriter(world: World, name: string, flags: readonly string[]): Promise<WriterProcess> {
  const { cluster, namespace } = world;
  const proxy = await cluster.proxy();
  world.onEnd(() => proxy.close());
  const file = join(cluster.controlPlane.dir, `${namespace}-${name}`);
  writeFileSync(file, '');
  const args = ['test/faults/harness/persistent-writer.ts', '--namespace', namespace, '--no-preflight', ...flags];
  const variables = { WRITER: name, WRITER_RECORD: file, ...(name === STOPPED && { WRITER_IS_BLOCKED: '1' }) };
  const operator = OperatorProcess.start(await cluster.kubeconfigFor(proxy.url), args, undefined, variables);
  world.onEnd(() => operator.stop('SIGKILL'));
  return {
    operator,
    proxy,
    record: () => readFileSync(file, 'utf8').trim().split('\n'),
    permit: () => {
      writeFileSync(permissionOf(file), '');
    },
  };
}

/** The attempts to write. */
function attemptsOf(writer: WriterProcess): string[] {
  return writer.record().filter((line) => line !== WAITING);
}

/** The reconcile and the task of each object wait for the permission. */
function untilWaiting(writer: WriterProcess, objects: number): Promise<void> {
  return within(60_000, () => {
    assertEqual(writer.record().filter((line) => line === WAITING).length, 2 * objects, 'waiting methods');
  });
}

async function createObjects({ admin, namespace }: World, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await admin.create(PersistentWriter, { metadata: { name: `one-${index}`, namespace }, spec: {} });
}

/** Every object has a child that the process has written. */
function untilWrittenBy({ admin, namespace }: World, writer: string, count: number): Promise<void> {
  return within(60_000, async () => {
    const { items } = await admin.list(ConfigMap, { namespace });
    assertEqual(
      items.map(({ data }) => data),
      Array.from({ length: count }, () => ({ writer })),
      'children',
    );
  });
}

/** All writes apart from those of Leases: children, status and Events. */
function writesOf({ proxy }: WriterProcess): string[] {
  return proxy.writes.filter(({ resource }) => resource !== 'leases').map(ledgerEntry);
}

/** Each way to write was tried, and never with success. */
function assertRejected(writer: WriterProcess, ways: number): void {
  const outcomes = new Set(attemptsOf(writer));
  assertEqual(
    [...outcomes].filter((outcome) => !outcome.endsWith(': rejected')),
    [],
    'writes that were not rejected',
  );
  assertEqual(outcomes.size, ways, 'ways to write');
}

export const SUSPENDED_PROCESS_ROWS: readonly Row[] = [
  {
    id: 'F58-stopped',
    title:
      'a leader that was stopped by SIGSTOP past its lease writes nothing when it continues, although its code ignores the abort',
    async run(world) {
      const election = ['--leader-elect', '--leader-election-namespace', world.namespace];
      const durations = ['lease-duration=6s', 'renew-deadline=5s', 'retry-period=1s'];
      const flags = [...election, ...durations.map((duration) => `--leader-elect-${duration}`)];
      const stopped = await startWriter(world, STOPPED, flags);
      await createObjects(world, 1);
      await untilWaiting(stopped, 1);
      const other = await startWriter(world, 'other', flags);
      await other.operator.logged(/^Attempting to acquire leader lease/);
      stopped.operator.send('SIGSTOP');
      stopped.permit();
      await untilWrittenBy(world, 'other', 1);
      const before = writesOf(stopped);
      stopped.operator.send('SIGCONT');
      const code = await stopped.operator.ended();
      assert(code !== 0, `exit code ${String(code)}`);
      assertEqual(writesOf(stopped), before, 'writes of the stopped leader');
      assertRejected(stopped, 16);
      await untilWrittenBy(world, 'other', 1);
    },
  },
  {
    id: 'F58-stopped-shard',
    title:
      'a replica that was stopped by SIGSTOP past its lease writes nothing for the objects that others have taken over',
    async run(world) {
      const durations = ['--sharding-namespace', world.namespace, '--sharding-lease-duration=6s'];
      const flags = ['--sharding', ...durations];
      const stopped = await startWriter(world, STOPPED, flags);
      const count = 4;
      await createObjects(world, count);
      await untilWaiting(stopped, count);
      // It gets no object before the first process is stopped, because work is done on all of them. Its own work on them
      // never ends, so none of them moves back.
      const other = await startWriter(world, 'other', flags);
      await other.operator.logged(/^Joined the replicas/);
      stopped.operator.send('SIGSTOP');
      stopped.permit();
      await untilWrittenBy(world, 'other', count);
      const before = writesOf(stopped);
      const resumed = stopped.operator.lines.length;
      stopped.operator.send('SIGCONT');
      await within(30_000, () => {
        const messages = stopped.operator.messages.slice(resumed);
        assert(
          messages.some((message) => message.startsWith('Joined the replicas')),
          'it has not joined again',
        );
      });
      const tried = attemptsOf(stopped).length;
      await within(30_000, () => assert(attemptsOf(stopped).length > tried, 'no attempt since it has joined again'));
      assertEqual(writesOf(stopped), before, 'writes of the stopped replica');
      assertRejected(stopped, 14);
      await untilWrittenBy(world, 'other', count);
    },
  },
];
