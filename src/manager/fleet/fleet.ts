import { Clusters } from '../../client/clusters.js';
import type { ResourceModel } from '../../resource/model.js';
import type { ShardWork } from '../sharding/shard-work.js';
import { FleetCluster, type FleetParts } from './fleet-cluster.js';

/**
 * The controllers of classes with `clusters`, one for each class and cluster. They start and end as clusters are added to
 * `Clusters`, replaced and removed.
 *
 * Clusters do not wait for each other: each has its own caches, queues and workers. A replaced cluster starts again when
 * the work with its earlier configuration has ended, so that no object is reconciled twice at a time.
 * With sharding, the replica that owns the name of a cluster works on all its objects, and only this replica caches them.
 * Order: `open` when the caches may fill, `start` once this process may write, then either `shutDown` or `abandon`, and
 * `close`.
 */
export class Fleet implements ShardWork {
  private readonly models = new Set<ResourceModel>();
  private readonly members = new Map<string, FleetCluster>();
  private readonly leaving = new Map<string, Promise<void>>();
  private readonly clusters: Clusters;
  private unsubscribe: (() => void) | undefined;
  private isMeasured = false;
  private isClosed = false;
  /** Set by `start`. */
  private working: AbortSignal | undefined;

  constructor(private readonly parts: FleetParts) {
    this.clusters = parts.options.clusters ?? new Clusters();
  }

  /** The clusters that are watched, by name. */
  get watched(): ReadonlyMap<string, FleetCluster> {
    return this.members;
  }

  /** The names of the clusters that this replica works on, as keys: see ShardWork. */
  get busyKeys(): Iterable<string> {
    return [...this.members.keys(), ...this.leaving.keys()];
  }

  /** See ShardWork. */
  gained(): void {
    if (this.unsubscribe) for (const name of this.clusters.names) this.update(name);
  }

  /** See ShardWork. */
  lost(): void {
    for (const [name, member] of this.members) if (!this.owns(name)) this.leave(name, member);
  }

  /** See ShardWork. */
  abort(reason: Error): void {
    for (const member of this.members.values()) member.abort(reason);
  }

  /** See ShardWork. */
  resumed(): void {
    for (const member of this.members.values()) member.resumed();
  }

  /** Creates the controllers of a model in all clusters that it selects. */
  add(model: ResourceModel): void {
    this.models.add(model);
    this.measure();
    if (this.unsubscribe) this.follow(model);
  }

  /** Resolves when the controllers of a model have ended in all clusters, with the watches that no other model needs. */
  async remove(model: ResourceModel): Promise<void> {
    this.models.delete(model);
    await Promise.all([...this.members.values()].map((member) => member.remove(model)));
    for (const [name, member] of this.members) if (member.isEmpty) this.leave(name, member, removed(name));
    await Promise.all(this.leaving.values());
  }

  /** Begins to follow the clusters. */
  open(): void {
    this.unsubscribe = this.clusters.onChange((name) => {
      this.update(name);
    });
    for (const model of this.models) this.follow(model);
  }

  /** Starts the controllers, those of clusters that are added later too. */
  start(signal: AbortSignal): void {
    this.working = signal;
    for (const member of this.members.values()) member.start(signal);
  }

  /** See ControllerGroup. */
  async shutDown(lost: Promise<void>): Promise<void> {
    await this.end((member) => member.shutDown(lost));
  }

  /** See ControllerGroup. */
  async abandon(reason: Error): Promise<void> {
    await this.end((member) => member.abandon(reason));
  }

  /** Stops the watches of all clusters. */
  async close(): Promise<void> {
    this.unsubscribe?.();
    await this.end((member) => member.close());
  }

  private async end(call: (member: FleetCluster) => Promise<void>): Promise<void> {
    this.isClosed = true;
    await Promise.all([...[...this.members.values()].map(call), ...this.leaving.values()]);
  }

  private follow({ className, controller: { clusters } }: ResourceModel): void {
    const { names } = this.clusters;
    for (const name of names) this.update(name);
    if (clusters === 'all') return;
    for (const name of clusters ?? [])
      if (!names.includes(name))
        this.parts.options.logger.info(`${className} waits for cluster ${name}`, {
          hint: `clusters.set(${JSON.stringify(name)}, config)`,
        });
  }

  /** Makes the controllers of a cluster match its current configuration. */
  private update(name: string): void {
    if (this.isClosed || this.parts.signal.aborted) return;
    const client = this.clusters.names.includes(name) ? this.clusters.client(name) : undefined;
    const member = this.members.get(name);
    if (member && member.client !== client) this.leave(name, member, removed(name));
    if (!client || !this.mayJoin(name)) return;
    for (const model of this.models) if (isSelected(model, name)) this.join(name).add(model);
  }

  private join(name: string): FleetCluster {
    const present = this.members.get(name);
    if (present) return present;
    const member = new FleetCluster(name, this.clusters.client(name), this.parts);
    this.members.set(name, member);
    if (this.working) member.start(this.working);
    return member;
  }

  private mayJoin(name: string): boolean {
    return !this.leaving.has(name) && this.owns(name);
  }

  private owns(name: string): boolean {
    return this.parts.gate?.owns(name) !== false;
  }

  private leave(name: string, member: FleetCluster, reason?: Error): void {
    this.members.delete(name);
    const left = member.leave(reason).catch((error: unknown) => {
      this.parts.options.logger.error(`cannot stop watching cluster ${name}`, { err: error });
    });
    const ended = left.then(() => {
      this.leaving.delete(name);
      this.update(name);
    });
    this.leaving.set(name, ended);
  }

  private measure(): void {
    if (this.isMeasured) return;
    this.isMeasured = true;
    this.parts.metrics?.measureClusters(
      () =>
        new Map(
          [...this.members].map(([name, { informers }]) => [
            name,
            informers.every(({ hasSynced, lastError }) => hasSynced && lastError === undefined),
          ]),
        ),
    );
  }
}

function isSelected({ controller: { clusters = [] } }: ResourceModel, name: string): boolean {
  return clusters === 'all' || clusters.includes(name);
}

function removed(name: string): Error {
  return new Error(`cluster ${name} was removed`);
}
