import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row, RowResult } from './row.js';
import { PARALLEL, ROW_LIMIT_MS, RUNS } from './settings.js';
import { World } from './world.js';
import type { FaultCluster } from './fault-cluster.js';

/** The rows of each round. Ids of later rounds have a suffix. */
export function roundsOf(rows: readonly Row[]): (readonly Row[])[] {
  const suffix = (round: number): string => (round === 0 ? '' : `-run-${round + 1}`);
  return Array.from({ length: RUNS }, (_, round) => rows.map((row) => ({ ...row, id: row.id + suffix(round) })));
}

/** Starts the rows, some at a time, in order, round by round. Returns the results by id, which never reject. */
export function runRows(
  cluster: FaultCluster,
  rounds: readonly (readonly Row[])[],
  parallel = PARALLEL,
): Map<string, Promise<RowResult>> {
  const waiting: (() => void)[] = [];
  let free = parallel;
  const acquire = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const run = async (row: Row): Promise<RowResult> => {
    await acquire();
    try {
      return await runRow(cluster, row);
    } finally {
      release();
    }
  };
  const results = new Map<string, Promise<RowResult>>();
  for (const rows of rounds) {
    const earlier = Promise.all(results.values());
    for (const row of rows) results.set(row.id, results.size < rows.length ? run(row) : earlier.then(() => run(row)));
  }
  return results;
}

async function runRow(cluster: FaultCluster, { id, title, run }: Row): Promise<RowResult> {
  const started = performance.now();
  const errorOf = async (act: () => Promise<void>): Promise<Error | undefined> => {
    try {
      await act();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  const error = await errorOf(async () => {
    const world = await World.create(cluster, id);
    const failed = await errorOf(() => limited(run(world)));
    if (failed && process.env['FAULT_LOG']) await writeLog(process.env['FAULT_LOG'], id, world);
    const unclean = await errorOf(() => endOf(world));
    const first = failed ?? unclean;
    if (first) throw first;
  });
  return { id, title, seconds: (performance.now() - started) / 1000, error };
}

/** After a row its managers have stopped, and neither timers nor connections are left. */
async function endOf(world: World): Promise<void> {
  await world.stopManagers();
  const { pending } = world.clock;
  await world.end();
  if (pending > 0) throw new Error(`${String(pending)} timers are pending after the managers have stopped`);
}

async function limited(run: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the row took more than ${ROW_LIMIT_MS / 1000} s`)), ROW_LIMIT_MS);
  });
  try {
    await Promise.race([run, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes what the row's managers logged and what its proxy received. */
async function writeLog(folder: string, id: string, { managers, proxy }: World): Promise<void> {
  const logs = managers.map(({ manager }) => manager.logger.toString());
  const calls = proxy.calls.map(
    ({ receivedMs, method, url, status, endedMs }) =>
      `${receivedMs.toFixed(0)} ${method} ${url} ${String(status)} ${endedMs?.toFixed(0) ?? 'open'}`,
  );
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${id}.log`), [...logs, ...calls, ''].join('\n'));
}
