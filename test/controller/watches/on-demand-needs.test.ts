import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { kindByName, type KindRef, type KubeObject } from '../../../src/index.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { InformerFactory } from '../../../src/cache/informer-factory.js';
import type { ListWatcher } from '../../../src/cache/list-watcher.js';
import { ReconcileRequest } from '../../../src/controller/run/reconcile-request.js';
import type { TargetNames } from '../../../src/controller/watches/on-demand-watch.js';
import { OnDemandWatches } from '../../../src/controller/watches/on-demand-watches.js';
import { refused } from '../../cache/reflector-setup.js';
import { refusal, ScriptedClient } from '../../cache/scripted-client.js';

const Apple = kindByName({ group: 'test.example.com', version: 'v1', kind: 'Apple' });
const Pear = kindByName({ group: 'test.example.com', version: 'v1', kind: 'Pear' });

type Send = (object: KubeObject) => void;

/** A server without objects, which sends the events that the test gives it to the watches that are open. */
class EmptyServer implements ListWatcher {
  readonly watches = new Map<string, Send>();
  private version = 10;

  readonly list = () => Promise.resolve({ items: [], resourceVersion: '10' });
  readonly currentVersion = () => Promise.resolve('10');

  readonly streamWatch: ListWatcher['streamWatch'] = (kind, { signal }, onEvent) => {
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    onEvent('BOOKMARK', { metadata: { name: '', resourceVersion: '10', annotations } });
    const send: Send = (object) => {
      onEvent('ADDED', object);
    };
    this.watches.set(kind.kind, send);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        if (this.watches.get(kind.kind) === send) this.watches.delete(kind.kind);
        reject(signal.reason as Error);
      });
    });
  };

  change(kind: KindRef, name: string): void {
    this.version += 1;
    const metadata = { name, namespace: 'ns', uid: name, resourceVersion: String(this.version) };
    this.watches.get(kind.kind)?.({ apiVersion: 'test.example.com/v1', kind: kind.kind, metadata });
  }
}

function watchesOver(server: ListWatcher, owns: (key: string) => boolean = () => true) {
  const clock = new FakeClock();
  const factory = new InformerFactory(server, { clock });
  factory.start();
  const enqueued: string[] = [];
  const watches = new OnDemandWatches({
    informers: factory.scope(),
    enqueue: (key) => void enqueued.push(key),
    logger: silentLogger,
    className: 'Basket',
    onDelete: () => undefined,
    owns,
    onChange: () => undefined,
    hintFor: () => undefined,
  });
  const declare = (key: string, kind: KindRef, names: TargetNames) =>
    watches.declare(new ReconcileRequest(key, silentLogger), kind, names);
  return { clock, watches, declare, enqueued };
}

const KEYS = ['ns/a', 'ns/b', 'ns/c'];
const key = fc.constantFrom(...KEYS);
const kinds = fc.constantFrom(Apple, Pear);
const step = fc.oneof(
  fc.record({
    do: fc.constant('declare' as const),
    key,
    kind: kinds,
    name: fc.constantFrom('x', 'y', undefined),
  }),
  fc.record({ do: fc.constantFrom('succeed' as const, 'fail' as const, 'drop' as const), key }),
  fc.record({ do: fc.constant('retain' as const), kept: fc.uniqueArray(key) }),
);

/** The needs of one object, as `<kind> <name>`. */
class ExpectedNeeds {
  held = new Set<string>();
  private confirmed = new Set<string>();
  private readonly declared = new Set<string>();

  declare(need: string): void {
    this.held.add(need);
    this.declared.add(need);
  }

  settle(isSuccess: boolean): void {
    if (isSuccess) this.confirmed = new Set(this.declared);
    this.held = this.confirmed.union(this.declared);
    this.declared.clear();
  }
}

