import { SIGNAL_EXIT_CODE } from './exit-codes.js';

/**
 * A signal that the first SIGINT, SIGTERM or SIGHUP (a closed terminal) aborts; the second ends the process
 * immediately.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(SIGNAL_EXIT_CODE[name]);
      controller.abort(new Error(`stopped by ${name}`));
    });
  }
  return controller.signal;
}
