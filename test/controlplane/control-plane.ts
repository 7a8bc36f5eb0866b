import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AdminClient } from './admin-client.ts';
import { AuditLog, type AuditEvent } from './audit-log.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import { commandLine, PARTS, type PartName } from './command-line.ts';
import { Part } from './part.ts';
import { Watchdog } from './watchdog.ts';
import { ADMIN, Workspace } from './workspace.ts';
import { runKubectl } from './run-kubectl.ts';

export interface ControlPlaneOptions {
  /** Where data, keys and logs go; kept in the end, and taken up again by the next start. Default: a temporary one. */
  readonly dir?: string;
  /** What to start at first; the rest can follow by `startPart`. Default: all. */
  readonly parts?: readonly PartName[];
  /** How many nodes `node-1`, `node-2`, … there are from the start, played by kwok. Default 2. */
  readonly nodes?: number;
  /** Keeps an audit log of every call. */
  readonly audit?: boolean;
  /** More command line arguments of kube-apiserver. */
  readonly apiserverArgs?: readonly string[];
}

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/**
 * A real Kubernetes control plane on loopback: etcd, kube-apiserver with RBAC and its default admission,
 * controller-manager, scheduler, and kwok, which plays the nodes and the containers of pods.
 *
 * Nothing of it outlives the process that started it.
 */
export class ControlPlane {
  readonly binaries: Binaries;
  private readonly workspace: Workspace;
  private readonly watchdog: Watchdog;
  private readonly auditLog: AuditLog | undefined;
  private readonly parts: ReadonlyMap<PartName, Part>;
  private readonly admin: AdminClient;

  private constructor(workspace: Workspace, binaries: Binaries, watchdog: Watchdog, options: ControlPlaneOptions) {
    const { dir, ports } = workspace;
    this.workspace = workspace;
    this.binaries = binaries;
    this.watchdog = watchdog;
    this.auditLog = options.audit === true ? new AuditLog(dir) : undefined;
    const apiserverArgs = [...(this.auditLog?.serverArguments ?? []), ...(options.apiserverArgs ?? [])];
    const playsNodes = options.parts?.includes('kwok') ?? true;
    const settings = { binaries, dir, ports, kubeconfig: workspace.kubeconfig(ADMIN), apiserverArgs, playsNodes };
    const part = (name: PartName): Part =>
      new Part({ name, ...commandLine(name, settings), cwd: dir, logFile: join(dir, `${name}.log`), watchdog });
    this.parts = new Map(PARTS.map((name) => [name, part(name)]));
    this.admin = AdminClient.of(workspace);
  }

  /** Resolves when the server is ready, the nodes are, and pods can be created in namespace `default`. */
  static async start(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
    const binaries = await findBinaries();
    const temporary = options.dir === undefined ? await mkdtemp(join(await realpath(tmpdir()), 'controlplane-')) : '';
    const watchdog = new Watchdog(temporary);
    try {
      const workspace = await Workspace.open(resolve(options.dir ?? temporary));
      const controlPlane = new ControlPlane(workspace, binaries, watchdog, options);
      await controlPlane.startAll(options);
      return controlPlane;
    } catch (error) {
      await watchdog.end();
      throw error;
    }
  }

  /** The folder with its data, keys and logs (`apiserver.log`, …). */
  get dir(): string {
    return this.workspace.dir;
  }

  /** The file with the administrator's access. */
  get kubeconfig(): string {
    return this.workspace.kubeconfig(ADMIN);
  }

  get server(): URL {
    return this.workspace.server;
  }

  /** The port of etcd, which requires no authentication. */
  get etcdPort(): number {
    return this.workspace.ports.etcd;
  }

  /** Kills every part and deletes the folder, if that is a temporary one. */
  async stop(): Promise<void> {
    await Promise.all([...this.parts.values()].map((part) => part.stop('SIGKILL')));
    await this.watchdog.end();
  }

  async stopPart(name: PartName, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.part(name).stop(signal);
  }

