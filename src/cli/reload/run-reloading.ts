import type { Logger } from '../../base/logger.js';
import { SystemClock } from '../../base/system-clock.js';
import type { ClusterConfig } from '../../client/cluster-config.js';
import type { Console } from '../../console/console.js';
import { countNoun } from '../count-noun.js';
import type { ProjectLoader } from '../loader/project-loader.js';
import { logError } from '../report-error.js';
import {
  type LoadedOperators,
  type OpenConsole,
  runOnCluster,
  type ServingOptions,
  StartAgain,
} from '../run-on-cluster.js';
import { ClassSwap } from './class-swap.js';
import { LastingConsole } from './lasting-console.js';
import { Reloader } from './reloader.js';

export interface ReloadingOptions extends Omit<ServingOptions, 'openConsole' | 'onManager'> {
  readonly loader: ProjectLoader;
  readonly patterns: readonly string[];
  readonly openConsole: OpenConsole<Console> | undefined;
}

/**
 * Runs operators as `runOnCluster` does, and uses their files as they change. What a running manager cannot take over starts
 * it again; the API server of this process and the console go on.
 *
 * @throws the reason why the operators cannot run as they are at the start
 */
export async function runReloading(
  loaded: LoadedOperators,
  config: ClusterConfig,
  options: ReloadingOptions,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { loader, patterns, openConsole, onServing, install = false, embedded = false } = options;
  const clock = new SystemClock();
  const console = openConsole && new LastingConsole(openConsole, config);
  const hasLease = options.leaderElect === true || options.sharding === true;
  let operators = loaded;
  let ending = new AbortController();
  let wake = (): void => undefined;
  const reloader = new Reloader(operators, {
    ...{ loader, patterns, clock, logger, hasLease },
    onRestart: (next) => {
      operators = next;
      ending.abort(new StartAgain('the operators start again'));
      wake();
    },
    onUsed: (models) => console?.useModels(models),
  });
  const hasStopped = (): boolean => signal.aborted;
  let isServing = false;
  const serving: ServingOptions = {
    ...options,
    openConsole: console?.open,
    onServing: (opened) => {
      if (!isServing) onServing?.(opened);
      isServing = true;
    },
    onManager: ({ manager, client, logger: log }) => {
      const parts = { manager, client, clock, logger: log, isInstalling: install, isEmbedded: embedded };
      reloader.attach(new ClassSwap(parts), log);
    },
  };
  logger.info(`Watching ${countNoun(reloader.fileCount, 'file')}; saved changes are used immediately`);
  try {
    for (let isFirst = true; !hasStopped(); isFirst = false) {
      const present = operators;
      ending = new AbortController();
      const either = AbortSignal.any([signal, ending.signal]);
      await runOnCluster(present, config, serving, logger, either).catch((error: unknown) => {
        if (isFirst) throw error;
        logError(logger, error, false);
        logger.warn('The operators do not run until the error is corrected');
      });
      reloader.detach();
      if (operators === present && !hasStopped())
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => {
            resolve();
          });
        });
    }
  } finally {
    await reloader.close();
    await console?.close();
  }
}
