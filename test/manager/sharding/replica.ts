import type { FakeClock } from '../../../src/base/fake-clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { ShardLeases } from '../../../src/manager/sharding/shard-leases.js';
import { ShardMember } from '../../../src/manager/sharding/shard-member.js';
import type { ShardWork } from '../../../src/manager/sharding/shard-work.js';
import { ProcessClock } from '../process-clock.js';
import type { MemoryLeases } from './memory-leases.js';

export const GROUP = 'demo-shards';

export interface Network {
  readonly time: FakeClock;
  readonly server: MemoryLeases;
  readonly random: () => number;
  /** True while no request reaches the server. */
  readonly isDown: () => boolean;
  /** The time for a request, and again for its response, is less than this. */
  readonly latencyMs: number;
  /** The part of the requests that fail, while the server handles them up to 2 s later. */
  readonly lostPart: number;
}

/** One replica, with reconciles that take a random time. */
export class Replica implements ShardWork {
  readonly clock: ProcessClock;
  readonly member: ShardMember;
  /** The keys of running reconciles that are not aborted. */
  readonly running = new Set<string>();
  /** The filters of `gained`, in the order of its calls. */
  readonly gains: ((key: string) => boolean)[] = [];
  /** The number of calls of `resumed`. */
  resumes = 0;
  isDead = false;
  hasLeft = false;
  private isStopping = false;
  private readonly stopping = new AbortController();

  constructor(
    name: string,
    private readonly network: Network,
    skewMs = 0,
  ) {
    const { time, server, random } = network;
    this.clock = new ProcessClock(time, skewMs);
    const client = server.client((handle) => this.send(handle));
    const common = { leaseDurationMs: 3000, clock: this.clock };
    const leases = new ShardLeases({ client, namespace: 'default', group: GROUP, timeoutMs: 1000, ...common });
    let ids = 0;
    const newId = (): string => `${name}-${++ids}`;
    this.member = new ShardMember({ leases, newId, random, slots: 16, logger: silentLogger, ...common });
  }

  get busyKeys(): Iterable<string> {
    return this.running;
  }

  readonly gained = (isGained: (key: string) => boolean): void => {
    this.gains.push(isGained);
  };
  readonly lost = (): void => undefined;
  readonly abort = (): void => {
    this.running.clear();
  };
  readonly resumed = (): void => {
    this.resumes += 1;
  };

  /** Runs until `stop`; then finishes its reconciles and leaves. */
  async run(): Promise<void> {
    await this.member.run(this, this.stopping.signal);
    await this.member.leave();
    this.hasLeft = true;
  }

  /** Begins a reconcile if this process may, as the workers of a controller do. */
  tryReconcile(key: string, ms: number): void {
    const isOff = this.isDead || this.isStopping || this.clock.isBlocked;
    if (isOff || this.running.has(key) || !this.member.isOpen || !this.member.owns(key)) return;
    this.running.add(key);
    this.clock.schedule(ms, () => {
      this.running.delete(key);
      if (this.isStopping && this.running.size === 0) this.stopping.abort(new Error('stopped'));
    });
  }

  /** True if a write for the key would be sent now. */
  mayWrite(key: string): boolean {
    return !this.isDead && !this.hasLeft && this.member.mayWrite(key);
  }

  /** True if the process runs and has a reconcile of the key that is not aborted. */
  works(key: string): boolean {
    return !this.isDead && !this.clock.isBlocked && this.running.has(key);
  }

  /** A clean stop: it gives its idle objects away, and leaves when its reconciles have ended. */
  stop(): void {
    this.isStopping = true;
    this.member.drain();
    if (this.running.size === 0) this.stopping.abort(new Error('stopped'));
  }

  /** From now on nothing of this process has an effect. */
  kill(): void {
    this.isDead = true;
    this.running.clear();
  }

  private async send<T>(handle: () => T): Promise<T> {
    const { random, isDown, lostPart } = this.network;
    await this.alive();
    await this.delay();
    if (isDown()) throw new Error('no server');
    if (random() < lostPart) {
      this.network.time.schedule(random() * 2000, () => {
        try {
          handle();
        } catch {
          // the response is lost
        }
      });
      await this.delay();
      throw new Error('no response');
    }
    let result: T | undefined;
    let failure: unknown;
    try {
      result = handle();
    } catch (error) {
      failure = error;
    }
    await this.delay();
    await this.alive();
    if (failure !== undefined) throw failure as Error;
    return result as T;
  }

  private async delay(): Promise<void> {
    const { time, random, latencyMs } = this.network;
    if (latencyMs > 0) await new Promise<void>((resolve) => time.schedule(random() * latencyMs, resolve));
  }

  /** Never resolves after a crash. */
  private async alive(): Promise<void> {
    await this.clock.unblocked();
    if (this.isDead) await new Promise(() => undefined);
  }
}
