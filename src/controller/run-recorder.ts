import type { ObjectKey } from '../api/object-key.js';
import type { End, Probe, Run } from '../api/probe.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { Causes } from '../queue/pending-causes.js';
import type { OwnWrites } from './own-writes.js';
import { ReconcileRun } from './reconcile-run.js';
import { thrownError } from './thrown-error.js';

export interface RunRecorderOptions {
  /** The name of the controller. */
  readonly controller: string;
  readonly probe: Probe;
  readonly ownWrites: OwnWrites;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Records the reconciles of one controller, and passes them to a probe. */
export class RunRecorder {
  constructor(private readonly options: RunRecorderOptions) {}

  begin(key: ObjectKey, attempt: number, causes: Causes): ReconcileRun {
    const { controller, clock, ownWrites } = this.options;
    for (const cause of causes.kept) {
      if (cause.type !== 'event' || cause.byRun) continue;
      const byRun = ownWrites.runOf(cause);
      if (byRun) cause.byRun = byRun;
    }
    const run = new ReconcileRun(controller, key, attempt, causes, clock, ownWrites);
    this.notify('began', run);
    return run;
  }

  end(run: ReconcileRun, end: Omit<End, 'ms'>): void {
    run.end = { ...end, ms: this.options.clock.monotonic() - run.startMs };
    this.notify('ended', run);
  }

  private notify(method: keyof Probe, run: Run): void {
    try {
      this.options.probe[method]?.(run);
    } catch (error) {
      this.options.logger.error(`Probe.${method} threw an error`, { err: thrownError(error) });
    }
  }
}
