import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FakeClock } from '../../src/base/fake-clock.js';
import { silentLogger } from '../../src/base/logger.js';
import { LeaderElector } from '../../src/manager/election/leader-elector.js';
import { MemoryLock } from './memory-lock.js';
import { ProcessClock } from './process-clock.js';
import { mulberry } from './mulberry.js';

const CANDIDATES = 10;
const ROUND_MS = 90_000;
const STEP_MS = 250;

class Candidate {
  readonly elector: LeaderElector;
  private readonly crash = new AbortController();
  private readonly stop = new AbortController();

  constructor(time: FakeClock, lock: MemoryLock, identity: string, skewMs: number, random: () => number) {
    const durations = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
    this.clock = new ProcessClock(time, skewMs);
    const own = {
      namespace: lock.namespace,
      name: lock.name,
      read: (signal: AbortSignal) => this.alive(() => lock.read(signal)),
      create: (...args: Parameters<MemoryLock['create']>) => this.alive(() => lock.create(...args)),
      update: (...args: Parameters<MemoryLock['update']>) => this.alive(() => lock.update(...args)),
    };
    this.elector = new LeaderElector({
      lock: own,
      identity,
      ...durations,
      clock: this.clock,
      logger: silentLogger,
      random,
    });
  }

  readonly clock: ProcessClock;

  /** Resolves when this process has stopped or lost the lease; never after a crash. */
  async run(): Promise<void> {
    const { signal } = this.stop;
    try {
      await this.elector.acquire(signal);
      await this.elector.renew(signal);
    } catch {
      // The process exits.
    }
    await this.elector.release();
  }

  stopCleanly(): void {
    this.stop.abort(new Error('stopped'));
  }

  /** From now on nothing of this process has an effect. */
  kill(): void {
    this.crash.abort();
  }

  get isLeading(): boolean {
    return !this.crash.signal.aborted && this.elector.isLeading;
  }

  /** Never resolves after a crash. */
  private uncrashed(): Promise<void> {
    return this.crash.signal.aborted ? new Promise(() => undefined) : Promise.resolve();
  }

  private async alive<T>(call: () => Promise<T>): Promise<T> {
    await this.uncrashed();
    const result = await call();
    await this.uncrashed();
    return result;
  }
}

const fault = fc.record({
  atMs: fc.integer({ min: 0, max: ROUND_MS - 40_000 }),
  candidate: fc.nat(CANDIDATES - 1),
  /** Whether the process that leads at the time is meant instead. */
  isLeader: fc.boolean(),
  type: fc.constantFrom('kill', 'stop', 'block', 'outage'),
  ms: fc.integer({ min: 1, max: 30_000 }),
});
const skews = fc.array(fc.integer({ min: -3_600_000, max: 3_600_000 }), {
  minLength: CANDIDATES,
  maxLength: CANDIDATES,
});

test('ten candidates never lead at the same time, in rounds of crashes, stops, blocks and outages', async () => {
  let leaders = 0;
  let rounds = 0;
  const round = fc.asyncProperty(fc.array(fault, { maxLength: 8 }), skews, fc.nat(), async (faults, ownSkews, seed) => {
    rounds++;
    const time = new FakeClock();
    const lock = new MemoryLock();
    const random = mulberry(seed);
    let isAway = false;
    lock.fault = async (_call, signal) => {
      if (isAway) throw new Error('no server');
      await new Promise<void>((resolve) => time.schedule(random() * 400, resolve));
      signal.throwIfAborted();
    };
    const candidates = ownSkews.map((skewMs, index) => new Candidate(time, lock, `c${index}`, skewMs, random));
    for (const candidate of candidates) void candidate.run();
    const led = new Set<Candidate>();
    for (const { atMs, candidate, isLeader, type, ms } of faults) {
      time.schedule(atMs, () => {
        const target = (isLeader && candidates.find((one) => one.isLeading)) || candidates[candidate]!;
        if (type === 'kill') target.kill();
        else if (type === 'stop') target.stopCleanly();
        else if (type === 'block') target.clock.block(ms);
        else {
          isAway = true;
          time.schedule(ms, () => (isAway = false));
        }
      });
    }
    for (let elapsed = 0; elapsed < ROUND_MS; elapsed += STEP_MS) {
      await time.advance(STEP_MS);
      const leading = candidates.filter((candidate) => candidate.isLeading);
      for (const one of leading) led.add(one);
      expect(leading.length).toBeLessThanOrEqual(1);
    }
    expect(led.size).toBeGreaterThan(0);
    leaders += led.size;
  });
  await fc.assert(round, { numRuns: 100 });
  // The faults do change the leader.
  expect(leaders).toBeGreaterThan(1.2 * rounds);
}, 120_000);
