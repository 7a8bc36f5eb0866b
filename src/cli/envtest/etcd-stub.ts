import { once } from 'node:events';
import { createServer } from 'node:http';
import { stopSignal } from '../stop-signal.js';

/** Answers health checks of etcd until a signal asks to stop; the embedded server stores the objects itself. */
export async function runEtcdStub(clientUrl: URL): Promise<void> {
  const signal = stopSignal();
  const server = createServer((_request, response) => response.end('{"health":"true"}'));
  server.listen(Number(clientUrl.port), clientUrl.hostname);
  if (!signal.aborted) await once(signal, 'abort');
  server.close();
  server.closeAllConnections();
}
