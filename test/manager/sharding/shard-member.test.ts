import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { slotOf } from '../../../src/manager/sharding/rendezvous.js';
import { MemoryLeases } from './memory-leases.js';
import { GROUP, Replica, type Network } from './replica.js';
import { seedMap } from './seed-map.js';

const KEYS = Array.from({ length: 40 }, (_, index) => `default/object-${index}`);

async function group(...names: string[]) {
  const time = new FakeClock();
  const server = new MemoryLeases();
  await seedMap(server, 16);
  const state = { isDown: false };
  const network: Network = { time, server, random: () => 0.5, isDown: () => state.isDown, latencyMs: 0, lostPart: 0 };
  const replicas: Replica[] = [];
  const start = async (name: string): Promise<Replica> => {
    const replica = new Replica(name, network);
    replicas.push(replica);
    void replica.run();
    await time.advance(3000);
    return replica;
  };
  for (const name of names) await start(name);
  const owners = (): (Replica | undefined)[] =>
    KEYS.map((key) => replicas.find(({ member, isDead }) => !isDead && member.isOpen && member.owns(key)));
  return { time, server, state, replicas, start, owners };
}

describe('a member of a group', () => {
  test('objects of a crashed replica have new owners within 3.7 s, and only they move', async () => {
    const { time, replicas, owners } = await group('a', 'b', 'c');
    const before = owners();
    const [, , crashed] = replicas;
    crashed!.kill();
    await time.advance(2000);
    expect(KEYS.filter((_, index) => owners()[index] === undefined)).toHaveLength(
      before.filter((owner) => owner === crashed).length,
    );
    await time.advance(1700);
    for (const [index, owner] of owners().entries()) {
      expect(owner).toBeDefined();
      if (before[index] !== crashed) expect(owner).toBe(before[index]);
    }
  });

  test('each replica knows its slots, and those of the others', async () => {
    const { state, time, replicas } = await group('a', 'b');
    const [first, second] = replicas;
    const own = replicas.map(({ member }) => member.state.ownSlots);
    expect(own.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, slot) => slot));
    expect(KEYS.filter((key) => own[0]!.includes(slotOf(key, 16)))).toEqual(
      KEYS.filter((key) => first!.member.owns(key)),
    );
    const members = ['a-1', 'b-1'].map((name, index) => ({ name, slotCount: own[index]!.length, isLeaving: false }));
    expect(second!.member.state).toMatchObject({ self: 'b-1', slotCount: 16, members });
    state.isDown = true;
    await time.advance(2500);
    expect(second!.member.state).toMatchObject({ ownSlots: [], members });
  });

  test('objects move to a new replica within 1.3 s, except those that are being reconciled', async () => {
    const { time, replicas, start, owners } = await group('a');
    const [first] = replicas;
    for (const key of KEYS.slice(0, 20)) first!.tryReconcile(key, 8000);
    const second = await start('b');
    const moved = (): string[] => KEYS.filter((_, index) => owners()[index] === second);
    const wanted = KEYS.filter((key) => !first!.member.owns(key));
    expect(moved().length).toBeLessThan(wanted.length);
    for (const key of KEYS.slice(0, 20)) expect(second.member.owns(key)).toBe(false);
    for (const key of KEYS.slice(0, 20)) expect(first!.mayWrite(key)).toBe(true);
    await time.advance(8000);
    expect(moved()).toEqual(wanted);
  });

  test('a clean stop moves the objects at the next read of the others, and deletes the Lease', async () => {
    const { time, server, replicas, owners } = await group('a', 'b');
    replicas[0]!.stop();
    await time.advance(700);
    expect(new Set(owners())).toEqual(new Set([replicas[1]]));
    expect([...server.byName.keys()]).toEqual([GROUP, 'b-1']);
  });

  test('a stop with a slow reconcile moves all other objects at the next read, and that one when the reconcile ends', async () => {
    const { time, server, replicas, owners } = await group('a', 'b');
    const [first, second] = replicas;
    const slow = KEYS.find((key) => first!.member.owns(key))!;
    first!.tryReconcile(slow, 20_000);
    first!.stop();
    expect(KEYS.filter((key) => first!.member.owns(key))).toEqual([]);
    await time.advance(700);
    const waiting = KEYS.filter((_, index) => owners()[index] === undefined);
    expect(waiting).toContain(slow);
    expect(new Set(waiting.map((key) => slotOf(key, 16))).size).toBe(1);
    expect(first!.mayWrite(slow)).toBe(true);
    await time.advance(18_000);
    expect(first!.works(slow)).toBe(true);
    expect(second!.member.owns(slow)).toBe(false);
    await time.advance(2000);
    expect(new Set(owners())).toEqual(new Set([second]));
    expect(first!.mayWrite(slow)).toBe(false);
    expect([...server.byName.keys()]).toEqual([GROUP, 'b-1']);
  });

  test('a replica that crashes while it stops loses the rest of its objects as any other', async () => {
    const { time, server, replicas, owners } = await group('a', 'b');
    const [first, second] = replicas;
    const slow = KEYS.find((key) => first!.member.owns(key))!;
    first!.tryReconcile(slow, 60_000);
    first!.stop();
    await time.advance(700);
    first!.kill();
    await time.advance(4300);
    expect(new Set(owners())).toEqual(new Set([second]));
    expect([...server.byName.keys()]).toEqual([GROUP, 'b-1']);
  });

  test('a replica that joins gets no objects of one that stops back to it, and those that the last one has released', async () => {
    const { time, replicas, start, owners } = await group('a');
    const [first] = replicas;
    const slow = KEYS.find((key) => first!.member.owns(key))!;
    first!.tryReconcile(slow, 10_000);
    first!.stop();
    const second = await start('b');
    expect(KEYS.filter((key) => first!.member.owns(key))).toEqual([]);
    expect(owners().filter((owner) => owner === second).length).toBeGreaterThan(KEYS.length / 2);
    expect(second.member.owns(slow)).toBe(false);
    await time.advance(10_000);
    expect(new Set(owners())).toEqual(new Set([second]));
  });

  test('a replica that is taken over while it stops does not join again', async () => {
    const { time, server, replicas } = await group('a', 'b');
    const [first] = replicas;
    const slow = KEYS.find((key) => first!.member.owns(key))!;
    first!.tryReconcile(slow, 60_000);
    first!.stop();
    first!.clock.block(20_000);
    await time.advance(25_000);
    expect([...server.byName.keys()]).toEqual([GROUP, 'b-1']);
    expect(first!.mayWrite(slow)).toBe(false);
  });

  test('after an outage that is shorter than the lease, every replica continues with its objects', async () => {
    const { time, state, owners } = await group('a', 'b');
    const before = owners();
    state.isDown = true;
    await time.advance(2500);
    expect(new Set(owners())).toEqual(new Set([undefined]));
    state.isDown = false;
    await time.advance(700);
    expect(owners()).toEqual(before);
  });

  test('an interruption during which nothing has moved resumes the work, and no object is gained again', async () => {
    const { time, state, replicas } = await group('a', 'b');
    const [first] = replicas;
    const key = KEYS.find((each) => first!.member.owns(each))!;
    first!.tryReconcile(key, 60_000);
    const gains = replicas.map((replica) => replica.gains.length);
    for (let round = 1; round <= 3; round++) {
      state.isDown = true;
      await time.advance(2500);
      expect(first!.running.size).toBe(0);
      expect(first!.mayWrite(key)).toBe(false);
      expect(first!.member.slotCount).toBe(0);
      // Events of its objects are kept for the end of the interruption.
      expect(first!.member.owns(key)).toBe(true);
      expect(replicas.map(({ resumes }) => resumes)).toEqual([round - 1, round - 1]);
      state.isDown = false;
      await time.advance(700);
      expect(first!.mayWrite(key)).toBe(true);
      expect(replicas.map(({ resumes }) => resumes)).toEqual([round, round]);
    }
    expect(replicas.map((replica) => replica.gains.length)).toEqual(gains);
  });

  test('after an interruption during which a replica has joined, no object that stays is gained again', async () => {
    const { time, server, replicas, owners } = await group('a', 'b');
    const [first] = replicas;
    first!.clock.block(2500);
    const gains = first!.gains.length;
    const third = new Replica('c', { time, server, random: () => 0.5, isDown: () => false, latencyMs: 0, lostPart: 0 });
    void third.run();
    await time.advance(6000);
    expect(first!.resumes).toBe(1);
    expect(first!.gains).toHaveLength(gains);
    expect(third.member.slotCount).toBeGreaterThan(0);
    replicas.push(third);
    expect(owners()).not.toContain(undefined);
  });

  test('after an outage that is longer than the lease, no replica takes the objects of another', async () => {
    const { time, server, state, owners } = await group('a', 'b');
    const before = owners();
    state.isDown = true;
    await time.advance(60_000);
    state.isDown = false;
    await time.advance(5000);
    expect(owners()).toEqual(before);
    expect([...server.byName.keys()]).toEqual([GROUP, 'a-1', 'b-1']);
  });

  test('a replica that was stopped for longer than the lease aborts its reconciles and joins as a new member', async () => {
    const { time, server, replicas, owners } = await group('a', 'b');
    const [first] = replicas;
    const key = KEYS.find((each) => first!.member.owns(each))!;
    first!.tryReconcile(key, 60_000);
    first!.clock.block(20_000);
    await time.advance(19_000);
    expect(first!.mayWrite(key)).toBe(false);
    expect(replicas[1]!.member.owns(key)).toBe(true);
    await time.advance(5000);
    expect(first!.running.size).toBe(0);
    expect([...server.byName.keys()].sort()).toEqual(['a-2', 'b-1', GROUP]);
    expect(new Set(owners())).toEqual(new Set(replicas));
  });

  test('when the Lease with the map is deleted, nothing is written for 3 s, and the work continues', async () => {
    const { time, server, owners } = await group('a', 'b');
    server.byName.delete(GROUP);
    await time.advance(2000);
    expect(new Set(owners())).toEqual(new Set([undefined]));
    await time.advance(3000);
    expect(owners()).not.toContain(undefined);
  });

  test('a replica whose Lease is deleted joins again', async () => {
    const { time, server, owners } = await group('a', 'b');
    server.byName.delete('a-1');
    await time.advance(6000);
    expect(owners()).not.toContain(undefined);
    expect([...server.byName.keys()].sort()).toEqual(['a-2', 'b-1', GROUP]);
  });
});
