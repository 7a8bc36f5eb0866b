import type { Run } from '../../api/reconcile/reconcile-observer.js';
import { HotLoopDetector } from './hot-loop-detector.js';
import { HotLoopReporter, type HotLoopReporterOptions } from './hot-loop-reporter.js';

/** Throttles the reconciles of objects that are in a hot loop, and reports each loop. */
export class HotLoopGuard {
  private readonly detector: HotLoopDetector;
  private readonly reporter: HotLoopReporter;

  constructor(options: HotLoopReporterOptions) {
    this.detector = new HotLoopDetector(options.clock);
    this.reporter = new HotLoopReporter(options);
  }

  /**
   * Must be called with each run that has ended. Returns the time for which its object must not be reconciled again: more
   * than 0 in a hot loop.
   */
  holdAfter(run: Run): number {
    const { holdMs, found } = this.detector.ended(run);
    if (found) this.reporter.report(found);
    return holdMs;
  }

  /** Drops the reports that wait. */
  stop(): void {
    this.reporter.stop();
  }
}
