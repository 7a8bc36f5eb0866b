import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.js';
import { Client } from '../../src/client/client.js';
import { loadClusterConfig } from '../../src/client/cluster-config.js';
import type { RunningControlPlane } from '../controlplane/start-control-plane.js';

/** The settings of a kubeconfig and of its client. */
export interface Access {
  readonly user?: object;
  readonly cluster?: object;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
}

/** A client with a kubeconfig of its own: by default that of the administrator. */
export async function clientOfKubeconfig(
  { dir, server }: RunningControlPlane,
  file: string,
  { user, cluster, env = {}, clock }: Access,
): Promise<Client> {
  const pki = (name: string): string => join(dir, 'pki', name);
  const certificate = { 'client-certificate': pki('admin.crt'), 'client-key': pki('admin.key') };
  const settings = { server: server.origin, 'certificate-authority': pki('ca.crt'), ...cluster };
  const config = {
    clusters: [{ name: 'c', cluster: settings }],
    users: [{ name: 'u', user: user ?? certificate }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(file, JSON.stringify(config));
  return new Client(await loadClusterConfig({ kubeconfig: file, env }), clock && { clock });
}

/** A user as the server sees it. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Returns the user of the client's requests. */
export async function whoAmI(client: Client): Promise<UserInfo> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const review = await client.request<{ status: { userInfo: UserInfo } }>({ method: 'POST', path, body });
  return review.status.userInfo;
}
