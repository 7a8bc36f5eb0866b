import { once } from 'node:events';
import { isAdmissionPlugin } from '../../apiserver/admission/default-plugins.js';
import { EmbeddedApiServer } from '../../apiserver/embedded-api-server.js';
import type { UserInfo } from '../../apiserver/objects/user-info.js';
import { OperatorError } from '../../base/operator-error.js';
import { stopSignal } from '../stop-signal.js';
import { readFlagFile } from './read-flag-file.js';
import { type CheckedFlags, refuseFlags } from './refused-flags.js';
import { type ServingFiles, servingIdentity } from './serving-identity.js';

/** The flags of kube-apiserver that are supported. */
export interface KubeApiserverStubOptions extends CheckedFlags, ServingFiles {
  readonly securePort: number;
  readonly tokenAuthFile?: string;
  readonly clientCaFile?: string;
  readonly disableAdmissionPlugins?: readonly string[];
}

/** Runs the embedded server where envtest expects kube-apiserver, without controllers, until a signal asks to stop. */
export async function runKubeApiserverStub(options: KubeApiserverStubOptions, rest: readonly string[]): Promise<void> {
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

/** A field of CSV, with or without quotes; a quote within quotes is doubled. */
const FIELD = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

/**
 * Returns the users of a `--token-auth-file` by token. Its lines have the columns token, name, uid and groups.
 *
 * @throws OperatorError that names the file, when a line has fewer than three columns
 */
function readTokenFile(path: string): Map<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  for (const line of readFlagFile('--token-auth-file', path).split(/\r?\n/)) {
    if (line === '') continue;
    const fields = [...line.matchAll(FIELD)].map(([, quoted, bare = '']) => quoted?.replaceAll('""', '"') ?? bare);
    const [token = '', name = '', uid, groups] = fields;
    if (uid === undefined) throw tooFewColumns(path, fields.length);
    if (token === '') continue;
    users.set(token, { name, uid, groups: [...(groups?.split(',') ?? []), 'system:authenticated'] });
  }
  return users;
}

function tooFewColumns(path: string, found: number): OperatorError {
  return new OperatorError(
    `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${found}`,
    { code: 'E_TOKEN_FILE', hint: 'write a line for each token: token,name,uid,"group,group"' },
  );
}
