import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  ConfigMap,
  loadClusterConfig,
  Namespace,
  NotFoundError,
  type CustomResource,
  type ManagerOptions,
} from 'kindwright';
import { createMetrics, type Metrics } from '../../../src/base/metrics.js';
import { InformerFactory } from '../../../src/cache/informer-factory.js';
import { RunningManager } from '../../e2e/sdk/running-manager.js';
import { CountingClock } from '../oracles/counting-clock.js';
import { ReconcileRecord } from '../oracles/reconcile-record.js';
import type { FaultProxy } from '../proxy/fault-proxy.js';
import type { FaultCluster } from './fault-cluster.js';
import { applyChild, behaviors, Gear, type Axle, type Behavior } from './gear.js';

/** A manager of the row, with its caches. */
export interface RowManager {
  readonly manager: RunningManager;
  readonly informers: InformerFactory;
  /** Undefined for a manager that the row has only launched. */
  readonly metrics?: Metrics | undefined;
}

/** What one row of the table has for itself: a namespace, a proxy, a client and managers through it, and records. */
export class World {
  readonly record = new ReconcileRecord();
  readonly clock = new CountingClock();
  readonly managers: RowManager[] = [];
  private readonly cleanups: (() => unknown)[] = [];
  /** Set by a row whose fault has the watch miss events that only the audit finds. */
  missesEvents = false;
  /** Set by a row with replicas: deletions of objects that move to another one, or while none leads, may be missed. */
  missesDeletions = false;
  /** The behavior of the objects of the row; it may be replaced at any time. */
  gear: Behavior<Gear> = applyChild;
  axle: Behavior<Axle> = async () => undefined;
  release: Behavior<Axle> = async () => undefined;

  private constructor(
    readonly cluster: FaultCluster,
    readonly namespace: string,
    readonly proxy: FaultProxy,
    /** Through the proxy. */
    readonly client: Client,
    readonly kubeconfig: string,
  ) {
    behaviors.set(namespace, {
      gear: (self, ctx) => this.record.during(self, () => this.gear(self, ctx)),
      axle: (self, ctx) => this.record.during(self, () => this.axle(self, ctx)),
      release: (self, ctx) => this.record.during(self, () => this.release(self, ctx)),
      deleted: ({ metadata }) => this.record.deleted.push(metadata.uid ?? ''),
    });
  }

  static async create(cluster: FaultCluster, name: string): Promise<World> {
    const namespace = name.toLowerCase().replace(/[^a-z0-9-]/g, '-');
    await cluster.admin.create(Namespace, { metadata: { name: namespace } });
    const proxy = await cluster.proxy();
    const kubeconfig = await cluster.kubeconfigFor(proxy.url);
    const world = new World(cluster, namespace, proxy, new Client(await loadClusterConfig({ kubeconfig })), kubeconfig);
    return world;
  }

  get admin(): Client {
    return this.cluster.admin;
  }

  /** Runs when the row is over. */
  onEnd(cleanup: () => unknown): void {
    this.cleanups.push(cleanup);
  }

  /** Starts a manager of this namespace without waiting for it. */
  launch(
    options: Partial<ManagerOptions> = {},
    classes: readonly (abstract new () => CustomResource)[] = [Gear],
    client: Client = this.client,
  ): RowManager {
    const { clock, namespace } = this;
    const informers = new InformerFactory(client, { clock, namespaces: [namespace], freeze: true });
    const manager = new RunningManager(client, classes, { clock, informers, namespaces: [namespace], ...options });
    const started = { manager, informers, metrics: options.metrics };
    this.managers.push(started);
    return started;
  }

  async start(...[options, ...rest]: Parameters<World['launch']>): Promise<RowManager> {
    const metrics = await createMetrics({ ofProcess: false });
    const started = this.launch({ metrics, ...options }, ...rest);
    await started.manager.workersStarted((rest[0] ?? [Gear]).length);
    return started;
  }

  /** Creates a gear as administrator. */
  async createGear(name: string, value = 'a'): Promise<void> {
    await this.admin.create(Gear, { metadata: { name, namespace: this.namespace }, spec: { value } });
  }

  async changeGear(name: string, value: string): Promise<void> {
    await this.admin.patch(Gear, name, { spec: { value } }, { namespace: this.namespace });
  }

  async deleteGear(name: string): Promise<void> {
    await this.admin.delete(Gear, name, { namespace: this.namespace });
    await this.collectGarbage();
  }

  /** Deletes children whose owner does not exist, as the garbage collector does, which does not run here. */
  async collectGarbage(): Promise<void> {
    const { admin, namespace } = this;
    const children = (await admin.list(ConfigMap, { namespace })).items;
    const owners = new Set((await this.gears()).map(({ metadata }) => metadata.uid));
    for (const { metadata } of children) {
      const { name, uid, ownerReferences = [] } = metadata;
      if (ownerReferences.length === 0 || ownerReferences.some((owner) => owners.has(owner.uid))) continue;
      await admin.delete(ConfigMap, name, { namespace, preconditions: { uid } }).catch(ignoreNotFound);
    }
  }

  async gears() {
    return (await this.admin.list(Gear, { namespace: this.namespace })).items;
  }

  async stopManagers(): Promise<void> {
    await Promise.all(this.managers.splice(0).map(({ manager }) => manager.stop().catch(() => undefined)));
  }

  async end(): Promise<void> {
    await this.stopManagers();
    this.client.close();
    for (const cleanup of this.cleanups) await cleanup();
    const open = await this.openConnections();
    await this.proxy.close();
    behaviors.delete(this.namespace);
    if (open > 0) throw new Error(`${String(open)} connections are open after the client is closed`);
  }

  /** The connections that do not close, now that managers, processes and the client have ended. */
  private async openConnections(): Promise<number> {
    const end = performance.now() + CLOSING_MS;
    while (this.proxy.openConnections > 0 && performance.now() < end) await delay(10);
    return this.proxy.openConnections;
  }
}

/** Time for the proxy to notice that connections are closed. */
const CLOSING_MS = 5_000;

function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
  return undefined;
}
