import type { Logger } from '../base/logger.js';

/** Lets a user pause the reconciles of a controller, and begin them one at a time. Running ones are not affected. */
export class Stepping {
  /** The reconciles that may still begin; undefined for any number. */
  private left: number | undefined;

  /** @param onAllowed called when reconciles may begin again */
  constructor(
    private readonly onAllowed: () => void,
    private readonly logger: Pick<Logger, 'info'>,
  ) {}

  get isPaused(): boolean {
    return this.left !== undefined;
  }

  get mayBegin(): boolean {
    return this.left !== 0;
  }

  /** Must be called when a reconcile begins. */
  began(): void {
    if (this.left !== undefined) this.left = 0;
  }

  pause(): void {
    if (this.isPaused) return;
    this.left = 0;
    this.logger.info('Paused by a user: no reconcile begins until the controller is resumed');
  }

  resume(): void {
    if (!this.isPaused) return;
    this.left = undefined;
    this.logger.info('Resumed by a user');
    this.onAllowed();
  }

  /** Lets one reconcile begin: of the next key, also of one that becomes ready later. Has no effect unless paused. */
  step(): void {
    if (this.left === undefined) return;
    this.left = 1;
    this.onAllowed();
  }
}
