import { randomNumber } from './random.js';

export interface BackoffOptions {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly factor: number;
  /** Share of the delay added at random: 1 means up to twice the delay. */
  readonly jitter: number;
  /** An idle period of this length resets the sequence. */
  readonly resetAfterMs?: number;
}

/** Exponential delays with jitter, like client-go's wait.Backoff. */
export class Backoff {
  private nextMs: number;
  private lastCallMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: BackoffOptions,
    private readonly monotonic: () => number,
    private readonly random: () => number = () => randomNumber('back-off'),
  ) {
    this.nextMs = options.initialMs;
  }

  /** Returns the next delay in milliseconds. */
  next(): number {
    const { initialMs, maxMs, factor, jitter, resetAfterMs = Infinity } = this.options;
    const now = this.monotonic();
    if (now - this.lastCallMs > resetAfterMs) this.nextMs = initialMs;
    this.lastCallMs = now;
    const base = this.nextMs;
    this.nextMs = Math.min(maxMs, base * factor);
    return Math.min(maxMs, base + base * jitter * this.random());
  }

  reset(): void {
    this.nextMs = this.options.initialMs;
  }
}
