import { setTimeout as delay } from 'node:timers/promises';
import { ServiceAccount } from 'kindwright';
import { HelloApp } from '../../../operators/helloapp.js';
import { Mydemo } from '../../../operators/mydemo.js';
import { NodePool } from '../../../operators/nodepool.js';
import { PodBugger } from '../../../operators/podbugger.js';
import { PodSet } from '../../../operators/podset.js';
import type { Row } from '../harness/row.js';
import { randomOf, ROW_LIMIT_MS, SEEDS, SHRINK_RUNS } from '../harness/settings.js';
import { World } from '../harness/world.js';
import { assert, assertEqual, assertQuiet, within } from '../oracles/converged.js';
import { assertOperatorsConverged } from '../random/operators-converged.js';
import { FaultPlayer, randomFaults, type RandomFault } from '../random/random-fault.js';
import { RandomWorkload } from '../random/random-workload.js';

const STEPS = 30;
const STEP_MS = 150;
const FAULTS = 15;
/** Time to reach the last state after the last fault: a back-off of up to 30 s and answers that never came. */
const RECOVERY_MS = 120_000;
/** Longest time of a run that fails. */
const RUN_MS = RECOVERY_MS + 60_000;

/** Runs the five operators under the faults, then without faults until they have converged. Throws if they do not. */
async function play(world: World, seed: number, faults: readonly RandomFault[]): Promise<void> {
  const { admin, namespace, proxy } = world;
  await admin.create(ServiceAccount, { metadata: { name: 'default', namespace } });
  const workload = new RandomWorkload(admin, namespace, randomOf('workload', seed));
  world.onEnd(() => workload.cleanUp());
  await workload.prepare();
  await world.start({}, [PodSet, HelloApp, Mydemo, PodBugger, NodePool]);
  const player = new FaultPlayer(proxy, faults);
  for (let step = 0; step < STEPS; step++) {
    player.begin(step);
    await workload.step();
    if (step % 5 === 0) await workload.collectGarbage();
    await delay(STEP_MS);
  }
  await player.heal();
  // Some act on requests that are not sent by then, which depends on the load of the machine.
  assert(player.hits >= faults.length / 8, `only ${player.hits} of ${faults.length} faults disturbed anything`);
  await within(RECOVERY_MS, async () => {
    await workload.collectGarbage();
    await assertOperatorsConverged(world, workload);
    // A watch that is behind by a change and its opposite leaves the same state, but has yet to write both.
    await assertQuiet(world);
  });
  assertNothingTwice(world, workload);
}

/** No Deployment was created for an owner that had one, and operators deleted only RuntimeClasses, which they replace. */
function assertNothingTwice({ proxy }: World, { created, deleted }: RandomWorkload): void {
  const stored = proxy.writes.filter(({ resource, status }) => resource === 'deployments' && status === 201).length;
  const owners = (created.get('PodSet') ?? 0) + (created.get('HelloApp') ?? 0);
  const most = owners + (deleted.get('Deployment') ?? 0);
  assert(stored <= most, `${stored} Deployments were created, at most ${most} were missing`);
  const deletes = proxy.writes.filter(({ verb, resource }) => verb === 'delete' && resource !== 'runtimeclasses');
  assertEqual(
    deletes.map(({ url }) => url),
    [],
    'deletions',
  );
}

/** Leaves out faults while the run still fails and its end is within the time limit of the row. */
async function shrink(
  world: World,
  seed: number,
  faults: readonly RandomFault[],
  startMs: number,
): Promise<readonly RandomFault[]> {
  const endMs = startMs + ROW_LIMIT_MS - RUN_MS;
  let [shortest, size] = [faults, Math.ceil(faults.length / 2)];
  let start = 0;
  for (let run = 0; run < SHRINK_RUNS && size > 0 && performance.now() < endMs; run++) {
    const rest = [...shortest.slice(0, start), ...shortest.slice(start + size)];
    if (await fails(world, `${world.namespace}-shrink-${run}`, seed, rest)) shortest = rest;
    else start += size;
    if (start < shortest.length) continue;
    start = 0;
    size = size > 1 ? Math.ceil(size / 2) : 0;
  }
  return shortest;
}

async function fails({ cluster }: World, name: string, seed: number, faults: readonly RandomFault[]): Promise<boolean> {
  const world = await World.create(cluster, name);
  try {
    await play(world, seed, faults);
    return false;
  } catch {
    return true;
  } finally {
    await world.end();
  }
}

export const RANDOM_ROWS: readonly Row[] = SEEDS.map((seed) => ({
  id: `F90-${seed}`,
  title: `the five operators converge after ${FAULTS} random faults during random changes (seed ${seed})`,
  async run(world) {
    const faults = randomFaults(randomOf('faults', seed), FAULTS, STEPS);
    const startMs = performance.now();
    try {
      await play(world, seed, faults);
    } catch (error) {
      await world.stopManagers();
      const shortest = await shrink(world, seed, faults, startMs);
      const list = shortest.map((fault) => JSON.stringify(fault)).join('\n');
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${message}\nFAULT_SEED=${seed} FAULT_SEEDS=1, ${shortest.length} faults:\n${list}`, {
        cause: error,
      });
    }
  },
}));
