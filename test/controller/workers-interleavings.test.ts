import { expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { FakeClock } from '../../src/base/fake-clock.js';
import { silentLogger } from '../../src/base/logger.js';
import type { Outcome } from '../../src/controller/run/outcome.js';
import { Workers } from '../../src/controller/workers.js';
import { FairOrder } from '../../src/queue/fair-order.js';
import { RateLimitingQueue } from '../../src/queue/rate-limiting-queue.js';
import { explore, type Model } from '../explore.js';

const KEYS = ['one/a', 'one/b', 'two/c'];
const EVENTS = 6;
const WORKERS = 2;
const FAILURES = 1;

/** Two workers and a queue. Each event changes an object; a reconcile reads the object when it starts. */
class WorkersModel implements Model {
  private readonly clock = new FakeClock();
  private readonly queue = new RateLimitingQueue({ name: 'model', clock: this.clock, order: new FairOrder() });
  private readonly running = new Map<string, (outcome: Outcome) => void>();
  private readonly workers: Workers;
  /** The number of changes of each object, and the number that its last reconcile has read. */
  private readonly changes = new Map<string, number>();
  private readonly read = new Map<string, number>();
  private events = 0;
  private failures = 0;
  private reconciles = 0;

  constructor() {
    const reconcile = ({ key }: { key: string }): Promise<Outcome> => {
      if (this.running.has(key)) throw new Error(`${key} is reconciled twice at a time`);
      this.reconciles++;
      this.read.set(key, this.changes.get(key) ?? 0);
      return new Promise((resolve) => this.running.set(key, resolve));
    };
    const { queue, clock } = this;
    const options = { queue, clock, reconcile, logger: silentLogger, maxConcurrentReconciles: WORKERS };
    this.workers = new Workers(options);
    this.workers.start();
  }

  actions(): readonly string[] {
    const actions: string[] = [];
    // The names of the keys do not matter: the first change of a key is always of the next unused one.
    const known = KEYS.slice(0, this.changes.size + 1);
    if (this.events < EVENTS) actions.push(...known.map((key) => `change ${key}`));
    for (const key of this.running.keys()) {
      actions.push(`end ${key}`);
      if (this.failures < FAILURES) actions.push(`fail ${key}`);
    }
    if (this.clock.pending > 0) actions.push('wait');
    return actions;
  }

  async run(action: string): Promise<void> {
    const [what = '', key = ''] = action.split(' ');
    if (what === 'wait') await this.clock.advance(1000);
    else if (what === 'end' || what === 'fail') this.end(key, what === 'end');
    else this.change(key);
    await this.clock.advance(0);
    if (this.running.size > WORKERS) throw new Error(`${this.running.size} reconciles at a time`);
    if (this.running.size < WORKERS && this.queue.length > 0) throw new Error('a worker is idle while a key is ready');
  }

  assertEnd(): void {
    if (this.queue.length + this.queue.waiting > 0) throw new Error('a key waits forever');
    for (const [key, changes] of this.changes)
      if (this.read.get(key) !== changes) throw new Error(`a change of ${key} is never reconciled`);
    if (this.reconciles > this.events + this.failures) throw new Error('a reconcile has no cause');
  }

  state(): string {
    const { clock, queue, running, changes, read, events, failures, reconciles } = this;
    const counts = [events, failures, reconciles, clock.monotonic(), clock.pending].join();
    const objects = [...changes].map(([key, count]) => `${key} ${String(count)} ${String(read.get(key))}`).join();
    const hidden = ['ready', 'dirty', 'processing', 'priorities', 'prioritiesInWork', 'heap', 'limiter'].map(
      (name) => Reflect.get(queue, name) as unknown,
    );
    const options = { depth: 6, compact: true, breakLength: Infinity };
    return `${counts} ${objects} ${[...running.keys()].join()} ${inspect(hidden, options)}`;
  }

  /** The first change of an object is its add by the initial list. */
  private change(key: string): void {
    this.events++;
    this.changes.set(key, (this.changes.get(key) ?? 0) + 1);
    this.queue.add(key, { priority: this.changes.get(key) === 1 ? 'low' : 'normal' });
  }

  private end(key: string, isDone: boolean): void {
    const end = this.running.get(key);
    this.running.delete(key);
    if (!isDone) this.failures++;
    end?.(isDone ? { type: 'done' } : { type: 'failed', error: new Error('failed') });
  }
}

test('two workers reconcile the last change of each of three objects, in every interleaving', async () => {
  const { states, ends } = await explore(() => new WorkersModel());
  expect(states).toBeGreaterThan(10_000);
  expect(ends).toBeGreaterThan(0);
}, 300_000);
