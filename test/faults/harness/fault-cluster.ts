import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, loadClusterConfig } from 'kindwright';
import { createServingIdentity, type ServingIdentity } from '../../../src/pki/certificate.js';
import type { ControlPlaneOptions } from '../../controlplane/control-plane.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';
import { FaultProxy } from '../proxy/fault-proxy.js';

/** A control plane, real unless `FAULT_SERVER` is `embedded`, and proxies in front of it. */
export class FaultCluster {
  private count = 0;

  private constructor(
    readonly controlPlane: SuiteControlPlane,
    /** The administrator's, without a proxy. */
    readonly admin: Client,
    /** The certificate of the proxies. */
    readonly identity: ServingIdentity,
  ) {}

  static async start(options: ControlPlaneOptions): Promise<FaultCluster> {
    const controlPlane = await startSuiteControlPlane(options);
    const admin = new Client(await loadClusterConfig({ kubeconfig: controlPlane.kubeconfig }));
    return new FaultCluster(controlPlane, admin, createServingIdentity(Date.now()));
  }

  /** Starts a proxy whose clients are administrators, unless they send a token. */
  async proxy(upstream: URL = this.controlPlane.server): Promise<FaultProxy> {
    const read = (name: string): Promise<Buffer> => readFile(join(this.controlPlane.dir, 'pki', name));
    const [ca, cert, key] = await Promise.all([read('ca.crt'), read('admin.crt'), read('admin.key')]);
    return FaultProxy.start({ upstream, files: { ca, cert, key }, identity: this.identity });
  }

  /** Writes a kubeconfig for a server with the certificate of the proxies. */
  async kubeconfigFor(server: URL, user: object = {}, authority?: object): Promise<string> {
    const ca = authority ?? { 'certificate-authority-data': Buffer.from(this.identity.caPem).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'proxy', cluster: { server: server.origin, ...ca } }],
      users: [{ name: 'user', user }],
      contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: 'user' } }],
      'current-context': 'proxy',
    };
    const file = join(this.controlPlane.dir, `proxy-${String(this.count++)}.kubeconfig`);
    await writeFile(file, JSON.stringify(config), { mode: 0o600 });
    return file;
  }

  async stop(): Promise<void> {
    this.admin.close();
    await this.controlPlane.stop();
  }
}
