import type { ObjectKey } from '../../api/objects/object-key.js';
import type { Cancel, Clock } from '../../base/clock.js';
import { deepEqual } from '../../base/deep-equal.js';
import { RunLimiter } from '../../queue/run-limiter.js';
import type { RateLimitSettings } from '../../resource/kinds/rate-limit.js';

/** In place of the key of an object, for all of them. */
const ALL = '';

/** The rate limit of a controller: for all of its reconciles together, and for those of each object. */
export class RunRates {
  private total: RunLimiter | undefined;
  private perObject: RunLimiter | undefined;
  private cancelWait: Cancel | undefined;
  private settings: RateLimitSettings | undefined;

  constructor(
    private readonly clock: Clock,
    /** Called when a reconcile may begin, after one had to wait. */
    private readonly onReady: () => void,
  ) {}

  /** Changes the limits of later reconciles; what has run is forgotten if they differ. */
  configure(settings: RateLimitSettings | undefined): void {
    if (deepEqual(settings, this.settings)) return;
    const { total, perObject, withinMs = 0 } = settings ?? {};
    this.settings = settings;
    this.total = total === undefined ? undefined : new RunLimiter(this.clock, total, withinMs);
    this.perObject = perObject === undefined ? undefined : new RunLimiter(this.clock, perObject, withinMs);
  }

  /** Returns whether a reconcile may begin. Otherwise `onReady` is called later. */
  mayBegin(): boolean {
    const waitMs = this.total?.waitMs(ALL) ?? 0;
    if (waitMs <= 0) return true;
    this.cancelWait ??= this.clock.schedule(waitMs, () => {
      this.cancelWait = undefined;
      this.onReady();
    });
    return false;
  }

  began(key: ObjectKey): void {
    this.total?.began(ALL);
    this.perObject?.began(key);
  }

  /** Returns the time for which an object must not be reconciled again. */
  holdMs(key: ObjectKey): number {
    return this.perObject?.waitMs(key) ?? 0;
  }

  stop(): void {
    this.cancelWait?.();
    this.cancelWait = undefined;
  }
}
