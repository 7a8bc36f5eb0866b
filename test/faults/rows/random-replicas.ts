import { setTimeout as delay } from 'node:timers/promises';
import { Client, LeaseLostError, loadClusterConfig, type ManagerOptions } from 'kindwright';
import { applyChild, Gear } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import { randomOf, SEEDS } from '../harness/settings.js';
import type { RowManager, World } from '../harness/world.js';
import { assert, assertConverged, assertQuiet, within } from '../oracles/converged.js';
import type { FaultProxy } from '../proxy/fault-proxy.js';
import { FaultPlayer, randomFaults } from '../random/random-fault.js';

const REPLICAS = 3;
const OBJECTS = 12;
const STEPS = 60;
const STEP_MS = 150;
/** Of each replica. */
const FAULTS = 12;
const LEASE_MS = 3_000;
const LEADER_ELECTION = { leaseName: 'gears', leaseDuration: LEASE_MS, renewDeadline: 2_000, retryPeriod: 400 };
/** The steps before which a replica is cut off until its lease has expired, and one is restarted. */
const [CUT_OFF, RESTARTED] = [15, 35];
/** Time to reach the last state after the last fault: a back-off of up to 30 s and answers that never came. */
const RECOVERY_MS = 120_000;

type Replication = Pick<ManagerOptions, 'leaderElection' | 'sharding'>;

/** A replica that reaches the server through its own proxy, and starts again whenever it has lost its lease. */
class Replica {
  private current: RowManager;

  private constructor(
    private readonly world: World,
    private readonly replication: Replication,
    private readonly client: Client,
    readonly proxy: FaultProxy,
    readonly player: FaultPlayer,
  ) {
    this.current = this.launch();
  }

  static async start(world: World, replication: Replication, random: () => number): Promise<Replica> {
    const proxy = await world.cluster.proxy();
    const client = new Client(await loadClusterConfig({ kubeconfig: await world.cluster.kubeconfigFor(proxy.url) }));
    world.onEnd(async () => {
      client.close();
      await proxy.close();
    });
    return new Replica(world, replication, client, proxy, new FaultPlayer(proxy, randomFaults(random, FAULTS, STEPS)));
  }

  get isWorking(): boolean {
    return this.current.manager.logger.messages().includes('Started workers');
  }

  async restart(): Promise<void> {
    const { current, world } = this;
    world.managers.splice(world.managers.indexOf(current), 1);
    await current.manager.stop().catch(ignoreLostLease);
    this.current = this.launch();
  }

  private launch(): RowManager {
    const launched = this.world.launch(this.replication, [Gear], this.client);
    launched.manager.ended.catch((error: unknown) => {
      ignoreLostLease(error);
      if (this.world.managers.includes(launched)) void this.restart();
    });
    return launched;
  }
}

function ignoreLostLease(error: unknown): void {
  if (!(error instanceof LeaseLostError)) throw error;
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

async function play(world: World, replication: Replication, seed: number): Promise<void> {
  const random = randomOf('workload', seed);
  world.missesDeletions = true;
  world.gear = async (self, ctx) => {
    await delay(random() * 50);
    await applyChild(self, ctx);
    await delay(random() * 50);
  };
  const replicas: Replica[] = [];
  for (let index = 0; index < REPLICAS; index++)
    replicas.push(await Replica.start(world, replication, randomOf(`faults-${String(index)}`, seed)));
  const oneOf = (some: readonly Replica[]): Replica | undefined => some[Math.floor(random() * some.length)];
  const working = (): Replica[] => replicas.filter(({ isWorking }) => isWorking);
  // Between the loss of a lease and the next leader, none works.
  const anyReplica = (): Replica | undefined => oneOf(working()) ?? oneOf(replicas);
  await within(RECOVERY_MS, () => {
    assert(working().length === (replication.sharding ? REPLICAS : 1), 'the replicas have not started to work');
  });
  let restarting: Promise<void> | undefined;
  for (let step = 0; step < STEPS; step++) {
    for (const { player } of replicas) player.begin(step);
    if (step === CUT_OFF) anyReplica()?.player.refuse(2 * LEASE_MS);
    if (step === RESTARTED) restarting = anyReplica()?.restart();
    await changeOne(world, random);
    await delay(STEP_MS);
  }
  await Promise.all(replicas.map(({ player }) => player.heal()));
  await restarting;
  const hits = replicas.reduce((sum, { player }) => sum + player.hits, 0);
  assert(hits >= (REPLICAS * FAULTS) / 8, `only ${hits} faults disturbed anything`);
  await assertConverged(world, RECOVERY_MS);
  await Promise.all(replicas.map(assertQuiet));
}

const TITLE = 'reconcile everything, never an object twice at a time, under random faults of each';

export const RANDOM_REPLICA_ROWS: readonly Row[] = SEEDS.flatMap((seed) => [
  {
    id: `F90-shards-${seed}`,
    title: `three replicas with sharding ${TITLE} (seed ${seed})`,
    run: (world) =>
      play(world, { sharding: { name: 'gears', namespace: world.namespace, leaseDuration: LEASE_MS } }, seed),
  },
  {
    id: `F90-leaders-${seed}`,
    title: `three replicas with leader election ${TITLE} (seed ${seed})`,
    run: (world) => play(world, { leaderElection: { ...LEADER_ELECTION, namespace: world.namespace } }, seed),
  },
]);
