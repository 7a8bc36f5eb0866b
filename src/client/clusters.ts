import type { KubeConfig } from '@kubernetes/client-node';
import { OperatorError } from '../base/operator-error.js';
import { Client, type ClientOptions } from './client.js';
import { toClusterConfig } from './client-node/client-node.js';
import type { ClusterConfig } from './config/cluster.js';
import { ConfigError } from './config/config-error.js';
import { parseKubeconfig } from './config/kubeconfig.js';
import { clusterConfigOf } from './config/kubeconfig-context.js';
import type { KeyMaterial } from './config/tls-config.js';

/** A cluster, with the text that it was configured with. */
interface Member {
  readonly client: Client;
  readonly kubeconfig: string | undefined;
}

/**
 * The other clusters that an operator reads and writes, by name, each with its own connections and credentials.
 *
 * They can be added, replaced and removed at any time. Without a class with `@Controller({ clusters })`, no request is sent
 * before a call of `ctx.cluster(name)`. An unreachable cluster delays only the calls to it and its own objects.
 */
export class Clusters {
  private readonly members = new Map<string, Member>();
  private readonly listeners = new Set<(name: string) => void>();

  constructor(private readonly options: ClientOptions = {}) {}

  /** Sorted. */
  get names(): readonly string[] {
    return [...this.members.keys()].sort();
  }

  /**
   * Adds a cluster, or replaces its configuration: calls to the earlier one reject with a ConnectionError.
   *
   * @throws ConfigError with the missing or invalid key.
   */
  set(name: string, config: ClusterConfig | Pick<KubeConfig, 'exportConfig'>): void {
    this.replace(name, toClusterConfig(config), undefined);
  }

  /**
   * Adds or replaces a cluster by the text of a kubeconfig, as from a Secret. Without effect if the text is the same.
   *
   * The text must contain all credentials: programs (`exec`, `auth-provider`) are not run and files are not read, because
   * the author of the text need not be allowed to do so in this process. `allowExec` permits the program of `exec`, for a text
   * in which this process has set it.
   *
   * @throws ConfigError with the missing or invalid key; the cluster keeps its earlier configuration.
   */
  setKubeconfig(name: string, text: string, { allowExec = false }: { readonly allowExec?: boolean } = {}): void {
    if (this.members.get(name)?.kubeconfig === text) return;
    const config = clusterConfigOf(parseKubeconfig(text, `kubeconfig of cluster ${name}`), {}, {});
    assertSelfContained(name, config, allowExec);
    this.replace(name, config, text);
  }

  /** Removes a cluster and closes its connections. Without effect if the name is unknown. */
  remove(name: string): void {
    const member = this.members.get(name);
    this.members.delete(name);
    if (!member) return;
    member.client.close();
    this.notify(name);
  }

  /** Calls a function after each cluster that is added, replaced or removed. Returns an unsubscribe function. */
  onChange(listener: (name: string) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /**
   * Returns the client of a cluster, for informers and for programs without a reconcile. Its writes are not fenced: use
   * `ctx.cluster(name)` in reconciles.
   *
   * @throws OperatorError (E_CLUSTER) if the name is unknown.
   */
  client(name: string): Client {
    const member = this.members.get(name);
    if (member) return member.client;
    throw new OperatorError(`unknown cluster ${JSON.stringify(name)}`, {
      code: 'E_CLUSTER',
      hint: `the clusters are: ${this.names.join(', ') || 'none'}; add it with clusters.set(${JSON.stringify(name)}, config)`,
    });
  }

  /** Removes all clusters. */
  close(): void {
    for (const name of this.names) this.remove(name);
  }

  private replace(name: string, config: ClusterConfig, kubeconfig: string | undefined): void {
    const client = new Client(config, this.options);
    const earlier = this.members.get(name);
    this.members.set(name, { client, kubeconfig });
    earlier?.client.close();
    this.notify(name);
  }

  private notify(name: string): void {
    for (const listener of this.listeners) listener(name);
  }
}

function assertSelfContained(name: string, { auth, tls }: ClusterConfig, allowExec: boolean): void {
  const certificate = tls?.clientCertificate;
  const external: Readonly<Record<string, boolean>> = {
    exec: Boolean(auth?.exec) && !allowExec,
    'auth-provider': Boolean(auth?.authProvider),
    tokenFile: Boolean(auth?.tokenFile),
    'certificate-authority': isFile(tls?.ca),
    'client-certificate': isFile(certificate?.certificate),
    'client-key': isFile(certificate?.key),
  };
  const keys = Object.keys(external).filter((key) => external[key]);
  if (keys.length === 0) return;
  throw new ConfigError(`kubeconfig of cluster ${name}: ${keys.join(', ')} is not allowed`, {
    hint: 'put the token, or the certificate data, into the kubeconfig: kubectl config view --flatten --minify',
  });
}

function isFile(material: KeyMaterial | undefined): boolean {
  return material !== undefined && 'file' in material;
}
