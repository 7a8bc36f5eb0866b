import { Lease } from '../../api/kinds/kinds.js';
import { formatMicroTime } from '../../base/timestamp.js';
import type { Clock } from '../../base/clock.js';
import { ConflictError, NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { formatShardMap, mapWithout, parseShardMap, type ShardMap } from './shard-map.js';

/** The label of all Leases of the replicas of one operator, with the name of the group. */
const GROUP_LABEL = 'kindwright.dev/shard-group';
const MAP_ANNOTATION = 'kindwright.dev/shards';
const LEAVE_TRIES = 5;

export interface ShardLeasesOptions {
  readonly client: Pick<Client, 'list' | 'create' | 'update' | 'delete'>;
  readonly namespace: string;
  /** The name of the Lease with the map. */
  readonly group: string;
  readonly leaseDurationMs: number;
  /** The time limit of each request. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** All Leases of a group in one state of the server. */
export interface ListedLeases {
  /** By the name, which is the id of the member. */
  readonly members: ReadonlyMap<string, Lease>;
  /** Undefined if it does not exist. */
  readonly mapLease: Lease | undefined;
}

/**
 * The Leases of the replicas of an operator: one of each member, and one with the map in an annotation.
 *
 * Each update requires the resourceVersion that was read. Nothing is retried.
 */
export class ShardLeases {
  constructor(private readonly options: ShardLeasesOptions) {}

  /** Reads all Leases from the server's storage, not from a cache of it. */
  async list(): Promise<ListedLeases> {
    const { client, namespace, group } = this.options;
    const labelSelector = { matchLabels: { [GROUP_LABEL]: group } };
    const { items } = await client.list(Lease, { namespace, labelSelector, retries: 0, ...this.limit });
    const mapLease = items.find(({ metadata }) => metadata.name === group);
    const members = items.filter((lease) => lease !== mapLease);
    return { members: new Map(members.map((lease) => [lease.metadata.name, lease])), mapLease };
  }

  /** Creates the Lease of a member. */
  async createMember(member: string): Promise<Lease> {
    return this.create(member, { spec: { ...this.renewal(member), acquireTime: this.now() } });
  }

  /** Renews the Lease of a member. Returns undefined if it has changed. */
  async renew(lease: Lease): Promise<Lease | undefined> {
    return this.replace({ ...lease, spec: { ...lease.spec, ...this.renewal(lease.metadata.name) } });
  }

  /** Takes the Lease from its member, which can never renew it again. Returns false if it has changed. */
  async take(lease: Lease): Promise<boolean> {
    return (await this.replace({ ...lease, spec: { ...lease.spec, holderIdentity: '' } })) !== undefined;
  }

  /** Deletes the Lease of a member in any version, if it exists. */
  async deleteMember(lease: Lease): Promise<void> {
    const { client, namespace } = this.options;
    const { name, uid } = lease.metadata;
    try {
      await client.delete(Lease, name, { namespace, preconditions: { uid }, ...this.limit });
    } catch (error) {
      if (!(error instanceof NotFoundError) && !(error instanceof ConflictError)) throw error;
    }
  }

  /**
   * Creates the Lease with the map, or replaces the map of an existing one. Returns undefined if it has changed.
   *
   * @throws AlreadyExistsError when another member has created it, or a Lease of another group has its name.
   */
  async writeMap(mapLease: Lease | undefined, map: ShardMap): Promise<Lease | undefined> {
    const annotations = { ...mapLease?.metadata.annotations, [MAP_ANNOTATION]: formatShardMap(map) };
    if (mapLease) return this.replace({ ...mapLease, metadata: { ...mapLease.metadata, annotations } });
    return this.create(this.options.group, { annotations });
  }

  /** Gives the slots of a member, which has stopped its work, to the others, and deletes its Lease. */
  async leave(lease: Lease): Promise<void> {
    for (let tries = 1; !(await this.removeFromMap(lease.metadata.name)); tries++)
      if (tries === LEAVE_TRIES) throw new Error('other replicas have changed the map at the same time');
    await this.deleteMember(lease);
  }

  /** Returns false if the map has changed. */
  private async removeFromMap(member: string): Promise<boolean> {
    const { mapLease } = await this.list();
    const map = mapOf(mapLease);
    const next = map && mapWithout(map, member);
    return !next || (await this.writeMap(mapLease, next)) !== undefined;
  }

  private get limit() {
    return { timeout: this.options.timeoutMs };
  }

  private now(): string {
    return formatMicroTime(this.options.clock.now());
  }

  private renewal(member: string) {
    const leaseDurationSeconds = Math.max(1, Math.ceil(this.options.leaseDurationMs / 1000));
    return { holderIdentity: member, leaseDurationSeconds, renewTime: this.now() };
  }

  private create(name: string, { annotations, spec }: { annotations?: Record<string, string>; spec?: Lease['spec'] }) {
    const { client, namespace, group } = this.options;
    const labels = { 'app.kubernetes.io/managed-by': 'kindwright', [GROUP_LABEL]: group };
    const metadata = { name, namespace, labels, ...(annotations && { annotations }) };
    return client.create(Lease, { metadata, ...(spec && { spec }) }, { retries: 0, ...this.limit });
  }

  private async replace(lease: Lease): Promise<Lease | undefined> {
    try {
      return await this.options.client.update(Lease, lease, { retries: 0, ...this.limit });
    } catch (error) {
      if (error instanceof ConflictError || error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}

/** Returns the map of a Lease; undefined if the Lease has none. */
export function mapOf(lease: Lease | undefined): ShardMap | undefined {
  const text = lease?.metadata.annotations?.[MAP_ANNOTATION];
  return text === undefined ? undefined : parseShardMap(text);
}
