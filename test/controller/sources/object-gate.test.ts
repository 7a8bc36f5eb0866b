import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Context, CustomResource, Daemon, type DaemonTask, Every, Field, Kind, type Result } from 'kindwright';
import type { ObjectGate } from '../../../src/controller/sources/object-gate.js';
import { TriggeredController } from '../triggers/triggered-controller.js';

class Spec {
  @Field() value!: string;
}

const calls: string[] = [];
let body: () => Promise<Result | void>;

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Part extends CustomResource {
  @Field() spec!: Spec;

  reconcile(): Promise<Result | void> {
    calls.push(`reconcile ${this.metadata.name}`);
    return body();
  }

  @Every('1m')
  minutely(): void {
    calls.push(`minutely ${this.metadata.name}`);
  }

  @Daemon()
  async stay(_ctx: Context, { signal }: DaemonTask): Promise<void> {
    calls.push(`start ${this.metadata.name}`);
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    calls.push(`stop ${this.metadata.name}`);
  }

  override deleted(): void {
    calls.push(`deleted ${this.metadata.name}`);
  }
}

const part = (name: string, resourceVersion: number, value = 'x') => ({
  apiVersion: 'test.kindwright.dev/v1',
  kind: 'Part',
  metadata: {
    name,
    namespace: 'ns',
    uid: `uid-${name}`,
    resourceVersion: String(resourceVersion),
    generation: resourceVersion,
  },
  spec: { value },
});

beforeEach(() => {
  calls.length = 0;
  body = () => Promise.resolve();
});

/** A controller of the objects `a` and `b` behind a gate with the given names. */
async function sharing(...names: string[]) {
  const owned = new Set(names.map((name) => `ns/${name}`));
  const state = { isOpen: true };
  const gate: ObjectGate = {
    get isOpen() {
      return state.isOpen;
    },
    owns: (key) => owned.has(key),
  };
  const shared = new TriggeredController(Part, gate);
  await shared.start(part('a', 1), part('b', 2));
  const settle = () => shared.clock.advance(0);
  const gain = async (name: string) => {
    owned.add(`ns/${name}`);
    shared.controller.gained((key) => key === `ns/${name}`);
    await settle();
  };
  const lose = async (name: string) => {
    owned.delete(`ns/${name}`);
    shared.controller.lost();
    await settle();
  };
  const taken = () => calls.splice(0);
  const close = async () => {
    state.isOpen = false;
    shared.controller.abort(new Error('interrupted'));
    await settle();
  };
  const reopen = async () => {
    state.isOpen = true;
    shared.controller.resumed();
    await settle();
  };
  return { shared, state, gain, lose, close, reopen, settle, taken, server: shared.server, clock: shared.clock };
}

describe('a controller that shares objects', () => {
  test('a controller that shares objects reconciles only its own ones, and runs only their timers and tasks', async () => {
    const { shared, server, clock, settle, taken } = await sharing('a');
    expect(taken().sort()).toEqual(['minutely a', 'reconcile a', 'start a']);
    server.last.send('MODIFIED', part('b', 11, 'y'));
    server.last.send('DELETED', part('b', 12));
    await settle();
    await clock.advance(60_000);
    expect(taken()).toEqual(['minutely a', 'reconcile a']);
    await shared.stop();
  });

  test('a controller reconciles an object that it gains, with the cause initial, and starts its timers and tasks', async () => {
    const { shared, gain, taken } = await sharing('a');
    taken();
    shared.causes.length = 0;
    await gain('b');
    expect(taken().sort()).toEqual(['minutely b', 'reconcile b', 'start b']);
    expect(shared.causes).toEqual([expect.stringContaining('initial')]);
    await shared.stop();
  });

  test('a controller stops the timers and tasks of an object that it loses, and drops its retries', async () => {
    body = () => Promise.resolve({ requeueAfter: 1000 });
    const { shared, clock, lose, taken } = await sharing('a', 'b');
    taken();
    await lose('a');
    expect(taken()).toEqual(['stop a']);
    await clock.advance(60_000);
    expect(taken().filter((call) => call.endsWith(' a'))).toEqual([]);
    expect([...shared.controller.busyKeys]).toEqual(['ns/b']);
    await shared.stop();
  });

  test('an object that a controller loses during a reconcile is busy until that ends, and is not reconciled again', async () => {
    let end: () => void = () => undefined;
    body = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    const { shared, server, lose, settle, taken } = await sharing('a');
    server.last.send('MODIFIED', part('a', 11, 'y'));
    await lose('a');
    expect(shared.controller.busyKeys).toContain('ns/a');
    taken();
    end();
    await settle();
    expect(shared.controller.busyKeys).toEqual([]);
    expect(taken()).toEqual([]);
    await shared.stop();
  });

  test('a controller begins no reconcile while its gate is closed, and continues when it has opened', async () => {
    const { shared, server, state, gain, settle, taken } = await sharing('a');
    taken();
    state.isOpen = false;
    server.last.send('MODIFIED', {
      ...part('a', 1, 'y'),
      metadata: { ...part('a', 1).metadata, resourceVersion: '11' },
    });
    await settle();
    expect(taken()).toEqual([]);
    state.isOpen = true;
    await gain('a');
    expect(taken()).toEqual(['reconcile a']);
    await shared.stop();
  });

  test('a controller stops its tasks in an interruption, then starts them again without a reconcile', async () => {
    const { shared, close, reopen, clock, taken } = await sharing('a', 'b');
    taken();
    await close();
    expect(taken().sort()).toEqual(['stop a', 'stop b']);
    await reopen();
    expect(taken().sort()).toEqual(['start a', 'start b']);
    await clock.advance(60_000);
    expect(
      taken()
        .filter((call) => call.startsWith('minutely'))
        .sort(),
    ).toEqual(['minutely a', 'minutely b']);
    await shared.stop();
  });

  test('an object that changed during an interruption is reconciled, and its task is started, when the interruption ends', async () => {
    const { shared, server, close, reopen, settle, taken } = await sharing('a', 'b');
    await close();
    taken();
    server.last.send('MODIFIED', part('a', 11, 'y'));
    server.last.send('DELETED', part('b', 12));
    await settle();
    expect(taken()).toEqual([]);
    await reopen();
    expect(taken().sort()).toEqual(['deleted b', 'reconcile a', 'start a']);
    await shared.stop();
  });

  test('a deletion is forgotten when the object is lost before `deleted` was called', async () => {
    const { shared, server, close, reopen, lose, gain, settle, taken } = await sharing('a', 'b');
    await close();
    server.last.send('DELETED', part('b', 12));
    await settle();
    await lose('b');
    await reopen();
    server.last.send('ADDED', { ...part('b', 13), metadata: { ...part('b', 13).metadata, uid: 'uid-2' } });
    await settle();
    taken();
    await gain('b');
    expect(taken().sort()).toEqual(['minutely b', 'reconcile b', 'start b']);
    await shared.stop();
  });

  test('a controller that gains many objects at the same time divides them among turns of the event loop', async () => {
    const owned = new Set<string>();
    const shared = new TriggeredController(Part, { isOpen: true, owns: (key) => owned.has(key) });
    const names = Array.from({ length: 500 }, (_, index) => `o${index}`);
    await shared.start(...names.map((name, index) => part(name, index + 1)));
    for (const name of names) owned.add(`ns/${name}`);
    let now = shared.clock.monotonic();
    Object.assign(shared.clock, { monotonic: () => (now += 0.1) });
    let turns = 0;
    shared.controller.gained(() => true);
    for (; calls.length < 3 * names.length; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toBeGreaterThan(5);
    await shared.stop();
  });
});
