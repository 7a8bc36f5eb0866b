import type { KubeConfig } from '@kubernetes/client-node';
import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { SystemClock } from '../../base/system-clock.js';
import type { Impersonation } from '../config/auth-config.js';
import { createCredentials } from '../auth/create-credentials.js';
import type { Credentials } from '../auth/credentials.js';
import type { ClusterConfig } from '../config/cluster.js';
import type { KeyMaterial } from '../config/tls-config.js';

/** The name of the cluster, the user and the context, and of the plugin that applies the credentials of a client. */
const NAME = 'kindwright';

/**
 * Returns the configuration of a client as a KubeConfig of @kubernetes/client-node, for what needs a WebSocket or a stream of
 * that library: Exec, Attach, PortForward, Cp and Log. For its API classes, use `clientNodeApi`.
 *
 * The credentials are those of the client: tokens and programs are read and run again when they expire, and impersonation
 * applies.
 *
 * @example
 * const exec = new Exec(await toKubeConfig(client));
 */
export async function toKubeConfig({ config }: { readonly config: ClusterConfig }): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const { server, namespace, tls = {}, auth = {}, proxy } = config;
  const { serverName, insecureSkipVerify = false } = tls;
  const kubeConfig = new KubeConfig();
  kubeConfig.addAuthenticator(new ClientAuthenticator(createCredentials(auth, new SystemClock()), auth.impersonate));
  kubeConfig.loadFromOptions({
    clusters: [
      {
        name: NAME,
        server: server.href.replace(/\/$/, ''),
        skipTLSVerify: insecureSkipVerify,
        ...material(tls.ca, 'caFile', 'caData'),
        ...(serverName !== undefined && { tlsServerName: serverName }),
        ...(proxy && { proxyUrl: proxyAddress(proxy.url, proxy.authorization?.reveal()) }),
      },
    ],
    users: [
      {
        name: NAME,
        authProvider: { name: NAME },
        ...material(tls.clientCertificate?.certificate, 'certFile', 'certData'),
        ...material(tls.clientCertificate?.key, 'keyFile', 'keyData'),
      },
    ],
    contexts: [{ name: NAME, cluster: NAME, user: NAME, ...(namespace !== undefined && { namespace }) }],
    currentContext: NAME,
  });
  return kubeConfig;
}

/** Applies the credentials of a client to the requests of client-node. */
class ClientAuthenticator {
  constructor(
    private readonly credentials: Credentials,
    private readonly impersonate: Impersonation | undefined,
  ) {}

  isAuthProvider({ authProvider }: { readonly authProvider?: { readonly name?: string } }): boolean {
    return authProvider?.name === NAME;
  }

  async applyAuthentication(_user: unknown, options: RequestOptions): Promise<void> {
    const headers: Record<string, string | string[]> = {};
    const authorization = await this.credentials.authorization();
    if (authorization !== undefined) headers['Authorization'] = authorization;
    const certificate = await this.credentials.clientCertificate();
    if (certificate) {
      options.cert = await pem(certificate.certificate);
      options.key = await pem(certificate.key);
    }
    options.headers = { ...(options.headers as object), ...headers, ...impersonation(this.impersonate) };
  }
}

/** A header with several values has several lines. */
function impersonation(impersonate: Impersonation | undefined): Record<string, string | string[]> {
  if (!impersonate) return {};
  const { user, uid, groups, extra } = impersonate;
  const extras = [...extra].map(
    ([key, values]) => [`Impersonate-Extra-${encodeURIComponent(key)}`, [...values]] as const,
  );
  return {
    'Impersonate-User': user,
    ...(uid !== undefined && { 'Impersonate-Uid': uid }),
    ...(groups.length > 0 && { 'Impersonate-Group': [...groups] }),
    ...Object.fromEntries(extras),
  };
}

/** The member of client-node for a file, or for its contents in base64. */
function material(from: KeyMaterial | undefined, file: string, data: string): Record<string, string> {
  if (!from) return {};
  return 'file' in from ? { [file]: from.file } : { [data]: Buffer.from(from.data.reveal()).toString('base64') };
}

async function pem(from: KeyMaterial): Promise<string> {
  return 'file' in from ? readFile(from.file, 'utf8') : from.data.reveal();
}

function proxyAddress(url: URL, authorization: string | undefined): string {
  const address = new URL(url);
  const [username = '', ...password] = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64')
    .toString()
    .split(':');
  address.username = username;
  address.password = password.join(':');
  return address.href;
}
