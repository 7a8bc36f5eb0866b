import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterConfig } from './cluster.js';
import { ConfigError } from './config-error.js';
import { parseServer } from './server-address.js';

/** The folder in which the kubelet mounts the ServiceAccount token, the CA certificate and the namespace. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Returns whether the process runs in a pod. */
export function isInCluster(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['KUBERNETES_SERVICE_HOST']) && Boolean(env['KUBERNETES_SERVICE_PORT']);
}

/**
 * Returns the configuration of a pod: its ServiceAccount and the API server of its cluster. Proxy settings are ignored.
 *
 * @throws ConfigError if no token is mounted.
 */
export async function inClusterConfig(
  { master, directory = SERVICE_ACCOUNT }: { master?: string | undefined; directory?: string | undefined },
  env: NodeJS.ProcessEnv,
): Promise<ClusterConfig> {
  const tokenFile = join(directory, 'token');
  if ((await read(tokenFile)) === undefined) {
    throw new ConfigError(`${tokenFile}: the pod has no ServiceAccount token`, {
      hint: 'do not set automountServiceAccountToken to false in the pod or its ServiceAccount',
    });
  }
  const caFile = join(directory, 'ca.crt');
  const hasCa = (await read(caFile)) !== undefined;
  return {
    server: master === undefined ? serviceAddress(env) : parseServer(master, '--master'),
    namespace: (await read(join(directory, 'namespace')))?.trim() || undefined,
    source: 'in-cluster',
    user: 'the ServiceAccount of the pod',
    tls: hasCa ? { ca: { file: caFile } } : {},
    auth: { tokenFile },
  };
}

function serviceAddress(env: NodeJS.ProcessEnv): URL {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '';
  return parseServer(`https://${host.includes(':') ? `[${host}]` : host}:${port}`, 'KUBERNETES_SERVICE_HOST');
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
