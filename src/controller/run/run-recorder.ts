import { splitKey, type ObjectKey } from '../../api/objects/object-key.js';
import type { Cause, End, ReconcileObserver, Run } from '../../api/reconcile/reconcile-observer.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { Causes } from '../../queue/pending-causes.js';
import { describeWrites } from './describe-writes.js';
import type { OwnWrites } from './own-writes.js';
import { ReconcileRun } from './reconcile-run.js';
import { thrownError } from '../../base/thrown-error.js';

export interface RunRecorderOptions {
  /** The name of the controller. */
  readonly controller: string;
  /** The kind that it reconciles. */
  readonly kind: string;
  /** The cluster of its objects; default: the operator's own. */
  readonly cluster?: string | undefined;
  readonly observer?: ReconcileObserver | undefined;
  readonly ownWrites: OwnWrites;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Records the reconciles of one controller, for an observer and for the detection of hot loops. Never changes what is
 * reconciled.
 */
export class RunRecorder {
  constructor(private readonly options: RunRecorderOptions) {}

  begin(key: ObjectKey, attempt: number, causes: Causes): ReconcileRun {
    const { controller, cluster, clock, ownWrites, observer } = this.options;
    if (observer) this.attribute(causes.kept);
    const reads = observer !== undefined && (observer.needsReads ?? true);
    const run = new ReconcileRun({ controller, cluster, key }, attempt, causes, clock, ownWrites, reads);
    this.notify('began', run);
    return run;
  }

  /** Calls `reconcile` once, within the observer. */
  within<T>(run: Run, reconcile: () => Promise<T>): Promise<T> {
    const { observer } = this.options;
    if (!observer?.within) return reconcile();
    let result: Promise<T> | undefined;
    const once = (): void => {
      result ??= reconcile();
    };
    try {
      observer.within(run, once);
    } catch (error) {
      this.logError('within', error);
    }
    return result ?? reconcile();
  }

  end(run: ReconcileRun, end: Omit<End, 'ms'>): void {
    // An event can arrive before the response to the write that it is about.
    this.attribute(run.causes);
    run.end = { ...end, ms: this.options.clock.monotonic() - run.startMs };
    this.notify('ended', run);
    this.logWrites(run);
  }

  /** Calls a method of the observer. */
  notify<M extends 'began' | 'ended' | 'hotLoop'>(
    method: M,
    argument: Parameters<NonNullable<ReconcileObserver[M]>>[0],
  ): void {
    const { observer } = this.options;
    try {
      (observer?.[method] as ((value: typeof argument) => void) | undefined)?.call(observer, argument);
    } catch (error) {
      this.logError(method, error);
    }
  }

  /** Names the reconciles of this process that caused events. */
  private attribute(causes: readonly Cause[]): void {
    for (const cause of causes) {
      if (cause.type !== 'event' || cause.byRun) continue;
      const byRun = this.options.ownWrites.runOf(cause);
      if (byRun) cause.byRun = byRun;
    }
  }

  private logWrites(run: Run): void {
    const { kind, logger } = this.options;
    // The description takes 6 % of the CPU time of a write.
    if (logger.isEnabled?.('info') === false) return;
    const text = describeWrites(run, kind);
    if (text !== undefined) logger.info(text, { ...splitKey(run.key), reconcileID: run.id });
  }

  private logError(method: keyof ReconcileObserver, error: unknown): void {
    this.options.logger.error(`ReconcileObserver.${method} threw an error`, { err: thrownError(error) });
  }
}
