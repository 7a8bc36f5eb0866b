import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAdmissionPlugin } from '../../apiserver/admission/default-plugins.js';
import { EmbeddedApiServer } from '../../apiserver/embedded-api-server.js';
import { refuseFlags, type CheckedFlags } from './refused-flags.js';
import { stopSignal } from '../stop-signal.js';

/** Those arguments of kube-apiserver that mean something here. */
export interface StandInOptions extends CheckedFlags {
  readonly securePort: number;
  /** Holds `apiserver.crt` and `apiserver.key`, as envtest makes them. */
  readonly certDir: string;
  readonly clientCaFile?: string;
  readonly disableAdmissionPlugins?: readonly string[];
}

/** Runs the embedded server where envtest expects kube-apiserver, without controllers, until a signal asks to stop. */
export async function standInKubeApiserver(options: StandInOptions, rest: readonly string[]): Promise<void> {
  refuseFlags(options, rest);
  const { securePort, certDir, clientCaFile, disableAdmissionPlugins = [] } = options;
  const signal = stopSignal();
  const read = (name: string): string => readFileSync(join(certDir, name), 'utf8');
  const certPem = read('apiserver.crt');
  const server = await EmbeddedApiServer.start({
    port: securePort,
    serving: { certPem, keyPem: read('apiserver.key'), caPem: certPem },
    ...(clientCaFile !== undefined && { clientCaPem: readFileSync(clientCaFile, 'utf8') }),
    disableAdmissionPlugins: disableAdmissionPlugins.filter(isAdmissionPlugin),
    withoutControllers: true,
  });
  if (!signal.aborted) await once(signal, 'abort');
  await server.stop();
}
