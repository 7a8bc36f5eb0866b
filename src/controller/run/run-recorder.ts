import { splitKey, type ObjectKey } from '../../api/object-key.js';
import type { End, Probe, Run } from '../../api/probe.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { Causes } from '../../queue/pending-causes.js';
import { describeWrites } from './describe-writes.js';
import type { HotLoopDetector } from '../hot-loops/hot-loop-detector.js';
import type { HotLoopReporter } from '../hot-loops/hot-loop-reporter.js';
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
  readonly probe?: Probe | undefined;
  readonly loops?: { readonly detector: HotLoopDetector; readonly reporter: HotLoopReporter } | undefined;
  readonly ownWrites: OwnWrites;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Records the reconciles of one controller, for a probe and for the detection of hot loops. */
export class RunRecorder {
  constructor(private readonly options: RunRecorderOptions) {}

  begin(key: ObjectKey, attempt: number, causes: Causes): ReconcileRun {
    const { controller, cluster, clock, ownWrites, probe } = this.options;
    for (const cause of causes.kept) {
      if (cause.type !== 'event' || cause.byRun) continue;
      const byRun = ownWrites.runOf(cause);
      if (byRun) cause.byRun = byRun;
    }
    const recordsReads = probe !== undefined && probe.needsReads !== false;
    const run = new ReconcileRun(controller, key, attempt, causes, clock, ownWrites, recordsReads, cluster);
    this.notify('began', run);
    return run;
  }

  /** Calls `reconcile` once, within the probe. */
  within<T>(run: Run, reconcile: () => Promise<T>): Promise<T> {
    const { probe } = this.options;
    if (!probe?.within) return reconcile();
    let result: Promise<T> | undefined;
    const once = (): void => {
      result ??= reconcile();
    };
    this.guard('within', () => probe.within?.(run, once));
    return result ?? reconcile();
  }

  /** Returns the time for which the key must not be taken again: more than 0 in a hot loop. */
  end(run: ReconcileRun, end: Omit<End, 'ms'>): number {
    run.end = { ...end, ms: this.options.clock.monotonic() - run.startMs };
    this.notify('ended', run);
    this.logWrites(run);
    const { loops } = this.options;
    if (!loops) return 0;
    const { holdMs, found } = loops.detector.ended(run);
    if (found) loops.reporter.report(found);
    return holdMs;
  }

  /** Calls a method of the probe. */
  notify<M extends 'began' | 'ended' | 'hotLoop'>(method: M, argument: Parameters<NonNullable<Probe[M]>>[0]): void {
    const { probe } = this.options;
    this.guard(method, () =>
      (probe?.[method] as ((value: typeof argument) => void) | undefined)?.call(probe, argument),
    );
  }

  private logWrites(run: Run): void {
    const { kind, logger } = this.options;
    const text = describeWrites(run, kind);
    if (text !== undefined) logger.info(text, { ...splitKey(run.key), reconcileID: run.id });
  }

  /** Ends what waits to be reported. */
  stop(): void {
    this.options.loops?.reporter.stop();
  }

  private guard(method: keyof Probe, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.options.logger.error(`Probe.${method} threw an error`, { err: thrownError(error) });
    }
  }
}
