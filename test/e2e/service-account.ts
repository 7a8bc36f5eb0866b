import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'kindwright';
import type { SuiteControlPlane } from './suite-control-plane.js';

/** A ServiceAccount, the identity of a program in a cluster. */
export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

/** The path of a kubeconfig that authenticates as a service account. */
export async function kubeconfigOf(
  cluster: SuiteControlPlane,
  admin: Client,
  { namespace, name }: AccountName,
): Promise<string> {
  const { status } = await admin.request<{ status: { token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  });
  const { clusters } = JSON.parse(await readFile(cluster.kubeconfig, 'utf8')) as { clusters: [{ name: string }] };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters,
    users: [{ name, user: { token: status.token } }],
    contexts: [{ name, context: { cluster: clusters[0].name, user: name, namespace } }],
    'current-context': name,
  };
  const file = join(cluster.dir, `${namespace}.${name}.kubeconfig`);
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
