import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { Clusters } from '../client/clusters.js';
import type { ProvidedValues } from '../resource/provided-values.js';
import type { ManagerOptions } from './manager-options.js';

/** The options of a manager, with the defaults that several of its parts need. */
export interface RunOptions extends ManagerOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly strict: boolean;
  readonly provided: ProvidedValues;
  readonly clusters?: Clusters | undefined;
}
