import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { explore, type Model } from '../explore.js';
import { assertSame, Follower, type Step } from './follower.js';

const name = fc.constantFrom('a', 'b', 'c');
const plain = ['idle', 'bookmark', 'observe', 'ask for a list', 'read the list', 'answer the list'] as const;
const steps: fc.Arbitrary<Step>[] = [
  fc.record({ do: fc.constantFrom('write', 'write and delay the answer', 'delete', 'delete and observe'), name }),
  fc.record({ do: fc.constantFrom('deliver', 'replay'), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constantFrom(...plain) }),
];
const restore: fc.Arbitrary<Step> = fc.record({ do: fc.constant('restore'), count: fc.integer({ min: 1, max: 5 }) });

describe('VersionedStore against a model of the server', () => {
  test.each([
    ['whatever the order of writes, events, replays and lists', steps],
    ['even when etcd is restored in between', [...steps, restore]],
  ])('the store ends with the objects of the server, by events that replay to them, %s', (_, possible) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...possible), { maxLength: 60 }), (chosen) => {
        const follower = new Follower();
        for (const step of chosen) follower.run(step);
        follower.settle();
        expect(new Map(follower.store.entries())).toEqual(follower.server.objects);
      }),
      { numRuns: 1000 },
    );
  });
});

const PLAIN = Object.fromEntries(plain.map((step) => [step, true]));
const WRITES = 4;
const NAMES = ['a', 'b'];

/** All orders in which a few writes, their answers and events, and one list can reach a store. */
class Interleaving implements Model {
  private readonly follower = new Follower();
  private writes = 0;
  private lists = 0;

  actions(): readonly string[] {
    const actions: string[] = [];
    if (this.writes < WRITES) {
      for (const name of NAMES.slice(0, this.follower.server.names.size + 1)) {
        actions.push(`write ${name}`, `write and delay the answer ${name}`);
        if (this.follower.server.objects.has(`ns/${name}`))
          actions.push(`delete ${name}`, `delete and observe ${name}`);
      }
    }
    return [...actions, ...this.follower.pending(this.lists < 1)];
  }

  run(action: string): void {
    if (action === 'deliver') this.follower.run({ do: action, count: 1 });
    else if (action in PLAIN) {
      if (action === 'ask for a list') this.lists++;
      this.follower.run({ do: action as (typeof plain)[number] });
    } else {
      this.writes++;
      const [, what, name = ''] = /^(.*) (\w)$/.exec(action) ?? [];
      this.follower.run({ do: what as 'write', name });
    }
  }

  assertEnd(): void {
    assertSame(new Map(this.follower.store.entries()), this.follower.server.objects);
  }

  state(): string {
    return `${this.writes} ${this.lists} ${this.follower.state()}`;
  }
}

test('VersionedStore ends with the objects of the server in every interleaving of four writes and a list', async () => {
  const { states, ends } = await explore(() => new Interleaving());
  expect(states).toBeGreaterThan(10_000);
  expect(ends).toBeGreaterThan(0);
}, 300_000);
