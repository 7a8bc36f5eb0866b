import type { ReconcileObserver, TriggerRun } from '../../api/reconcile/reconcile-observer.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { thrownError } from '../../base/thrown-error.js';

export interface TriggerRecorderOptions {
  readonly controller: string;
  /** The cluster of its objects; default: the operator's own. */
  readonly cluster?: string | undefined;
  readonly observer?: ReconcileObserver | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The properties of a run that its source or task sets. */
type TriggerFacts = Pick<TriggerRun, 'source' | 'key' | 'request'>;

/** Records the runs of the sources and tasks of one controller, for an observer. */
export class TriggerRecorder {
  constructor(private readonly options: TriggerRecorderOptions) {}

  /**
   * Calls `work` once, within the observer, with the run if there is an observer. An error after the abort of the signal is not
   * one of the run.
   */
  async during<T>(
    facts: TriggerFacts,
    signal: AbortSignal,
    work: (run: TriggerRun | undefined) => Promise<T>,
  ): Promise<T> {
    const { observer, clock, controller, cluster } = this.options;
    if (!observer) return work(undefined);
    const run: { -readonly [K in keyof TriggerRun]: TriggerRun[K] } = {
      ...{ controller, ...facts, startMs: clock.monotonic() },
      ...(cluster !== undefined && { cluster }),
    };
    this.guard('triggerBegan', () => observer.triggerBegan?.(run));
    let result: Promise<T> | undefined;
    const once = (): void => {
      result ??= work(run);
    };
    this.guard('withinTrigger', () => {
      if (observer.withinTrigger) observer.withinTrigger(run, once);
      else once();
    });
    let failure: Error | undefined;
    try {
      return await (result ?? work(run));
    } catch (error) {
      if (!signal.aborted) failure = thrownError(error);
      throw error;
    } finally {
      run.end = { ms: clock.monotonic() - run.startMs, ...(failure && { error: failure }) };
      this.guard('triggerEnded', () => observer.triggerEnded?.(run));
    }
  }

  private guard(method: keyof ReconcileObserver, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.options.logger.error(`ReconcileObserver.${method} threw an error`, { err: thrownError(error) });
    }
  }
}
