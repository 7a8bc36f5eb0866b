import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { AccessRecordFile } from '../client/access/access-record-file.js';

/** @internal */
export interface ClusterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly strict: boolean | undefined;
  /** File in which the accesses of the operators are recorded. */
  readonly accesses: AccessRecordFile | undefined;
}