  /** Resolves when the part runs, and for `etcd` and `apiserver` when the API server is ready. */
  async startPart(name: PartName): Promise<void> {
    this.part(name).start();
    if ((name === 'etcd' || name === 'apiserver') && this.part('apiserver').isRunning) await this.ready();
  }

  /** Process id of a part that runs. */
  pidOf(name: PartName): number | undefined {
    return this.part(name).pid;
  }

  /** Runs kubectl as administrator; resolves with its output, and rejects with its error output. */
  kubectl(args: readonly string[], stdin = ''): Promise<string> {
    return runKubectl(this, args, stdin);
  }

  /** GETs a path of the API as administrator. */
  get(path: string, accept?: string): Promise<string> {
    return this.admin.call('GET', path, undefined, accept);
  }

  /** Resolves with the path of a kubeconfig for a user with a client certificate and without permissions. */
  user(name: string, group?: string): Promise<string> {
    return this.workspace.addUser(name, group);
  }

  /** Every call answered so far, oldest first. Needs the option `audit`. */
  async auditEvents(): Promise<AuditEvent[]> {
    if (!this.auditLog) throw new Error('there is no audit log: start the control plane with { audit: true }');
    return this.auditLog.events();
  }

  private async startAll({ parts = PARTS, nodes = 2 }: ControlPlaneOptions): Promise<void> {
    const wanted = PARTS.filter((name) => parts.includes(name));
    await this.auditLog?.writePolicy();
    for (const name of wanted) {
      this.part(name).start();
      if (name === 'apiserver') await this.ready();
    }
    if (wanted.includes('kwok')) await this.createNodes(nodes);
    if (!wanted.includes('controller-manager')) return;
    await this.serviceAccountIsThere();
    if (wanted.includes('kwok')) await this.nodesAreReady(nodes);
  }

  private async ready(): Promise<void> {
    await this.until('the API server is ready', () => this.admin.call('GET', '/readyz'));
  }

  private async createNodes(count: number): Promise<void> {
    for (let index = 1; index <= count; index++) {
      const name = `node-${String(index)}`;
      const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
      await this.admin.call('POST', '/api/v1/nodes', node).catch(ignoreAlreadyExists);
    }
  }

  /** Nodes start with a taint that keeps pods away. */
  private async nodesAreReady(count: number): Promise<void> {
    await this.until('the nodes are ready', async () => {
      const { items } = JSON.parse(await this.admin.call('GET', '/api/v1/nodes')) as { items: NodeState[] };
      const usable = items.filter(isUsable);
      if (usable.length < count) throw new Error(`${String(usable.length)} of ${String(count)} nodes are ready`);
    });
  }

  private async serviceAccountIsThere(): Promise<void> {
    const path = '/api/v1/namespaces/default/serviceaccounts/default';
    await this.until('namespace default has a ServiceAccount', () => this.admin.call('GET', path));
  }

  private async until(what: string, attempt: () => Promise<unknown>): Promise<void> {
    const end = performance.now() + READY_TIMEOUT_MS;
    for (;;) {
      try {
        await attempt();
        return;
      } catch (error) {
        this.checkStarted();
        if (performance.now() > end)
          throw new Error(`waited in vain until ${what}: ${String(error)}`, { cause: error });
      }
      await delay(POLL_MS);
    }
  }

  private checkStarted(): void {
    for (const part of this.parts.values()) part.checkAlive();
  }

  private part(name: PartName): Part {
    const part = this.parts.get(name);
    if (!part) throw new Error(`the control plane has no part ${name}; its parts are ${PARTS.join(', ')}`);
    return part;
  }
}

interface NodeState {
  spec: { taints?: unknown[] };
  status: { conditions?: { type: string; status: string }[] };
}

function isUsable({ spec, status }: NodeState): boolean {
  const isReady = status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  return isReady === true && (spec.taints ?? []).length === 0;
}

/** A folder that served before has its nodes. */
function ignoreAlreadyExists(error: unknown): void {
  if (!String(error).includes('AlreadyExists')) throw error;
}
