import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { mulberry } from '../mulberry.js';
import { MemoryLeases } from './memory-leases.js';
import { GROUP, Replica, type Network } from './replica.js';
import { seedMap } from './seed-map.js';

const REPLICAS = 4;
const FAULTS_MS = 20_000;
const ROUND_MS = 50_000;
const STEP_MS = 200;
const KEYS = Array.from({ length: 6 }, (_, index) => `default/object-${index}`);

const TYPES = ['kill', 'stop', 'block', 'outage', 'start', 'deleteMap', 'deleteLease'] as const;
type FaultType = (typeof TYPES)[number];

const fault = fc.record({
  atMs: fc.integer({ min: 0, max: FAULTS_MS }),
  replica: fc.nat(REPLICAS - 1),
  type: fc.constantFrom(...TYPES),
  ms: fc.integer({ min: 1, max: 15_000 }),
});
const skews = fc.array(fc.integer({ min: -3_600_000, max: 3_600_000 }), { minLength: REPLICAS, maxLength: REPLICAS });

test('no two replicas reconcile one object, in rounds of crashes, stops, pauses, outages, lost responses and wrong clocks', async () => {
  let moves = 0;
  let rounds = 0;
  const round = fc.asyncProperty(fc.array(fault, { maxLength: 8 }), skews, fc.nat(), async (faults, ownSkews, seed) => {
    rounds++;
    const time = new FakeClock();
    const server = new MemoryLeases();
    await seedMap(server, 16);
    const random = mulberry(seed);
    let isDown = false;
    let isHealed = false;
    const network: Network = {
      time,
      server,
      random,
      isDown: () => isDown,
      latencyMs: 150,
      get lostPart() {
        return isHealed ? 0 : 0.02;
      },
    };
    const replicas = ownSkews.map((skewMs, index) => new Replica(`r${index}`, network, skewMs));
    for (const replica of replicas) void replica.run();
    const effects: Record<FaultType, (target: Replica, ms: number) => void> = {
      kill: (target) => {
        target.kill();
      },
      stop: (target) => {
        target.stop();
      },
      block: (target, ms) => {
        target.clock.block(ms);
      },
      start: () => {
        const next = new Replica(`r${replicas.length}`, network);
        replicas.push(next);
        void next.run();
      },
      outage: (_target, ms) => {
        isDown = true;
        time.schedule(ms, () => (isDown = false));
      },
      deleteMap: () => server.byName.delete(GROUP),
      deleteLease: () => server.byName.delete([...server.byName.keys()].find((name) => name !== GROUP) ?? ''),
    };
    for (const { atMs, replica, type, ms } of faults) {
      time.schedule(atMs, () => {
        effects[type](replicas[replica]!, ms);
      });
    }
    time.schedule(FAULTS_MS + 15_000, () => (isHealed = true));
    const ownerByKey = new Map<string, Replica>();
    for (let elapsed = 0; elapsed < ROUND_MS; elapsed += STEP_MS) {
      await time.advance(STEP_MS);
      for (const key of KEYS) {
        for (const replica of replicas) replica.tryReconcile(key, 200 + random() * 2500);
        const worker = onlyWorker(replicas, key);
        if (worker && ownerByKey.get(key) !== worker) moves++;
        if (worker) ownerByKey.set(key, worker);
      }
    }
    assertOwned(replicas);
  });
  // Of the first example, the response to a request that gave a slot away was lost.
  await fc.assert(round, { numRuns: 40, examples: [[[], [0, 0, 0, 0], 688147610]] });
  // The faults do move objects.
  expect(moves).toBeGreaterThan(rounds * KEYS.length);
}, 120_000);

/** The replica that works on an object; throws if there are two that work on it, or may write for it. */
function onlyWorker(replicas: readonly Replica[], key: string): Replica | undefined {
  const writers = replicas.filter((replica) => replica.mayWrite(key));
  const workers = replicas.filter((replica) => replica.works(key));
  if (writers.length > 1) throw new Error(`two replicas may write for ${key}`);
  if (workers.length > 1) throw new Error(`two replicas reconcile ${key}`);
  return workers[0];
}

/** At the end all faults are over, and each object has one owner if a replica is left. */
function assertOwned(replicas: readonly Replica[]): void {
  const alive = replicas.filter(({ isDead, hasLeft }) => !isDead && !hasLeft);
  for (const key of KEYS) {
    const owners = alive.filter(({ member }) => member.isOpen && member.owns(key));
    expect(owners).toHaveLength(alive.length === 0 ? 0 : 1);
  }
}
