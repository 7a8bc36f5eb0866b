import { describe, expect, test } from '@jest/globals';
import {
  formatShardMap,
  mapWithout,
  newShardMap,
  nextShardMap,
  parseShardMap,
  usableSlots,
  type MemberFacts,
  type ShardMap,
} from '../../../src/manager/sharding/shard-map.js';
import { memberOfSlots } from '../../../src/manager/sharding/rendezvous.js';

const SLOTS = 32;
const idle: MemberFacts = { dead: new Set(), isBusy: () => false, isSettled: true, isLeaving: false };
const next = (map: ShardMap, self: string, facts: Partial<MemberFacts> = {}): ShardMap =>
  nextShardMap(map, self, { ...idle, ...facts })!;
const of = (...members: string[]): ShardMap => ({
  ...{ members, leaving: [], isNew: false },
  owners: memberOfSlots(members, SLOTS),
});

describe('the map of a group', () => {
  test('a new map of shards gets owners only when the members of a deleted one have stopped', () => {
    const first = next(newShardMap(SLOTS), 'a', { isSettled: false });
    expect(first).toMatchObject({ members: ['a'], isNew: true });
    expect(first.owners.every((owner) => owner === undefined)).toBe(true);
    expect(next(first, 'a')).toEqual(of('a'));
  });

  test('a member that joins gets a slot only from its owner, when that is idle', () => {
    const joined = next(of('a', 'b'), 'c');
    expect(joined.owners).toEqual(of('a', 'b').owners);
    const moving = joined.owners.findIndex((owner, slot) => owner === 'a' && !usableSlots(joined, 'a')[slot]);
    const moved = next(joined, 'a', { isBusy: (slot) => slot === moving });
    expect(moved.owners[moving]).toBe('a');
    expect(next(next(moved, 'a'), 'b')).toEqual(of('a', 'b', 'c'));
  });

  test('an owner does not use a slot in a version in which it may give it away', () => {
    const joined = next(of('a', 'b'), 'c');
    const given = next(joined, 'a').owners.map((owner) => owner !== 'a');
    for (const [slot, usable] of usableSlots(joined, 'a').entries()) if (usable) expect(given[slot]).toBe(false);
  });

  test('the slots of a dead member move to the others, and no other slot', () => {
    const map = of('a', 'b', 'c');
    const taken = next(map, 'a', { dead: new Set(['c']) });
    expect(taken).toEqual(of('a', 'b'));
    for (const [slot, owner] of map.owners.entries()) if (owner !== 'c') expect(taken.owners[slot]).toBe(owner);
  });

  test('a member that leaves gives its slots to the others; the last one leaves them without an owner', () => {
    expect(mapWithout(of('a', 'b'), 'b')).toEqual(of('a'));
    const empty = mapWithout(of('a'), 'a')!;
    const owners = Array.from({ length: SLOTS }, () => undefined);
    expect(empty).toEqual({ members: [], leaving: [], owners, isNew: false });
    expect(mapWithout(empty, 'a')).toBeUndefined();
    expect(next(empty, 'b', { isSettled: false })).toEqual(of('b'));
  });

  test('a member that is leaving gives its idle slots away immediately, its busy ones later, and gets none', () => {
    const map = of('a', 'b', 'c');
    const busy = map.owners.indexOf('c');
    const leaving = next(map, 'c', { isLeaving: true, isBusy: (slot) => slot === busy });
    expect(leaving).toMatchObject({ members: ['a', 'b', 'c'], leaving: ['c'] });
    const expected = of('a', 'b').owners.map((owner, slot) => (slot === busy ? 'c' : owner));
    expect(leaving.owners).toEqual(expected);
    expect(usableSlots(leaving, 'c')).not.toContain(true);
    expect(nextShardMap(leaving, 'a', idle)).toBeUndefined();
    expect(next(leaving, 'd')).toMatchObject({ leaving: ['c'], owners: expected });
    expect(next(leaving, 'a', { dead: new Set(['c']) })).toEqual(of('a', 'b'));
    const released = next(leaving, 'c', { isLeaving: true });
    expect(released.owners).toEqual(of('a', 'b').owners);
    expect(mapWithout(released, 'c')).toEqual(of('a', 'b'));
  });

  test('the only member that is leaving leaves its idle slots without an owner', () => {
    const left = next(of('a'), 'a', { isLeaving: true, isBusy: (slot) => slot === 3 });
    expect(left.owners.map((owner, slot) => (owner === undefined ? slot : owner))).toEqual(
      Array.from({ length: SLOTS }, (_, slot) => (slot === 3 ? 'a' : slot)),
    );
    expect(next(left, 'b').owners).toEqual(Array.from({ length: SLOTS }, (_, slot) => (slot === 3 ? 'a' : 'b')));
  });

  test('a member that is leaving and not in the map does not join', () => {
    expect(nextShardMap(of('a'), 'b', { ...idle, isLeaving: true })).toBeUndefined();
  });

  test('the map of shards has no successor when nothing changes', () => {
    expect(nextShardMap(of('a', 'b'), 'a', idle)).toBeUndefined();
  });

  test('a formatted map of shards is parsed again', () => {
    const map = { ...next(of('a', 'b'), 'c'), leaving: ['b'] };
    expect(parseShardMap(formatShardMap(map))).toEqual(map);
  });

  test.each([
    [''],
    ['null'],
    ['{"members":["a"],"leaving":[],"owners":[],"isNew":false}'],
    ['{"members":["a"],"leaving":[],"owners":[1],"isNew":false}'],
    ['{"members":["a","a"],"leaving":[],"owners":[0],"isNew":false}'],
    ['{"members":"a","leaving":[],"owners":[0],"isNew":false}'],
    ['{"members":["a"],"leaving":[],"owners":[0]}'],
    ['{"members":["a"],"owners":[0],"isNew":false}'],
    ['{"members":["a"],"leaving":["b"],"owners":[0],"isNew":false}'],
  ])('the text %j is not a map of shards', (text) => {
    expect(parseShardMap(text)).toBeUndefined();
  });
});
