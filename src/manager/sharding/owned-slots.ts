import type { Lease } from '../../api/kinds/kinds.js';
import type { ObjectKey } from '../../api/objects/object-key.js';
import type { Logger } from '../../base/logger.js';
import { slotOf } from './rendezvous.js';
import { mapOf } from './shard-leases.js';
import {
  isFullyOwned,
  newShardMap,
  nextShardMap,
  slotChanges,
  usableSlots,
  type MemberFacts,
  type ShardMap,
} from './shard-map.js';
import type { ShardWork } from './shard-work.js';

export interface OwnedSlotsOptions {
  readonly logger: Logger;
  /** The slots of a new map, default 1024. Each is a part of the objects, so they limit the number of replicas. */
  readonly slots?: number;
  /** Called with the number of slots that moved to this process and from it. */
  readonly onMoved?: ((gained: number, lost: number) => void) | undefined;
}

const SLOTS = 1024;

/** The replicas of an operator and their slots, as one of them knows them. */
export interface ShardState {
  /** The id of this replica; empty before it has joined. */
  readonly self: string;
  readonly members: readonly { readonly name: string; readonly slotCount: number; readonly isLeaving: boolean }[];
  /** The slots that this replica may work on, in ascending order. */
  readonly ownSlots: readonly number[];
  /** The number of all slots; 0 before the first map. */
  readonly slotCount: number;
}

/**
 * The map of a group as one member knows it, and the slots that the member works on.
 *
 * Flow: `joinAs`, then `adopt` with each version of the map and `next` for the version to write; `drain` when the process
 * stops; `clear` when others have taken the Lease over.
 * Guarantees: `adopt` and `drain` begin and end the work on the objects that have moved before they return. `next` gives
 * away only slots that this process begins no more work on, and is not busy with.
 */
export class OwnedSlots {
  private self = '';
  private map: ShardMap | undefined;
  private version: string | undefined;
  private usable: readonly boolean[] = [];
  /** The slots that a request without a response may have given away. */
  private given: readonly boolean[] | undefined;
  private hasDrained = false;

  /** @param work returns what begins and ends as slots move. */
  constructor(
    private readonly options: OwnedSlotsOptions,
    private readonly work: () => ShardWork,
  ) {}

  /** Undefined before the first map. */
  get isNewMap(): boolean | undefined {
    return this.map?.isNew;
  }

  /** The members in the map. */
  get members(): readonly string[] {
    return this.map?.members ?? [];
  }

  /** The number of slots that this process may work on. */
  get usableCount(): number {
    return this.usable.filter(Boolean).length;
  }

  get state(): ShardState {
    const { members = [], leaving = [], owners = [] } = this.map ?? {};
    return {
      self: this.self,
      members: members.map((name) => ({
        name,
        slotCount: owners.filter((owner) => owner === name).length,
        isLeaving: leaving.includes(name),
      })),
      ownSlots: this.usable.flatMap((isUsable, slot) => (isUsable ? [slot] : [])),
      slotCount: owners.length,
    };
  }

  /** True once this process begins no more work. */
  get isLeaving(): boolean {
    return this.hasDrained;
  }

  /** True while this process owns slots that have to move. */
  get isDraining(): boolean {
    return this.map?.owners.some((owner, slot) => owner === this.self && this.usable[slot] !== true) === true;
  }

  /** Sets the id of this process in the map. */
  joinAs(member: string): void {
    this.self = member;
  }

  /** Returns true if this process may begin work on the object. */
  mayBegin(key: ObjectKey): boolean {
    return this.usable[slotOf(key, this.usable.length)] === true;
  }

  /** Returns true if no other process can own the object: the map names this one, and no request gives the object away. */
  holds(key: ObjectKey): boolean {
    const { owners = [] } = this.map ?? {};
    const slot = slotOf(key, owners.length);
    return owners[slot] === this.self && this.given?.[slot] !== true;
  }

  /** Takes over the map that the server has. `onRemoved` is called if this process is no longer in it. */
  adopt(mapLease: Lease | undefined, onRemoved: (reason: Error) => void): void {
    const { uid, resourceVersion } = mapLease?.metadata ?? {};
    const version = `${uid}/${resourceVersion}`;
    if (version === this.version && this.map) return;
    const [mapBefore, usableBefore] = [this.map, this.usable];
    if (version !== this.version) this.given = undefined;
    this.version = version;
    this.map = mapOf(mapLease);
    this.usable = this.map && !this.hasDrained ? usableSlots(this.map, this.self) : [];
    const [wasIn, isIn] = [mapBefore, this.map].map((each) => each?.members.includes(this.self) === true);
    if (wasIn && !isIn) onRemoved(new Error('the map of the replicas was deleted or edited'));
    this.move(usableBefore);
  }

  /** Begins no more work: running reconciles may finish. */
  drain(): void {
    const before = this.usable;
    this.hasDrained = true;
    this.usable = [];
    this.move(before);
  }

  /** Ends the work on all objects, because other members own them. */
  clear(): void {
    this.options.onMoved?.(0, this.usableCount);
    this.map = undefined;
    this.usable = [];
    this.work().lost();
  }

  /** Begins no work and holds no object any more, without a call of the work. */
  close(): void {
    this.usable = [];
  }

  /** Returns the map to write next; undefined if nothing is to be changed. */
  next({ dead, isSettled }: Pick<MemberFacts, 'dead' | 'isSettled'>): ShardMap | undefined {
    const { map, self, isDraining, hasDrained: isLeaving } = this;
    if (map && dead.size === 0 && !isDraining && this.isUpToDate(map)) return undefined;
    const busy = map && isDraining ? this.busySlots(map.owners.length) : new Set();
    const facts = { dead, isSettled, isLeaving, isBusy: (slot: number) => busy.has(slot) };
    return nextShardMap(map ?? newShardMap(this.options.slots ?? SLOTS), self, facts);
  }

  private isUpToDate(map: ShardMap): boolean {
    const isKnown = !this.hasDrained || map.leaving.includes(this.self);
    return isKnown && isFullyOwned(map, this.self);
  }

  /** Must be called before a map is written: without a response, it may have been stored. */
  writing(next: ShardMap): void {
    this.given = this.map?.owners.map((owner, slot) => owner === this.self && next.owners[slot] !== owner);
  }

  private busySlots(slots: number): Set<number> {
    return new Set([...this.work().busyKeys].map((key) => slotOf(key, slots)));
  }

  /** Begins and ends the work on the objects that have moved. */
  private move(before: readonly boolean[]): void {
    const { gained, gainedCount, lostCount } = slotChanges(before, this.usable);
    if (gainedCount + lostCount === 0) return;
    const { logger, onMoved } = this.options;
    const counts = { slotCount: this.usableCount, memberCount: this.members.length };
    logger.info('Objects have moved', { gained: gainedCount, lost: lostCount, ...counts });
    onMoved?.(gainedCount, lostCount);
    if (lostCount > 0) this.work().lost();
    if (gainedCount > 0) this.work().gained((key) => gained[slotOf(key, gained.length)] === true);
  }
}
