import { assert } from '../oracles/converged.js';
import { assertSameHistory } from '../oracles/history.js';
import { CrashRun, type Course, type Crash, type Scenario } from '../harness/crash-run.js';
import { NAMESPACED_SCENARIOS, NODE_POOL_SCENARIO } from '../harness/crash-scenarios.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';

/** Runs of one operator at the same time; a run waits most of the time for a process to start. */
const PARALLEL_RUNS = 2;

/** Kills the operator at each write of a clean run and compares what is stored, object by object, state by state. */
async function crashAtEachWrite(
  { cluster, namespace }: World,
  scenario: Scenario,
  moment: Crash['moment'],
  parallel = PARALLEL_RUNS,
): Promise<void> {
  const clean = await CrashRun.play(cluster, scenario, `${namespace}-clean`);
  assert(clean.writes > 0, 'the operator wrote nothing');
  const waiting = Array.from({ length: clean.writes }, (_, index) => index + 1);
  const differences: string[] = [];
  const lane = async (): Promise<void> => {
    for (let write = waiting.shift(); write !== undefined; write = waiting.shift()) {
      const difference = await differenceOf(clean, cluster, scenario, `${namespace}-${write}`, { write, moment });
      if (difference !== undefined) differences.push(`killed ${moment} the response to write ${write}: ${difference}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  assert(differences.length === 0, differences.join('\n'));
}

async function differenceOf(clean: Course, ...run: Parameters<typeof CrashRun.play>): Promise<string | undefined> {
  try {
    assertSameHistory((await CrashRun.play(...run)).history, clean.history);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const AFTER = 'is killed right after the response to any of its writes, and stores what a run without a crash stores';
const BEFORE = 'is killed right before the response to any of its writes, and stores what a run without a crash stores';

let lastOfNodePool: Promise<unknown> = Promise.resolve();

/** A NodePool operator handles all pools of the cluster, so that only one may run. */
function crashNodePool(world: World, moment: Crash['moment']): Promise<void> {
  const run = lastOfNodePool.then(() => crashAtEachWrite(world, NODE_POOL_SCENARIO, moment, 1));
  lastOfNodePool = run.catch(() => undefined);
  return run;
}

/** The two long rows are apart, so that one of them starts first and one last. */
export const CRASH_ROWS: readonly Row[] = [
  { id: 'F53-nodepool', title: `nodepool ${AFTER}`, run: (world) => crashNodePool(world, 'after') },
  ...NAMESPACED_SCENARIOS.flatMap((scenario): Row[] => [
    {
      id: `F53-${scenario.operator}`,
      title: `${scenario.operator} ${AFTER}`,
      run: (world) => crashAtEachWrite(world, scenario, 'after'),
    },
    {
      id: `F54-${scenario.operator}`,
      title: `${scenario.operator} ${BEFORE}`,
      run: (world) => crashAtEachWrite(world, scenario, 'before'),
    },
  ]),
  { id: 'F54-nodepool', title: `nodepool ${BEFORE}`, run: (world) => crashNodePool(world, 'before') },
];
