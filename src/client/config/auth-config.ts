import type { Secret } from '../secret.js';

/** A program that prints an ExecCredential (client.authentication.k8s.io). */
export interface ExecConfig {
  readonly apiVersion: string;
  /** A bare name is looked up in PATH; a path is absolute here. */
  readonly command: string;
  readonly args: readonly Secret[];
  readonly env: ReadonlyMap<string, Secret>;
  /** The hint of the kubeconfig for a program that is not installed. */
  readonly installHint?: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** Information about the cluster for the program, as JSON, if `provideClusterInfo` is set. */
  readonly clusterInfo?: Secret;
  /** The file with the certificate authority of the cluster, read for each run of the program. */
  readonly clusterCaFile?: string;
}

/** The user to impersonate in each request. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** The authentication settings. If several are set, the first in this order is used. */
export interface AuthConfig {
  /** Read again at least once a minute, because ServiceAccount tokens are rotated. */
  readonly tokenFile?: string;
  readonly token?: Secret;
  readonly basic?: { readonly username: string; readonly password: Secret };
  readonly exec?: ExecConfig;
  /** A legacy plugin (oidc, azure, gcp) with its settings. */
  readonly authProvider?: { readonly name: string; readonly config: ReadonlyMap<string, Secret> };
  readonly impersonate?: Impersonation;
}
