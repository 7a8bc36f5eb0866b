import type { Cancel, Clock } from '../../base/clock.js';

/** A time by both clocks; the monotonic clock stops while the machine is suspended. */
export interface SentTime {
  readonly monotonic: number;
  readonly now: number;
}

/** The part of the duration of a Lease for which its holder works without a renewal; that of client-go. */
const DEADLINE = 2 / 3;

/** The time until which this process may work after it has renewed its Lease. */
export class RenewalDeadline {
  readonly ms: number;
  private renewed: SentTime | undefined;
  private cancelTimer: Cancel = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly leaseDurationMs: number,
    private readonly onPassed: () => void,
  ) {
    this.ms = leaseDurationMs * DEADLINE;
  }

  /** True while this process may work, by its clocks alone: also right after its event loop was blocked. */
  get isAhead(): boolean {
    if (!this.renewed) return false;
    const { monotonic, now } = this.time;
    return monotonic - this.renewed.monotonic < this.ms && now - this.renewed.now < this.leaseDurationMs;
  }

  /** True if the deadline has passed and `clear` was not called. */
  get hasPassed(): boolean {
    return this.renewed !== undefined && !this.isAhead;
  }

  get time(): SentTime {
    return { monotonic: this.clock.monotonic(), now: this.clock.now() };
  }

  /** To be called after a successful renewal, with the time before its request was sent. */
  extend(sent: SentTime): void {
    this.renewed = sent;
    this.cancelTimer();
    this.cancelTimer = this.clock.schedule(sent.monotonic + this.ms - this.clock.monotonic(), this.onPassed);
  }

  /** From now on this process may not work. */
  clear(): void {
    this.renewed = undefined;
    this.cancelTimer();
  }
}
