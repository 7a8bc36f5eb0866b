import { setTimeout as delay } from 'node:timers/promises';
import { Client, loadClusterConfig } from 'kindwright';
import { applyChild, Gear } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import { randomOf, SEEDS } from '../harness/settings.js';
import type { World } from '../harness/world.js';
import { assert, assertConverged, assertQuiet } from '../oracles/converged.js';
import type { FaultProxy } from '../proxy/fault-proxy.js';
import { FaultPlayer, randomFaults } from '../random/random-fault.js';

const REPLICAS = 3;
const OBJECTS = 12;
const STEPS = 60;
const STEP_MS = 150;
/** Of each replica. */
const FAULTS = 12;
const LEASE_MS = 3_000;
/** The steps before which a replica is cut off until its lease has expired, and another one is replaced. */
const [CUT_OFF, REPLACED] = [15, 35];
/** Time to reach the last state after the last fault: a back-off of up to 30 s and answers that never came. */
const RECOVERY_MS = 120_000;

/** A replica that reaches the server through its own proxy. */
class Replica {
  private constructor(
    private readonly world: World,
    private readonly client: Client,
    readonly proxy: FaultProxy,
    readonly player: FaultPlayer,
  ) {}

  static async start(world: World, random: () => number): Promise<Replica> {
    const proxy = await world.cluster.proxy();
    const client = new Client(await loadClusterConfig({ kubeconfig: await world.cluster.kubeconfigFor(proxy.url) }));
    world.onEnd(async () => {
      client.close();
      await proxy.close();
    });
    const replica = new Replica(world, client, proxy, new FaultPlayer(proxy, randomFaults(random, FAULTS, STEPS)));
    replica.launch();
    return replica;
  }

  launch(): void {
    const sharding = { name: 'gears', namespace: this.world.namespace, leaseDurationMs: LEASE_MS };
    this.world.launch({ sharding }, [Gear], this.client);
  }
}

/** Stops a manager, and starts another one in its place. */
async function replace({ managers }: World, index: number, { launch }: Pick<Replica, 'launch'>): Promise<void> {
  const [stopped] = managers.splice(index, 1);
  await stopped?.manager.stop();
  launch();
}

/** Creates, changes or deletes a random object. */
async function changeOne(world: World, random: () => number): Promise<void> {
  const name = `gear-${Math.floor(random() * OBJECTS)}`;
  const value = random().toString(36).slice(2);
  const isThere = (await world.gears()).some(({ metadata }) => metadata.name === name);
  if (!isThere) await world.createGear(name, value);
  else if (random() < 0.25) await world.deleteGear(name);
  else await world.changeGear(name, value);
}

async function play(world: World, seed: number): Promise<void> {
  const random = randomOf('workload', seed);
  world.missesDeletions = true;
  world.gear = async (self, ctx) => {
    await delay(random() * 50);
    await applyChild(self, ctx);
    await delay(random() * 50);
  };
  const replicas: Replica[] = [];
  for (let index = 0; index < REPLICAS; index++)
    replicas.push(await Replica.start(world, randomOf(`faults-${String(index)}`, seed)));
  await Promise.all(world.managers.map(({ manager }) => manager.logged(/^Joined the replicas/)));
  const [cutOff, replaced] = [Math.floor(random() * REPLICAS), Math.floor(random() * REPLICAS)];
  let replacing: Promise<void> | undefined;
  for (let step = 0; step < STEPS; step++) {
    for (const { player } of replicas) player.begin(step);
    if (step === CUT_OFF) replicas[cutOff]?.player.refuse(2 * LEASE_MS);
    if (step === REPLACED) replacing = replace(world, replaced, { launch: () => replicas[replaced]?.launch() });
    await changeOne(world, random);
    await delay(STEP_MS);
  }
  await Promise.all(replicas.map(({ player }) => player.heal()));
  await replacing;
  const hits = replicas.reduce((sum, { player }) => sum + player.hits, 0);
  assert(hits >= (REPLICAS * FAULTS) / 8, `only ${hits} faults disturbed anything`);
  await assertConverged(world, RECOVERY_MS);
  await Promise.all(replicas.map(assertQuiet));
}

export const RANDOM_SHARD_ROWS: readonly Row[] = SEEDS.map((seed) => ({
  id: `F90-shards-${seed}`,
  title: `three replicas with sharding reconcile everything, never an object twice at a time, under random faults of each (seed ${seed})`,
  run: (world) => play(world, seed),
}));
