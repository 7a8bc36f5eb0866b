import type { OperatorFlagValues } from './commands/operator-flags.js';
import type { EmbeddedServerOptions } from './embedded-server.js';
import type { LogOptions } from './with-logger.js';

/** Command-line options of run-operator; durations are in milliseconds. */
export type RunOperatorOptions = OperatorFlagValues &
  LogOptions &
  Pick<EmbeddedServerOptions, 'podDelay' | 'failPods' | 'missingImages'> & {
    /** Create the samples of the classes on the API server of this process. */
    readonly samples?: boolean;
  };

/** The description of the options that is logged at the start. */
export interface SettingsReport {
  /** Describes the options that are set, or all of them. */
  readonly describe: (all: boolean) => Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}
