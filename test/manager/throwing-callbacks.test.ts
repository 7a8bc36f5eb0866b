import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ConfigMap,
  Controller,
  CustomResource,
  Field,
  Finalizer,
  Informer,
  Kind,
  Manager,
  NotFoundError,
  partOf,
  Watches,
  type Logger,
} from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { silentLogger } from '../../src/base/logger.js';

const namespace = 'default';
const trap = (): never => {
  throw new Error('trap');
};
const TRAPS = Object.fromEntries(
  ['get', 'set', 'has', 'getPrototypeOf', 'ownKeys', 'getOwnPropertyDescriptor', 'defineProperty'].map((name) => [
    name,
    trap,
  ]),
);
const { proxy: revoked, revoke } = Proxy.revocable(new Error('x'), {});
revoke();
const withGetter = (name: string): Error => Object.defineProperty(new Error('x'), name, { get: trap });
class Moody extends Error {
  private reads = 0;
  override get message(): string {
    this.reads += 1;
    return this.reads % 2 === 0 ? trap() : 'odd';
  }
}

const VALUES: readonly (readonly [string, () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a symbol', () => Symbol('s')],
  ['a string', () => 'oops'],
  ['a function', () => trap],
  ['an object whose toString throws', () => ({ toString: trap, [Symbol.toPrimitive]: trap, toJSON: trap })],
  ['an object without a prototype', () => Object.create(null) as object],
  ['a proxy whose traps throw', () => new Proxy(new Error('x'), TRAPS)],
  ['a revoked proxy', () => revoked],
  ['an error whose message throws', () => withGetter('message')],
  ['an error whose message throws every second time', () => new Moody()],
  ['an error whose stack throws', () => withGetter('stack')],
  ['an error whose name throws', () => withGetter('name')],
  ['an error whose cause throws', () => withGetter('cause')],
  ['a frozen error', () => Object.freeze(new Error('x'))],
  ['an error that contains itself', () => Object.assign(new Error('x'), { cause: VALUES })],
];

type Callback =
  | 'predicate'
  | 'predicate of a watch'
  | 'mapper'
  | 'reconcile'
  | 'finalizer'
  | 'deleted'
  | 'logger'
  | 'probe'
  | 'result';

/** The callback that throws, for events and reconciles of objects named `bad`; and how often it did. */
let throwing: Callback | undefined;
let value: unknown;
let thrown = 0;
const reconciled: string[] = [];

function maybeThrow(callback: Callback, name: string): void {
  if (throwing !== callback || !name.startsWith('bad')) return;
  thrown += 1;
  throw value;
}

class TrapSpec {
  @Field() value!: string;
}

/** One worker: a lost slot stops the controller. */
@Kind({ group: 'test.example.com', version: 'v1' })
@Controller({
  baseDelay: 1,
  maxDelay: 5,
  predicate: ({ object }) => {
    maybeThrow('predicate', object.metadata.name);
    return true;
  },
})
@Watches(
  ConfigMap,
  ({ metadata }) => {
    maybeThrow('mapper', metadata.name);
    return [metadata.name];
  },
  {
    predicate: ({ object }) => {
      maybeThrow('predicate of a watch', object.metadata.name);
      return true;
    },
  },
)
class Trap extends CustomResource {
  @Field() spec!: TrapSpec;

  reconcile(): { requeueAfter: number } | undefined {
    const { name } = this.metadata;
    maybeThrow('reconcile', name);
    if (throwing === 'logger' && name.startsWith('bad')) throw new Error('something to log');
    if (throwing === 'result' && name.startsWith('bad')) {
      thrown += 1;
      return Object.defineProperty({ requeueAfter: 1 }, 'requeueAfter', {
        get: () => {
          throw value;
        },
      });
    }
    reconciled.push(`${name} ${this.spec.value}`);
    return undefined;
  }

  @Finalizer('test.example.com/trap')
  clean(): void {
    maybeThrow('finalizer', this.metadata.name);
  }

  override deleted(): void {
    maybeThrow('deleted', this.metadata.name);
  }
}

const log = (_message: string, fields?: object): void => {
  maybeThrow('logger', 'bad');
  JSON.stringify(fields);
};
const logger: Logger = { ...silentLogger, debug: log, info: log, warn: log, error: log, child: () => logger };
const probe = { began: () => maybeThrow('probe', 'bad'), ended: () => maybeThrow('probe', 'bad') };

let cluster: Cluster;
let running: Promise<void>;
const stopping = new AbortController();
const unhandled: unknown[] = [];
const noteUnhandled = (error: unknown): void => void unhandled.push(error);
beforeAll(async () => {
  process.on('unhandledRejection', noteUnhandled);
  cluster = await startCluster();
  await cluster.install(Trap);
  running = new Manager({ client: cluster.client, logger, observer: probe }).add(Trap).run(stopping.signal);
});
afterEach(() => {
  throwing = undefined;
});
afterAll(async () => {
  process.off('unhandledRejection', noteUnhandled);
  stopping.abort(new Error('stopped by the test'));
  await running;
  await cluster.stop();
});

let count = 0;
const touch = (name: string, change: string): Promise<unknown> =>
  cluster.client.patch(Trap, name, { spec: { value: change } }, { namespace });
const isReconciled = (entry: string): Promise<void> =>
  eventually(() => {
    expect(reconciled).toContain(entry);
  });

/** Creates an object and a ConfigMap, changes and deletes them while the callback throws. */
async function provoke(callback: Callback, name: string): Promise<void> {
  await cluster.create(Trap, { metadata: { name, namespace }, spec: { value: 'first' } });
  if (callback === 'finalizer' || callback === 'deleted') {
    await isReconciled(`${name} first`);
    await cluster.client.delete(Trap, name, { namespace });
  } else await touch(name, 'second');
  await cluster.create(ConfigMap, { metadata: { name, namespace } });
  await eventually(() => {
    expect(thrown).toBeGreaterThan(0);
  });
}

const CALLBACKS: readonly Callback[] = [
  ...(['predicate', 'predicate of a watch', 'mapper', 'reconcile', 'finalizer', 'deleted'] as const),
  ...(['logger', 'probe', 'result'] as const),
];

describe.each(CALLBACKS)('a %s that throws', (callback) => {
  test.each(VALUES)('the worker and the key stay usable after a callback throws %s', async (_, valueOf) => {
    count += 1;
    const [bad, good] = [`bad-${String(count)}`, `good-${String(count)}`];
    value = valueOf();
    thrown = 0;
    throwing = callback;
    await provoke(callback, bad);
    await cluster.create(Trap, { metadata: { name: good, namespace }, spec: { value: 'x' } });
    await isReconciled(`${good} x`);
    throwing = undefined;
    if (callback === 'finalizer')
      await eventually(() =>
        expect(cluster.client.get(Trap, bad, { namespace })).rejects.toBeInstanceOf(NotFoundError),
      );
    else if (callback === 'deleted')
      await cluster.create(Trap, { metadata: { name: bad, namespace }, spec: { value: 'last' } });
    else await touch(bad, 'last');
    if (callback !== 'finalizer') await isReconciled(`${bad} last`);
    expect(unhandled).toEqual([]);
  });
});

test('informers list and watch again after a transform throws any of these values', async () => {
  const { metadata } = await cluster.create(ConfigMap, { metadata: { name: 'transformed', namespace } });
  let round = 0;
  const informers = VALUES.map(([, valueOf]) => {
    let thrownIn = -1;
    const transform = (object: ConfigMap): ConfigMap => {
      if (object.metadata.uid === metadata.uid && thrownIn < round) {
        thrownIn = round;
        throw valueOf();
      }
      return object;
    };
    return new Informer(cluster.client, partOf(ConfigMap, { transform }), { namespace });
  });
  for (const informer of informers) informer.start();
  await Promise.all(informers.map((informer) => informer.synced()));
  round = 1;
  await cluster.client.patch(ConfigMap, 'transformed', { data: { round: '1' } }, { namespace });
  await eventually(
    () => {
      const rounds = informers.map(({ lister }) => lister.get('transformed', namespace)?.data?.['round']);
      expect(rounds).toEqual(VALUES.map(() => '1'));
    },
    { timeout: '15s' },
  );
  await Promise.all(informers.map((informer) => informer.stop()));
  expect(unhandled).toEqual([]);
});
