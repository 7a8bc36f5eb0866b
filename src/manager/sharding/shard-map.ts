import { isJsonObject } from '../../base/json-object.js';
import { memberOfSlots } from './rendezvous.js';

/**
 * The replicas of an operator, and the owner of each slot. Only its owner works on the objects of a slot.
 *
 * It is stored in one Lease and replaced as a whole, only in the version that was read.
 */
export interface ShardMap {
  readonly members: readonly string[];
  /** The members that are stopping: they keep only the slots that they still work on. */
  readonly leaving: readonly string[];
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
  /** True if this process is stopping: it begins no work on any object. */
  readonly isLeaving: boolean;
}

/** A map without members and owners. */
export function newShardMap(slots: number): ShardMap {
  return { members: [], leaving: [], owners: Array.from({ length: slots }, () => undefined), isNew: true };
}

/**
 * Returns for each slot whether `self` may begin work on its objects: it owns the slot, and the slot need not move.
 *
 * Since both follow from one version of the map, a slot that `self` has handed over in a version is not used in it.
 */
export function usableSlots(map: ShardMap, self: string): boolean[] {
  const { members, owners } = map;
  if (!members.includes(self)) return owners.map(() => false);
  const wanted = wantedOwners(map);
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
  const { isLeaving } = facts;
  const kept = map.members.filter((member) => !facts.dead.has(member));
  const members = kept.includes(self) || isLeaving ? kept : [...kept, self];
  const leaving = map.leaving.filter((member) => kept.includes(member));
  if (isLeaving && members.includes(self) && !leaving.includes(self)) leaving.push(self);
  const usable = isLeaving ? map.owners.map(() => false) : usableSlots(map, self);
  const wanted = wantedOwners({ ...map, members, leaving });
  const isNew = map.isNew && !facts.isSettled;
  const owners = map.owners.map((owner, slot) => {
    if (owner === undefined) return isNew ? undefined : wanted[slot];
    if (!members.includes(owner)) return wanted[slot];
    return owner === self && !usable[slot] && !facts.isBusy(slot) ? wanted[slot] : owner;
  });
  const next = { members, leaving, owners, isNew };
  return formatShardMap(next) === formatShardMap(map) ? undefined : next;
}

/** Returns the map without `self`, which has stopped its work; undefined if it is not in the map. */
export function mapWithout(map: ShardMap, self: string): ShardMap | undefined {
  if (!map.members.includes(self)) return undefined;
  const isOther = (member: string): boolean => member !== self;
  const rest = { ...map, members: map.members.filter(isOther), leaving: map.leaving.filter(isOther) };
  const wanted = wantedOwners(rest);
  return { ...rest, owners: map.owners.map((owner, slot) => (owner === self ? wanted[slot] : owner)) };
}

/** The members that the slots should have: those that stay. Undefined without any. */
function wantedOwners({ members, leaving, owners }: ShardMap): (string | undefined)[] {
  return memberOfSlots(
    members.filter((member) => !leaving.includes(member)),
    owners.length,
  );
}

/** The text of a map: owners are indexes of members, -1 for none. */
export function formatShardMap({ members, leaving, owners, isNew }: ShardMap): string {
  const indexes = new Map(members.map((member, index) => [member, index]));
  const owned = owners.map((owner) => (owner === undefined ? -1 : (indexes.get(owner) ?? -1)));
  return JSON.stringify({ members, leaving, owners: owned, isNew });
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
  const { members, leaving, owners, isNew } = value;
  if (!isList(owners, isInteger) || owners.length === 0 || typeof isNew !== 'boolean') return undefined;
  if (!isMembership(members, leaving) || !owners.every(isIndexOf(members))) return undefined;
  return { members, leaving: leaving as string[], owners: owners.map((index) => members[index]), isNew };
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every((item) => isItem(item));
}

/** Each member is named once, and those that are leaving are members. */
function isMembership(members: unknown, leaving: unknown): members is string[] {
  if (!isList(members, isText) || !isList(leaving, isText)) return false;
  return new Set(members).size === members.length && leaving.every((member) => members.includes(member));
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
