import type { Metrics } from '../../base/metrics.js';
import { WriteFencedError, type WriteFence } from '../../controller/write/write-fence.js';
import { aborted } from '../aborted.js';
import { createElector, type Election } from './create-elector.js';
import { leaderMetrics } from '../metrics/operator-metrics.js';
import type { RunOptions } from '../run-options.js';

/**
 * The permission of this process to write: that of the lease, or without leader election from the start.
 *
 * Order: `acquire`, then `hold` while the controllers run, then `close` and `release`.
 */
export class Leadership {
  /** The leader reconciles all objects. */
  readonly gate = undefined;
  private readonly election: Election | undefined;
  private closedWhy: string | undefined;
  private hasLed = false;

  constructor(
    options: RunOptions,
    controllerNames: readonly string[],
    private readonly metrics: Metrics | undefined,
  ) {
    this.election = createElector(options, controllerNames);
  }

  /** True while this process may write. */
  get isLeading(): boolean {
    return this.closedWhy === undefined && (this.election?.elector.isLeading ?? true);
  }

  /** Throws when this process must not write. */
  readonly fence: WriteFence = () => {
    if (this.closedWhy !== undefined) throw new WriteFencedError(this.closedWhy);
    if (this.election && !this.election.elector.isLeading) throw new WriteFencedError('this process is not the leader');
  };

  /** Throws when this process was the leader and no longer is. For clients that also write before that, in `onStart`. */
  readonly lossFence: WriteFence = () => {
    if (!this.hasLed || this.election?.elector.isLeading !== false) return;
    throw new WriteFencedError(this.closedWhy ?? 'this process is no longer the leader');
  };

  /** Resolves with true when this process may work, with false when it is stopped before. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    try {
      await this.election?.elector.acquire(signal);
      this.hasLed = true;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return !signal.aborted;
  }

  /**
   * Renews the lease; resolves when aborted.
   *
   * @throws LeaseLostError
   */
  async hold(ended: AbortSignal): Promise<void> {
    if (!this.election) return aborted(ended);
    const { elector, leaseName } = this.election;
    const setLeading = this.metrics && leaderMetrics(this.metrics);
    setLeading?.(leaseName, true);
    try {
      await elector.renew(ended);
    } finally {
      setLeading?.(leaseName, false);
    }
  }

  /** Rejects all further writes with the reason. The first reason is kept. */
  close(why: string): void {
    this.closedWhy ??= why;
  }

  /** Releases the lease if this process holds it. Never rejects. */
  async release(): Promise<void> {
    // Afterwards, the disposers of start-up hooks may write as in a replica that waits to lead.
    if (this.election?.elector.isLeading === true) this.hasLed = false;
    await this.election?.elector.release();
    this.election?.close();
  }
}
