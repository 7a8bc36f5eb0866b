import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { memberOfSlots, slotOf } from '../../../src/manager/sharding/rendezvous.js';

const SLOTS = 1024;
const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/), { minLength: 1, maxLength: 8 });

test('a member that is added takes slots, and no slot moves between the others', () => {
  fc.assert(
    fc.property(names, fc.nat(), (members, index) => {
      const added = members[index % members.length]!;
      const others = members.filter((member) => member !== added);
      const before = memberOfSlots(others, 64);
      const after = memberOfSlots(members, 64);
      for (const [slot, member] of after.entries()) if (member !== added) expect(member).toBe(before[slot]);
    }),
  );
});

test('the slots of a member do not depend on the order of the members', () => {
  fc.assert(
    fc.property(names, (members) => {
      expect(memberOfSlots([...members].reverse(), 64)).toEqual(memberOfSlots(members, 64));
    }),
    { numRuns: 30 },
  );
});

test('slots have no member while there are no members', () => {
  expect(memberOfSlots([], 2)).toEqual([undefined, undefined]);
});

test('100,000 objects with numbered names are spread over three replicas by at most 10 % more than a third', () => {
  const members = ['podset-7d4b9c-abcde-1', 'podset-7d4b9c-abcde-2', 'podset-7d4b9c-abcde-3'];
  const owners = memberOfSlots(members, SLOTS);
  const counts = new Map<string | undefined, number>();
  for (let index = 0; index < 100_000; index++) {
    const owner = owners[slotOf(`default/object-${index}`, SLOTS)];
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual(members);
  expect(Math.max(...counts.values())).toBeLessThan((100_000 / 3) * 1.1);
});