test('after any declarations and ends of reconciles, exactly the needed kinds are watched and their events are passed on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const server = new EmptyServer();
      const { clock, watches, declare, enqueued } = watchesOver(server);
      const expected = new Map(KEYS.map((each) => [each, new ExpectedNeeds()]));
      const drop = (each: string): void => void expected.set(each, new ExpectedNeeds());
      for (const each of steps) {
        if (each.do === 'declare') {
          const served = declare(each.key, each.kind, { name: each.name, namespace: 'ns' });
          await clock.advance(0);
          expect(await served).toBe(true);
          expected.get(each.key)!.declare(`${each.kind.kind} ${each.name ?? '*'}`);
        } else if (each.do === 'retain') {
          watches.retain((known) => each.kept.includes(known));
          for (const known of KEYS) if (!each.kept.includes(known)) drop(known);
        } else if (each.do === 'drop') {
          watches.drop(each.key);
          drop(each.key);
        } else {
          watches.settle(each.key, each.do === 'succeed');
          expected.get(each.key)!.settle(each.do === 'succeed');
        }
        await clock.advance(0);
        const needs = [...expected].flatMap(([owner, { held }]) => [...held].map((need) => ({ owner, need })));
        const watched = new Set(needs.map(({ need }) => need.split(' ')[0]!));
        expect([...server.watches.keys()].toSorted()).toEqual([...watched].toSorted());
        for (const kind of [Apple, Pear]) {
          enqueued.length = 0;
          server.change(kind, 'x');
          await clock.advance(0);
          const passed = needs.filter(({ need }) => [`${kind.kind} x`, `${kind.kind} *`].includes(need));
          expect(enqueued.toSorted()).toEqual([...new Set(passed.map(({ owner }) => owner))].toSorted());
        }
      }
      watches.close();
      await clock.advance(0);
      expect(server.watches.size).toBe(0);
      await expect(declare('ns/a', Apple, { namespace: 'ns' })).rejects.toMatchObject({ code: 'E_STOPPED' });
    }),
  );
});

test('an object that still needs one of two names waits for the kind to be served', async () => {
  const server = new ScriptedClient();
  const { clock, watches, declare, enqueued } = watchesOver(server);
  const declared = [
    declare('ns/a', Apple, { name: 'x', namespace: 'ns' }),
    declare('ns/a', Apple, { name: 'y', namespace: 'ns' }),
  ];
  await clock.advance(0);
  server.last.fail(refusal(404, 'NotFound'));
  await clock.advance(0);
  expect(await Promise.all(declared)).toEqual([false, false]);
  watches.settle('ns/a', true);
  expect(await declare('ns/a', Apple, { name: 'y', namespace: 'ns' })).toBe(false);
  watches.settle('ns/a', true);
  await clock.advance(2000);
  expect(enqueued).toEqual([]);
  server.last.initial(10);
  await clock.advance(0);
  expect(enqueued).toEqual(['ns/a']);
});

test('what an object needs is dropped when its reconcile ends after the object moved to another replica', async () => {
  const server = new EmptyServer();
  let isOwned = true;
  const { clock, watches, declare } = watchesOver(server, () => isOwned);
  void declare('ns/a', Apple, { namespace: 'ns' });
  await clock.advance(0);
  isOwned = false;
  watches.settle('ns/a', true);
  await clock.advance(0);
  expect(server.watches.size).toBe(0);
});

test('a kind that is no longer served is unserved until it is listed, also after other errors', async () => {
  const server = new ScriptedClient();
  const { clock, watches, declare, enqueued } = watchesOver(server);
  const inReconcile = async (): Promise<boolean> => {
    const isServed = await declare('ns/a', Apple, { namespace: 'ns' });
    watches.settle('ns/a', true);
    return isServed;
  };
  const first = inReconcile();
  await clock.advance(0);
  server.last.initial(10);
  expect(await first).toBe(true);
  server.last.fail(refusal(404, 'NotFound'));
  await clock.advance(2000);
  expect(enqueued).toEqual(['ns/a']);
  expect(await inReconcile()).toBe(false);
  server.last.fail(refused);
  await clock.advance(10_000);
  expect(await inReconcile()).toBe(false);
  server.last.initial(20);
  await clock.advance(0);
  expect(enqueued).toEqual(['ns/a', 'ns/a']);
  expect(await inReconcile()).toBe(true);
});
