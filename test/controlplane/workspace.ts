import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ports } from './command-line.ts';
import { freePort } from './free-port.ts';
import { Pki } from './pki.ts';

/** The name of the administrator, of its keys and its kubeconfig. */
export const ADMIN = 'admin';

/** The folder of one control plane: its ports, keys, kubeconfigs, logs and data. */
export class Workspace {
  readonly dir: string;
  readonly ports: Ports;
  readonly pki: Pki;

  private constructor(dir: string, ports: Ports, pki: Pki) {
    this.dir = dir;
    this.ports = ports;
    this.pki = pki;
  }

  /** Prepares the folder; one that served before keeps its ports and keys, so that its kubeconfigs stay good. */
  static async open(dir: string): Promise<Workspace> {
    await mkdir(dir, { recursive: true });
    const portsFile = join(dir, 'ports.json');
    if (existsSync(portsFile)) {
      const ports = JSON.parse(await readFile(portsFile, 'utf8')) as Ports;
      return new Workspace(dir, ports, Pki.open(join(dir, 'pki')));
    }
    const ports = { etcd: await freePort(), etcdPeer: await freePort(), apiserver: await freePort() };
    const workspace = new Workspace(dir, ports, await Pki.create(join(dir, 'pki')));
    await workspace.addUser(ADMIN, 'system:masters');
    await writeFile(portsFile, JSON.stringify(ports));
    return workspace;
  }

  get server(): URL {
    return new URL(`https://127.0.0.1:${String(this.ports.apiserver)}`);
  }

  kubeconfig(user: string): string {
    return join(this.dir, `${user}.kubeconfig`);
  }

  /** Returns the path of the user's kubeconfig. */
  async addUser(name: string, group?: string): Promise<string> {
    await this.pki.issueClient(name, group);
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'controlplane',
          cluster: { server: this.server.origin, 'certificate-authority': this.pki.path('ca.crt') },
        },
      ],
      users: [
        {
          name,
          user: { 'client-certificate': this.pki.path(`${name}.crt`), 'client-key': this.pki.path(`${name}.key`) },
        },
      ],
      contexts: [{ name: 'controlplane', context: { cluster: 'controlplane', user: name } }],
      'current-context': 'controlplane',
    };
    const file = this.kubeconfig(name);
    await writeFile(file, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
    return file;
  }
}
