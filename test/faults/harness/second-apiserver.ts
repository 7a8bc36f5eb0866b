import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { findBinaries } from '../../controlplane/binaries.js';
import { commandLine, type Ports } from '../../controlplane/command-line.js';
import { freePort } from '../../controlplane/free-port.js';
import { Part } from '../../controlplane/part.js';
import { Watchdog } from '../../controlplane/watchdog.js';
import type { SuiteControlPlane } from '../../e2e/suite-control-plane.js';
import { within } from '../oracles/converged.js';
import { StallingForwarder } from '../proxy/stalling-forwarder.js';

/** Another kube-apiserver on the etcd of a control plane, which can be cut off from it: its watch cache stands still. */
export class SecondApiserver {
  private constructor(
    readonly url: URL,
    private readonly etcd: StallingForwarder,
    private readonly part: Part,
    private readonly watchdog: Watchdog,
  ) {}

  /** The control plane must be a real one. */
  static async start({ dir, kubeconfig }: Pick<SuiteControlPlane, 'dir' | 'kubeconfig'>): Promise<SecondApiserver> {
    const binaries = await findBinaries();
    const ports = JSON.parse(await readFile(join(dir, 'ports.json'), 'utf8')) as Ports;
    const etcd = await StallingForwarder.open(new URL(`http://127.0.0.1:${ports.etcd}`));
    const own = { ...ports, etcd: etcd.port, apiserver: await freePort() };
    const watchdog = new Watchdog();
    const part = new Part({
      name: 'second-apiserver',
      ...commandLine('apiserver', { binaries, dir, ports: own, kubeconfig, apiserverArgs: [] }),
      cwd: dir,
      logFile: join(dir, 'second-apiserver.log'),
      watchdog,
    });
    const server = new SecondApiserver(new URL(`https://127.0.0.1:${own.apiserver}`), etcd, part, watchdog);
    part.start();
    const ca = await readFile(join(dir, 'pki', 'ca.crt'));
    await within(90_000, async () => {
      part.checkAlive();
      const sent = request(new URL('/readyz', server.url), { ca, agent: false });
      sent.end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      if (response.statusCode !== 200) throw new Error(`/readyz answers ${String(response.statusCode)}`);
    });
    return server;
  }

  /** Cuts it off from etcd, with all connections open. */
  freeze(): void {
    this.etcd.freeze();
  }

  thaw(): void {
    this.etcd.thaw();
  }

  async stop(): Promise<void> {
    await this.part.stop('SIGKILL');
    await this.watchdog.end();
    this.etcd.close();
  }
}
