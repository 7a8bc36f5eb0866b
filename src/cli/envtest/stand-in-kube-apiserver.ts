import { once } from 'node:events';
import { isAdmissionPlugin } from '../../apiserver/admission/default-plugins.js';
import { EmbeddedApiServer } from '../../apiserver/embedded-api-server.js';
import { refuseFlags, type CheckedFlags } from './refused-flags.js';
import { readFlagFile } from './read-flag-file.js';
import { readTokenFile } from './read-token-file.js';
import { servingIdentity, type ServingFiles } from './serving-identity.js';
import { stopSignal } from '../stop-signal.js';

/** Those arguments of kube-apiserver that mean something here. */
export interface StandInOptions extends CheckedFlags, ServingFiles {
  readonly securePort: number;
  readonly tokenAuthFile?: string;
  readonly clientCaFile?: string;
  readonly disableAdmissionPlugins?: readonly string[];
}

/** Runs the embedded server where envtest expects kube-apiserver, without controllers, until a signal asks to stop. */
export async function standInKubeApiserver(options: StandInOptions, rest: readonly string[]): Promise<void> {
  refuseFlags(options, rest);
  const { securePort, clientCaFile, tokenAuthFile, disableAdmissionPlugins = [] } = options;
  const signal = stopSignal();
  const server = await EmbeddedApiServer.start({
    port: securePort,
    serving: servingIdentity(options),
    ...(clientCaFile !== undefined && { clientCaPem: readFlagFile('--client-ca-file', clientCaFile) }),
    ...(tokenAuthFile !== undefined && { staticTokens: readTokenFile(tokenAuthFile) }),
    allowsAll: options.authorizationMode?.includes('AlwaysAllow') ?? false,
    disableAdmissionPlugins: disableAdmissionPlugins.filter(isAdmissionPlugin),
    withoutControllers: true,
  });
  if (!signal.aborted) await once(signal, 'abort');
  await server.stop();
}
