import { once } from 'node:events';
import { withLogger, type LogOptions } from './with-logger.js';
import { kubeconfigLine, startEmbeddedServer, type EmbeddedServerOptions } from './embedded-server.js';
import { continueOnOutputErrors } from './output-errors.js';
import { printLine } from './print-line.js';
import { stopSignal } from './stop-signal.js';

/** Command-line options of serve. */
export type ServeOptions = EmbeddedServerOptions & LogOptions;

/**
 * Runs the embedded API server, without operators, until a signal asks to stop.
 *
 * Standard output gets one line, the kubeconfig's, once the server is ready.
 * @throws the reason why it cannot start; ReportedError when it is already logged.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const signal = stopSignal();
  await withLogger(options, async (logger) => {
    continueOnOutputErrors(logger);
    const server = await startEmbeddedServer(options, logger);
    try {
      printLine(kubeconfigLine(server.kubeconfig));
      logger.info(`The API server listens on ${server.url}`);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await server.stop();
    }
  });
}
