import { existsSync, realpathSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedApiServer, type EmbeddedApiServerOptions } from '../../src/apiserver/embedded-api-server.js';
import { createServingIdentity } from '../../src/pki/certificate.js';
import { simplify, type AuditEvent } from '../controlplane/audit-log.js';
import type { PartName } from '../controlplane/command-line.js';
import type { ControlPlaneOptions } from '../controlplane/control-plane.js';
import { ADMIN, Workspace } from '../controlplane/workspace.js';
import type { SuiteControlPlane } from './suite-control-plane.js';
import { runKubectl } from '../controlplane/run-kubectl.js';

/** In memory if there is such a place: etcd too is started without waiting for the disk. */
const TEMPORARY = existsSync('/dev/shm') ? '/dev/shm' : realpathSync(tmpdir());

/** The embedded server in the place of a control plane: stopped and started on its port, its keys and its data. */
export class EmbeddedControlPlane implements SuiteControlPlane {
  /** By the ID of the request: a watch has an event at its start and at its end. */
  private readonly audit = new Map<string, AuditEvent>();
  private running: EmbeddedApiServer | undefined;

  private constructor(
    private readonly workspace: Workspace,
    private readonly options: EmbeddedApiServerOptions,
  ) {}

  /** `apiserverArgs` are not supported: a restart drops all history, as a compaction does. */
  static async start({ parts, nodes = 2 }: ControlPlaneOptions): Promise<EmbeddedControlPlane> {
    const workspace = await Workspace.open(await mkdtemp(join(TEMPORARY, 'controlplane-')));
    const bundle = workspace.pki.path('ca.crt');
    const clientCaPem = await readFile(bundle, 'utf8');
    // With the key of its authority, the server signs certificates.
    const serving = createServingIdentity(Date.now());
    await appendFile(bundle, serving.caPem);
    const controlPlane = new EmbeddedControlPlane(workspace, {
      port: workspace.ports.apiserver,
      dataDir: join(workspace.dir, 'data'),
      serving,
      clientCaPem,
      nodes,
      withoutKubelets: parts?.includes('kwok') === false,
      withoutControllers: parts?.includes('controller-manager') === false,
      audit: (event) => controlPlane.audit.set(event.auditID, simplify(event)),
    });
    await controlPlane.startPart('apiserver');
    return controlPlane;
  }

  get dir(): string {
    return this.workspace.dir;
  }

  get kubeconfig(): string {
    return this.workspace.kubeconfig(ADMIN);
  }

  get server(): URL {
    return this.workspace.server;
  }

  user(name: string, group?: string): Promise<string> {
    return this.workspace.addUser(name, group);
  }

  kubectl(args: readonly string[], stdin = ''): Promise<string> {
    return runKubectl(this, args, stdin);
  }

  auditEvents(): Promise<AuditEvent[]> {
    return Promise.resolve([...this.audit.values()]);
  }

  async stopPart(name: PartName): Promise<void> {
    checkPart(name);
    await this.running?.stop();
    this.running = undefined;
  }

  async startPart(name: PartName): Promise<void> {
    checkPart(name);
    this.running ??= await EmbeddedApiServer.start(this.options);
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    await rm(this.dir, { recursive: true });
  }
}

function checkPart(name: PartName): void {
  if (name !== 'apiserver') throw new Error(`the embedded server has no part ${name} that could be stopped alone`);
}
