import type { ClusterConfig } from './config/cluster.js';
import { ConfigError } from './config/config-error.js';
import { inClusterConfig, isInCluster } from './config/in-cluster-config.js';
import { kubeconfigPaths, readKubeconfig } from './config/kubeconfig.js';
import { clusterConfigOf } from './config/kubeconfig-context.js';
import { parseServer } from './config/server-address.js';
import { proxyFromEnvironment } from './config/proxy-config.js';

export type { ClusterConfig };

/** Selects the kubeconfig, and the context in it. */
export interface ConfigOptions {
  /** Path of a kubeconfig. Default, as in kubectl: `KUBECONFIG`, `~/.kube/config`, then the pod's ServiceAccount. */
  readonly kubeconfig?: string | undefined;
  /** Name of the context to use instead of `current-context`. */
  readonly context?: string | undefined;
  /** Address of the API server; overrides the configured address. */
  readonly master?: string | undefined;
  /** Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

let provided: (() => ClusterConfig | undefined) | undefined;

/**
 * Sets the configuration that `loadClusterConfig` returns while `provide` returns one.
 *
 * @internal
 */
export function provideClusterConfig(provide: () => ClusterConfig | undefined): void {
  provided = provide;
}

/**
 * Finds the API server by the rules of kubectl; inside a pod without a kubeconfig, the API server of its cluster.
 *
 * @throws ConfigError with the file and the missing or invalid key.
 */
export async function loadClusterConfig(options: ConfigOptions = {}): Promise<ClusterConfig> {
  const given = provided?.();
  if (given) return given;
  const env = options.env ?? process.env;
  const paths = kubeconfigPaths(options.kubeconfig, env);
  const kubeconfig = await readKubeconfig(paths);
  if (kubeconfig) return clusterConfigOf(kubeconfig, options, env);
  if (isInCluster(env) && options.context === undefined) return inClusterConfig(options, env);
  if (options.master !== undefined) return masterOnly(options.master, env);
  throw new ConfigError(`no cluster configured: file not found: ${paths.files.join(', ')}`, {
    hint: 'pass --kubeconfig <file>, set KUBECONFIG, or run inside a cluster',
  });
}

function masterOnly(master: string, env: NodeJS.ProcessEnv): ClusterConfig {
  const server = parseServer(master, '--master');
  const proxy = proxyFromEnvironment(server, env);
  return { server, namespace: undefined, source: '--master', user: 'anonymous', ...(proxy && { proxy }) };
}
