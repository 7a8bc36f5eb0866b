import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SuiteControlPlane } from '../suite-control-plane.js';

/** A kubeconfig that authenticates as the service account of an operator. */
export async function kubeconfigOf(cluster: SuiteControlPlane, name: string, namespace: string): Promise<string> {
  const token = (await cluster.kubectl(['create', 'token', `${name}-controller-manager`, '-n', namespace])).trim();
  const admin = JSON.parse(await cluster.kubectl(['config', 'view', '--raw', '-o', 'json'])) as {
    clusters: [{ name: string; cluster: object }];
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: admin.clusters,
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: admin.clusters[0].name, user: name, namespace } }],
    'current-context': name,
  };
  const file = join(cluster.dir, `${name}-${namespace}.kubeconfig`);
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
