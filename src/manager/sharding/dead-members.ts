import type { Lease } from '../../api/kinds/kinds.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { ShardLeases } from './shard-leases.js';

export interface DeadMembersOptions {
  readonly leases: Pick<ShardLeases, 'take'>;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Seen {
  /** Undefined: the Lease does not exist. */
  readonly version: string | undefined;
  readonly sinceMs: number;
}

/**
 * Finds the members that can no longer write, and takes over their Leases.
 *
 * The time since the last change of each Lease is measured by the clock of this process alone. A member without its
 * Lease is measured too, because it may not have noticed yet.
 */
export class DeadMembers {
  private readonly seen = new Map<string, Seen>();
  /** Members from which this process has taken the Lease, so that they can never renew it. */
  private readonly taken = new Set<string>();

  constructor(private readonly options: DeadMembersOptions) {}

  /** To be called when a list has arrived, with all other members that have a Lease or are in the map. */
  async find(others: readonly string[], listed: ReadonlyMap<string, Lease>): Promise<Set<string>> {
    const { leases, logger } = this.options;
    this.observe(new Set(others), listed);
    const dead = new Set(others.filter((member) => this.taken.has(member)));
    for (const member of this.expired(listed)) {
      if (dead.has(member)) continue;
      const lease = listed.get(member);
      if (lease && lease.spec?.holderIdentity !== '' && !(await leases.take(lease))) continue;
      logger.info('A replica has not renewed its Lease; its objects are taken over', { member });
      this.taken.add(member);
      dead.add(member);
    }
    return dead;
  }

  /** To be called when a member is neither in the map nor has a Lease. */
  forget(member: string): void {
    this.taken.delete(member);
  }

  /** The time until the next Lease expires if it is not renewed; Infinity without other members. */
  untilExpiryMs(listed: ReadonlyMap<string, Lease>): number {
    const ends = [...this.seen].map(([member, { sinceMs }]) => sinceMs + this.durationOf(listed.get(member)));
    return Math.min(Infinity, ...ends) - this.options.clock.monotonic();
  }

  /** Measures again from the next list: other members may have been unable to renew too. */
  reset(): void {
    this.seen.clear();
  }

  private observe(members: ReadonlySet<string>, listed: ReadonlyMap<string, Lease>): void {
    for (const member of this.seen.keys()) if (!members.has(member)) this.seen.delete(member);
    for (const member of members) {
      const version = listed.get(member)?.metadata.resourceVersion;
      const present = this.seen.get(member);
      if (present?.version === version && present) continue;
      this.seen.set(member, { version, sinceMs: this.options.clock.monotonic() });
    }
  }

  private expired(listed: ReadonlyMap<string, Lease>): string[] {
    const now = this.options.clock.monotonic();
    return [...this.seen].flatMap(([member, { sinceMs }]) =>
      now - sinceMs >= this.durationOf(listed.get(member)) ? [member] : [],
    );
  }

  /** Replicas may have different settings while they are replaced. */
  private durationOf(lease: Lease | undefined): number {
    return Math.max(this.options.leaseDurationMs, (lease?.spec?.leaseDurationSeconds ?? 0) * 1000);
  }
}
