import { AdminClient } from './admin-client.ts';
import { AuditLog, type AuditEvent } from './audit-log.ts';
import type { PartName } from './command-line.ts';
import { PoolConnection } from './pool-connection.ts';
import { runKubectl } from './run-kubectl.ts';
import type { RunningControlPlane } from './start-control-plane.ts';
import { ADMIN, Workspace } from './workspace.ts';

/** A control plane of the pool, which a suite returns by `stop`. */
export class LentControlPlane implements RunningControlPlane {
  private readonly workspace: Workspace;
  private readonly connection: PoolConnection;
  private readonly auditLog: AuditLog;
  private readonly admin: AdminClient;
  private isReturned = false;

  private constructor(workspace: Workspace, connection: PoolConnection, auditLog: AuditLog) {
    this.workspace = workspace;
    this.connection = connection;
    this.auditLog = auditLog;
    this.admin = AdminClient.of(workspace);
  }

  static async borrow(pool: string, parts: readonly PartName[]): Promise<LentControlPlane> {
    const connection = await PoolConnection.open(pool);
    const { dir = '' } = await connection.request({ do: 'lend', parts });
    const auditLog = new AuditLog(dir);
    await auditLog.skipPresent();
    return new LentControlPlane(await Workspace.open(dir), connection, auditLog);
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

  async stop(): Promise<void> {
    if (this.isReturned) return;
    this.isReturned = true;
    await this.connection.request({ do: 'return' });
    this.connection.close();
  }

  async stopPart(name: PartName, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.connection.request({ do: 'stopPart', name, signal });
  }

  async startPart(name: PartName): Promise<void> {
    await this.connection.request({ do: 'startPart', name });
  }

  kubectl(args: readonly string[], stdin = ''): Promise<string> {
    return runKubectl(this, args, stdin);
  }

  get(path: string, accept?: string): Promise<string> {
    return this.admin.call('GET', path, undefined, accept);
  }

  user(name: string, group?: string): Promise<string> {
    return this.workspace.addUser(name, group);
  }

  /** The calls since it was lent. */
  auditEvents(): Promise<AuditEvent[]> {
    return this.auditLog.events();
  }
}
