import type { AuthConfig } from './auth-config.js';
import { isLoopback, type ProxyConfig } from './proxy-config.js';
import type { TlsConfig } from './tls-config.js';

/** The address of an API server and the credentials for it. It holds no connections; a Client opens them. */
export interface ClusterConfig {
  /** Address of the API server. Its path is prepended to the path of each request. */
  readonly server: URL;
  /** The default namespace of the context, if set. */
  readonly namespace: string | undefined;
  /** For messages: the kubeconfig and its context, or `in-cluster`. */
  readonly source: string;
  /** For messages: the user's name in the kubeconfig. */
  readonly user: string;
  readonly tls?: TlsConfig;
  readonly auth?: AuthConfig;
  readonly proxy?: ProxyConfig;
}

/**
 * Returns the configuration without credentials if they would be sent without TLS to another host, as kubectl does.
 * Programs that print credentials are then not run. A configuration without credentials is returned as it is.
 */
export function withoutCleartextCredentials(config: ClusterConfig): ClusterConfig {
  const { server, auth, proxy } = config;
  if (!auth || server.protocol === 'https:' || (isLoopback(server) && !proxy)) return config;
  const { impersonate, ...credentials } = auth;
  if (Object.values<unknown>(credentials).every((each) => each === undefined)) return config;
  return { ...config, auth: { ...(impersonate && { impersonate }) } };
}
