import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

/** Where a server is and how it knows its administrator. */
export interface Access {
  readonly server: URL;
  readonly tls: { readonly ca: string; readonly cert?: string; readonly key?: string };
  readonly token: string | undefined;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Record<string, string> }[];
  readonly users: readonly { readonly user: Record<string, string> }[];
}

export function readAccess(kubeconfig: string): Access {
  const { clusters, users } = load(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const [cluster = {}, user = {}] = [clusters[0]?.cluster, users[0]?.user];
  const read = (from: Record<string, string>, name: string): string => {
    const data = from[`${name}-data`];
    return data === undefined ? readFileSync(from[name] ?? '', 'utf8') : Buffer.from(data, 'base64').toString();
  };
  const certificate = user['client-certificate'] !== undefined && {
    cert: read(user, 'client-certificate'),
    key: read(user, 'client-key'),
  };
  return {
    server: new URL(cluster['server'] ?? ''),
    tls: { ca: read(cluster, 'certificate-authority'), ...certificate },
    token: user['token'],
  };
}
