import type { OperatorProcess } from './operator-process.js';
import type { World } from './world.js';

/** Virtual time without a change after which a run is quiet, if nothing that is known is still to come. */
const QUIET_MS = 90_000;
/** Virtual time in which timers of the user's code are waited for. */
const TIMERS_MS = 600_000;
/** Virtual time that a phase takes at least. */
const LEAST_MS = 60_000;
/** Virtual time after which a run that still changes is given up. */
const LIMIT_MS = 3_600_000;
/** Changes by the operator after which a run is given up: it writes in a loop. */
export const MOST_CHANGES = 1000;
/** How often a requested reconcile must have come without a change. */
const TIMES = 3;

/** Runs a world until nothing changes any more. Returns false if that takes longer than the limit. */
export async function untilQuiet(world: World, processes: () => Iterable<OperatorProcess>): Promise<boolean> {
  const { scheduler } = world;
  const task = { owner: world.user, label: 'judge waits' };
  let isQuiet = false;
  const startMs = world.at;
  const check = (): void => {
    const wait = Math.max(waitOf(world, processes()), startMs + LEAST_MS - world.at);
    if (wait <= 0) isQuiet = true;
    else scheduler.add('judge', task, wait, check);
  };
  const endMs = world.at + LIMIT_MS;
  check();
  await scheduler.run(() => isQuiet || world.ownChanges > MOST_CHANGES, endMs);
  return isQuiet;
}

/** The time that must pass before the world can be quiet. */
function waitOf(world: World, processes: Iterable<OperatorProcess>): number {
  let wait = world.lastChangeMs + QUIET_MS - world.at;
  const isEarly = world.at < world.lastChangeMs + TIMERS_MS;
  for (const process of processes) {
    if (process.owner.isDead) continue;
    if (isEarly) wait = Math.max(wait, world.ownTimerMs(process.owner, TIMERS_MS) - world.at + 1000);
    if (process.isReconciling) wait = Math.max(wait, 1000);
    for (const dueMs of process.retries.values()) wait = Math.max(wait, dueMs - world.at + 1000);
    for (const { dueMs, count } of process.timers.values())
      if (count <= TIMES) wait = Math.max(wait, dueMs - world.at + 1000);
  }
  return wait;
}
