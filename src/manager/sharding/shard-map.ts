import { isJsonObject } from '../../base/json-object.js';
import { memberOfSlots } from './rendezvous.js';

/**
 * The replicas of an operator, and the owner of each slot. Only its owner works on the objects of a slot.
 *
 * It is stored in one Lease and replaced as a whole, only in the version that was read.
 */
export interface ShardMap {
  readonly members: readonly string[];
  /** Undefined: the slot has no owner. */
  readonly owners: readonly (string | undefined)[];
  /** True until the first owners are set: an earlier map may have been deleted while its members work on. */
  readonly isNew: boolean;
}

/** The facts that a member knows in addition to the map. */
export interface MemberFacts {
  /** Members that can no longer write. */
  readonly dead: ReadonlySet<string>;
  /** Returns true while this process works on an object of the slot. */
  readonly isBusy: (slot: number) => boolean;
  /** True when every member of a deleted map has stopped. */
  readonly isSettled: boolean;
}

/** A map without members and owners. */
export function newShardMap(slots: number): ShardMap {
  return { members: [], owners: Array.from({ length: slots }, () => undefined), isNew: true };
}

/**
 * Returns for each slot whether `self` may begin work on its objects: it owns the slot, and the slot need not move.
 *
 * Since both follow from one version of the map, a slot that `self` has handed over in a version is not used in it.
 */
export function usableSlots({ members, owners }: ShardMap, self: string): boolean[] {
  if (!members.includes(self)) return owners.map(() => false);
  const wanted = memberOfSlots(members, owners.length);
  return owners.map((owner, slot) => owner === self && wanted[slot] === self);
}

/** Returns true if `self` is a member, and every slot has an owner. */
export function isFullyOwned({ members, owners, isNew }: ShardMap, self: string): boolean {
  return !isNew && members.includes(self) && !owners.includes(undefined);
}

/** Compares the usable slots of two maps, which may differ in their number. */
export function slotChanges(before: readonly boolean[], after: readonly boolean[]) {
  const old = before.length === after.length ? before : after.map(() => false);
  const gained = after.map((isUsable, slot) => isUsable && old[slot] !== true);
  const lost = before.filter((was, slot) => was && !(before === old && after[slot] === true));
  return { gained, gainedCount: gained.filter(Boolean).length, lostCount: lost.length };
}

/**
 * Returns the map that `self` writes next: it is a member, dead members and their slots are replaced, and slots that
 * have to move and are idle get their new owner. Returns undefined if nothing changes.
 */
export function nextShardMap(map: ShardMap, self: string, facts: MemberFacts): ShardMap | undefined {
  const kept = map.members.filter((member) => !facts.dead.has(member));
  const members = kept.includes(self) ? kept : [...kept, self];
  const usable = usableSlots(map, self);
  const wanted = memberOfSlots(members, map.owners.length);
  const isNew = map.isNew && !facts.isSettled;
  const owners = map.owners.map((owner, slot) => {
    if (owner === undefined) return isNew ? undefined : wanted[slot];
    if (!members.includes(owner)) return wanted[slot];
    return owner === self && !usable[slot] && !facts.isBusy(slot) ? wanted[slot] : owner;
  });
  const isSame =
    isNew === map.isNew &&
    members.length === map.members.length &&
    members.every((member, index) => member === map.members[index]) &&
    owners.every((owner, slot) => owner === map.owners[slot]);
  return isSame ? undefined : { members, owners, isNew };
}

/** Returns the map without `self`, which has stopped its work; undefined if it is not in the map. */
export function mapWithout(map: ShardMap, self: string): ShardMap | undefined {
  if (!map.members.includes(self)) return undefined;
  const members = map.members.filter((member) => member !== self);
  const wanted = memberOfSlots(members, map.owners.length);
  return { ...map, members, owners: map.owners.map((owner, slot) => (owner === self ? wanted[slot] : owner)) };
}

/** The text of a map: owners are indexes of members, -1 for none. */
export function formatShardMap({ members, owners, isNew }: ShardMap): string {
  const indexes = new Map(members.map((member, index) => [member, index]));
  const owned = owners.map((owner) => (owner === undefined ? -1 : (indexes.get(owner) ?? -1)));
  return JSON.stringify({ members, owners: owned, isNew });
}

/** Returns undefined for a text that is not that of a map. */
export function parseShardMap(text: string): ShardMap | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { members, owners, isNew } = value;
  if (!isList(members, isText) || !isList(owners, isInteger) || typeof isNew !== 'boolean') return undefined;
  const isValid = owners.length > 0 && new Set(members).size === members.length && owners.every(isIndexOf(members));
  return isValid ? { members, owners: owners.map((index) => members[index]), isNew } : undefined;
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every((item) => isItem(item));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

function isIndexOf(members: readonly string[]): (index: number) => boolean {
  return (index) => index >= -1 && index < members.length;
}
