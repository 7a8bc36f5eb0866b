import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedApiServer } from '../../apiserver/embedded-api-server.js';
import { stopSignal } from '../stop-signal.js';

/** Those arguments of kube-apiserver that mean something here. */
export interface StandInOptions {
  readonly securePort: number;
  /** Holds `apiserver.crt` and `apiserver.key`, as envtest makes them. */
  readonly certDir: string;
  readonly clientCaFile?: string;
}

/** Runs the embedded server where envtest expects kube-apiserver, without controllers, until a signal asks to stop. */
export async function standInKubeApiserver({ securePort, certDir, clientCaFile }: StandInOptions): Promise<void> {
  const signal = stopSignal();
  const read = (name: string): string => readFileSync(join(certDir, name), 'utf8');
  const certPem = read('apiserver.crt');
  const server = await EmbeddedApiServer.start({
    port: securePort,
    serving: { certPem, keyPem: read('apiserver.key'), caPem: certPem },
    ...(clientCaFile !== undefined && { clientCaPem: readFileSync(clientCaFile, 'utf8') }),
    withoutControllers: true,
  });
  if (!signal.aborted) await once(signal, 'abort');
  await server.stop();
}
