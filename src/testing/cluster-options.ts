import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';

/** @internal */
export interface ClusterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}
