import type { Secret } from '../secret.js';

/** A program that prints an ExecCredential (client.authentication.k8s.io). */
export interface ExecConfig {
  readonly apiVersion: string;
  /** A bare name is looked up in PATH; a path is absolute here. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, Secret>;
  /** What to do when the program is not installed, in the words of who wrote the kubeconfig. */
  readonly installHint?: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** What the program is told of the cluster, if it asks to be. */
  readonly clusterInfo?: Readonly<Record<string, unknown>>;
}

/** Who to act as: said with each request. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** How to prove who asks. Of several, the first in this order is used. */
export interface AuthConfig {
  /** Read again at least each minute: tokens of ServiceAccounts are rotated. */
  readonly tokenFile?: string;
  readonly token?: Secret;
  readonly basic?: { readonly username: string; readonly password: Secret };
  readonly exec?: ExecConfig;
  /** A legacy plugin (oidc, azure, gcp) with its settings. */
  readonly authProvider?: { readonly name: string; readonly config: ReadonlyMap<string, Secret> };
  readonly impersonate?: Impersonation;
}
