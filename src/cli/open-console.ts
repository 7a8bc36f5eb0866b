import { SystemClock } from '../base/system-clock.js';
import type { Console } from '../console/console.js';
import type { OpenConsole } from './run-on-cluster.js';
import type { RunOperatorOptions } from './run-operator-options.js';

type ConsoleFlags = Partial<Pick<RunOperatorOptions, 'console' | 'consoleBindAddress' | 'leaderElect' | 'sharding'>>;

/** Returns a function that opens the console; undefined when it is off. Its modules are loaded only by the function. */
export function consoleOpener({
  console: wanted = false,
  consoleBindAddress = '0',
  leaderElect,
  sharding,
}: ConsoleFlags): OpenConsole<Console> | undefined {
  const bindAddress = consoleBindAddress === '0' ? undefined : consoleBindAddress;
  if (wanted === false && bindAddress === undefined) return undefined;
  return async (models, logger) => {
    const { Console } = await import('../console/console.js');
    return new Console({
      clock: new SystemClock(),
      logger,
      models,
      port: typeof wanted === 'number' ? wanted : undefined,
      bindAddress,
      isDevelopment: isDevelopment(process.env),
      isElected: leaderElect === true || sharding === true,
    });
  };
}

/** In a pod, or with NODE_ENV=production, the console only shows. */
function isDevelopment({ NODE_ENV, KUBERNETES_SERVICE_HOST }: NodeJS.ProcessEnv): boolean {
  return NODE_ENV !== 'production' && KUBERNETES_SERVICE_HOST === undefined;
}
