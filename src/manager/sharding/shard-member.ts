import { randomNumber } from '../../base/random.js';
import type { Lease } from '../../api/kinds/kinds.js';
import type { ObjectKey } from '../../api/objects/object-key.js';
import { sleep, type Clock } from '../../base/clock.js';
import { AlreadyExistsError } from '../../client/api-error.js';
import type { ObjectGate } from '../../controller/sources/object-gate.js';
import { DeadMembers } from './dead-members.js';
import { OwnedSlots, type OwnedSlotsOptions, type ShardState } from './owned-slots.js';
import type { ListedLeases, ShardLeases } from './shard-leases.js';
import type { ShardMap } from './shard-map.js';
import { RenewalDeadline } from './renewal-deadline.js';
import { NO_WORK, type ShardWork } from './shard-work.js';

export interface ShardMemberOptions extends OwnedSlotsOptions {
  readonly leases: Pick<
    ShardLeases,
    'list' | 'createMember' | 'renew' | 'take' | 'deleteMember' | 'writeMap' | 'leave'
  >;
  /** Returns an id that was never used before. */
  readonly newId: () => string;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
  readonly random?: () => number;
}

/** The time between renewals, as a part of the lease duration. */
const RENEW_PERIOD = 1 / 5;
/** The time until a failed request is sent again, as a part of the time between renewals. */
const RETRY_PERIOD = 1 / 3;
const DRAIN_CHECK_MS = 50;
/** Longest time until the next attempt after another member has written first. */
const CONFLICT_MS = 100;

/**
 * One replica of a group that shares objects: it keeps its Lease, follows the map, and moves slots.
 *
 * Order: `run` until this process stops working, then `leave`; `drain` when it is to stop, so that only the objects that
 * are being worked on wait for `leave`.
 * Guarantees: no two members work on one object. Only the owner of a slot gives it away, when it does not work on it. It
 * is taken from a member only after its Lease was taken, which is possible only when it has not been renewed for its
 * duration; the member itself stops a third of this time earlier, by its own clock.
 * Assumptions: clocks run at about the same rate.
 * Errors: failed requests are logged and retried.
 */
export class ShardMember implements ObjectGate {
  private readonly deadline: RenewalDeadline;
  private readonly renewPeriodMs: number;
  private readonly deadMembers: DeadMembers;
  private readonly fresh: FreshMap;
  private work = NO_WORK;
  private id = '';
  private readonly slots: OwnedSlots;
  /** Aborted by `drain`. */
  private readonly draining = new AbortController();
  private lease: Lease | undefined;
  private listed: ListedLeases = { members: new Map(), mapLease: undefined };
  private lastFailure: string | undefined;
  /** True from the abort of the work until the next renewal. */
  private isInterrupted = false;

  constructor(private readonly options: ShardMemberOptions) {
    const { leaseDurationMs, clock } = options;
    this.deadline = new RenewalDeadline(clock, leaseDurationMs, () => {
      this.noticeLapse();
    });
    this.renewPeriodMs = leaseDurationMs * RENEW_PERIOD;
    this.deadMembers = new DeadMembers(options);
    this.fresh = new FreshMap(clock);
    this.slots = new OwnedSlots(options, () => this.work);
  }

  get isOpen(): boolean {
    return this.deadline.isAhead;
  }

  readonly owns = (key: ObjectKey): boolean => this.slots.mayBegin(key);

  /** Returns true if this process may write for the object: it owns it, and has not begun to give it away. */
  mayWrite(key: ObjectKey): boolean {
    return this.isOpen && this.slots.holds(key);
  }

  /** The number of members in the map. */
  get memberCount(): number {
    return this.slots.members.length;
  }

  /** The number of slots that this process works on. */
  get slotCount(): number {
    return this.isOpen ? this.slots.usableCount : 0;
  }

  /** The replicas and their slots; without a valid Lease this one works on none. */
  get state(): ShardState {
    const { state } = this.slots;
    return this.isOpen ? state : { ...state, ownSlots: [] };
  }

  /** Takes part until the signal is aborted. Never rejects. */
  async run(work: ShardWork, signal: AbortSignal): Promise<void> {
    this.work = work;
    while (!signal.aborted) await this.pause(await this.step(), signal);
    this.deadline.clear();
  }

  /**
   * Begins no more work, and gives the objects to the other members: immediately those that this process does not work
   * on, and each other one when its work has ended.
   */
  drain(): void {
    this.slots.drain();
    this.draining.abort();
  }

