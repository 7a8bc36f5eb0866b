import { setTimeout as delay } from 'node:timers/promises';

const TICK_MS = 5;

/** The result of `SteadyWrites.stop`. */
export interface WriteReport {
  readonly failures: readonly string[];
  readonly writes: number;
  /** Writes that were not sent when they were due, because every object had a request in progress. */
  readonly omitted: number;
  readonly perSecond: number;
}

/**
 * Sends writes at a fixed rate, independent of how fast they are answered, so that slow responses do not reduce the load.
 *
 * Each object has at most one request in progress, because two patches of one object conflict.
 */
export class SteadyWrites {
  private readonly startedAt = performance.now();
  private readonly idle: string[];
  private readonly running = new Set<Promise<void>>();
  private readonly failures: string[] = [];
  private readonly loop: Promise<void>;
  private due = 0;
  private writes = 0;
  private isStopped = false;

  constructor(
    private readonly rate: number,
    objects: readonly string[],
    private readonly write: (object: string, index: number) => Promise<unknown>,
  ) {
    this.idle = [...objects];
    this.loop = this.run();
  }

  /** Resolves when all requests have ended. */
  async stop(): Promise<WriteReport> {
    const { due, writes } = this;
    const perSecond = (writes * 1000) / (performance.now() - this.startedAt);
    this.isStopped = true;
    await this.loop;
    await Promise.all(this.running);
    return { failures: this.failures, writes, omitted: due - writes, perSecond };
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const due = Math.floor(((performance.now() - this.startedAt) * this.rate) / 1000);
      for (; this.due < due; this.due++) {
        const object = this.idle.shift();
        if (object !== undefined) this.send(object);
      }
      await delay(TICK_MS);
    }
  }

  private send(object: string): void {
    const sent = this.write(object, this.writes++)
      .catch((error: unknown) => {
        this.failures.push((error as Error).message);
      })
      .then(() => {
        this.idle.push(object);
        this.running.delete(sent);
      });
    this.running.add(sent);
  }
}
