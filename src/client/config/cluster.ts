import type { AuthConfig } from '../auth/auth-config.js';
import type { ProxyConfig } from '../http/proxy-config.js';
import type { TlsConfig } from '../http/tls-config.js';

/** Which API server to talk to, and as whom. Holds nothing open: a Client makes connections of it. */
export interface ClusterConfig {
  /** Address of the API server; a path is put in front of every request's. */
  readonly server: URL;
  /** The context's default namespace, if it names one. */
  readonly namespace: string | undefined;
  /** For messages: the kubeconfig and its context, or `in-cluster`. */
  readonly source: string;
  /** For messages: the user's name in the kubeconfig. */
  readonly user: string;
  readonly tls?: TlsConfig;
  readonly auth?: AuthConfig;
  readonly proxy?: ProxyConfig;
}