  /** Waits, at most until the slots that others wait for are idle. */
  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    const { slots, draining } = this;
    for (let restMs = ms; restMs > 0 && !signal.aborted;) {
      const isDraining = this.isOpen && slots.isDraining;
      const waitMs = isDraining ? Math.min(DRAIN_CHECK_MS, restMs) : restMs;
      const wasLeaving = slots.isLeaving;
      const ended = wasLeaving ? signal : AbortSignal.any([signal, draining.signal]);
      await sleep(this.options.clock, waitMs, ended).catch(() => undefined);
      if (slots.isLeaving !== wasLeaving || (isDraining && this.nextMap(new Set()))) return;
      restMs -= waitMs;
    }
  }

  /** Gives all slots to the other members. Never rejects: without success, the Lease expires. */
  async leave(): Promise<void> {
    const { leases, logger } = this.options;
    this.deadline.clear();
    this.slots.close();
    if (!this.lease) return;
    try {
      await leases.leave(this.lease);
    } catch (err) {
      logger.warn('The objects of this replica move only when its Lease has expired', { member: this.id, err });
    }
  }

  /** Renews, reads and writes once. Returns the time until the next step. */
  private async step(): Promise<number> {
    const { clock, random = () => randomNumber('retry of a shard') } = this.options;
    const startMs = clock.monotonic();
    if (this.slots.isLeaving && !this.lease) return this.renewPeriodMs; // taken over: there is nothing to give away
    try {
      const isRenewed = await this.renewAndRead();
      const isWritten = isRenewed && (await this.writeNextMap());
      this.lastFailure = undefined;
      if (!isWritten) return random() * CONFLICT_MS;
    } catch (error) {
      this.reportFailure(error);
      return this.renewPeriodMs * RETRY_PERIOD;
    }
    const untilRenewalMs = startMs + this.renewPeriodMs - clock.monotonic();
    return Math.max(1, Math.min(untilRenewalMs, this.deadMembers.untilExpiryMs(this.listed.members)));
  }

  /** Returns true if this process certainly holds its Lease, and the map is that of the server. */
  private async renewAndRead(): Promise<boolean> {
    const { leases } = this.options;
    const sent = this.deadline.time;
    this.noticeLapse();
    const before = this.lease ?? (await this.join());
    // At once, because slow responses to both may take longer than the Lease is valid. Both are as recent as `sent`.
    const [first, listed] = await Promise.all([leases.renew(before), leases.list()]);
    this.listed = listed;
    const own = this.listed.members.get(this.id);
    if (own?.spec?.holderIdentity !== this.id) {
      this.expelled();
      return false;
    }
    const renewed = first ?? (await leases.renew(own)); // its metadata was edited, or an earlier renewal had no response
    if (!renewed) return false;
    this.lease = renewed;
    this.noticeLapse();
    this.deadline.extend(sent);
    this.follow(this.listed.mapLease);
    if (this.isInterrupted) this.work.resumed();
    this.isInterrupted = false;
    return true;
  }

  private async join(): Promise<Lease> {
    const { leases, newId, logger } = this.options;
    // Without a response, the Lease may exist. It expires.
    this.id = newId();
    this.slots.joinAs(this.id);
    this.lease = await leases.createMember(this.id);
    logger.info('Joined the replicas that share the objects', { member: this.id });
    return this.lease;
  }

  /** Takes over the map that the server has. */
  private follow(mapLease: Lease | undefined): void {
    this.listed = { ...this.listed, mapLease };
    this.slots.adopt(mapLease, (reason) => {
      this.abort(reason);
    });
    this.fresh.observe(mapLease?.metadata.uid, this.slots.isNewMap === true);
  }

  /** Returns false if another member has written first. */
  private async writeNextMap(): Promise<boolean> {
    const { leases } = this.options;
    const { members } = this.listed;
    const others = [...members.keys(), ...this.slots.members].filter((member) => member !== this.id);
    const dead = await this.deadMembers.find(others, members);
    const next = this.nextMap(dead);
    if (next) {
      this.slots.writing(next);
      const written = await leases.writeMap(this.listed.mapLease, next);
      if (!written) return false;
      this.follow(written);
    }
    for (const member of dead) {
      const lease = members.get(member);
      if (lease) await leases.deleteMember(lease);
      this.deadMembers.forget(member);
    }
    return true;
  }

  private nextMap(dead: ReadonlySet<string>): ShardMap | undefined {
    return this.slots.next({ dead, isSettled: this.fresh.isOlderThan(this.options.leaseDurationMs) });
  }

  /**
   * Stops all work if the Lease was not renewed in time. It is continued if no other member has taken the Lease: then only
   * this process can have given its slots away, so the map is kept, and objects need no new reconcile.
   */
  private noticeLapse(): void {
    if (!this.deadline.hasPassed) return;
    const reason = new Error(`the Lease of this replica was not renewed within ${this.deadline.ms} ms`);
    const why = this.lastFailure ?? 'the process was blocked';
    this.options.logger.warn('The work on objects is interrupted', { reason: reason.message, why });
    this.interrupt(reason);
  }

  /** Another member has taken the Lease, so this process joins again as a new member. */
  private expelled(): void {
    this.options.logger.warn('Other replicas have taken over the objects of this one', { member: this.id });
    this.interrupt(new Error('other replicas have taken over'));
    this.lease = undefined;
    this.slots.clear();
  }

  private interrupt(reason: Error): void {
    this.deadline.clear();
    this.fresh.reset();
    this.deadMembers.reset();
    this.abort(reason);
  }

  private abort(reason: Error): void {
    this.isInterrupted = true;
    this.work.abort(reason);
  }

  private reportFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const isRepeated = message === this.lastFailure;
    this.lastFailure = message;
    // Two members may create the map at the same time. If it is repeated, another Lease has the name.
    if (error instanceof AlreadyExistsError ? !isRepeated : isRepeated) return;
    this.options.logger.warn('The Leases of the replicas could not be read or written', { err: error });
  }
}

/** Measures how long a new map, which has no owners yet, has existed: an earlier one may have been deleted. */
class FreshMap {
  private seen: { readonly uid: string | undefined; readonly sinceMs: number } | undefined;

  constructor(private readonly clock: Clock) {}

  /** To be called with each map that was read, and the uid of its Lease. */
  observe(uid: string | undefined, isNew: boolean): void {
    if (!isNew) this.seen = undefined;
    else if (!this.seen || this.seen.uid !== uid) this.seen = { uid, sinceMs: this.clock.monotonic() };
  }

  /** Measures again from the next read. */
  reset(): void {
    this.seen = undefined;
  }

  /** Returns true if the last map is new and was seen first at least this long ago. */
  isOlderThan(ms: number): boolean {
    return this.seen !== undefined && this.clock.monotonic() - this.seen.sinceMs >= ms;
  }
}
