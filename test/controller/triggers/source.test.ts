import { beforeEach, expect, test } from '@jest/globals';
import { CustomResource, Field, Kind, Source, type SourceContext } from 'kindwright';
import { TriggeredController } from './triggered-controller.js';

class Spec {
  @Field() value!: string;
}

const calls: string[] = [];
let feed: (context: SourceContext) => AsyncGenerator<string>;
let poll: () => string[];

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Ticket extends CustomResource {
  @Field() spec!: Spec;

  @Source()
  static async *follow(context: SourceContext): AsyncGenerator<string> {
    calls.push('follow');
    yield* feed(context);
  }

  @Source({ every: '10s' })
  static changed(): string[] {
    calls.push('poll');
    return poll();
  }

  reconcile(): void {
    calls.push(`reconcile ${this.metadata.name}`);
  }
}

const ticket = (name: string, resourceVersion: number) => ({
  apiVersion: 'test.kindwright.dev/v1',
  kind: 'Ticket',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(resourceVersion) },
  spec: { value: 'x' },
});

async function* nothing({ signal }: SourceContext): AsyncGenerator<string> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

beforeEach(() => {
  calls.length = 0;
  feed = nothing;
  poll = () => [];
});

const following = () => calls.filter((call) => call === 'follow').length;
const reconciles = () => calls.filter((call) => call.startsWith('reconcile'));

test('an async iterable reconciles the objects that it names, and ignores those that do not exist', async () => {
  let send: (key: string) => void = () => undefined;
  feed = async function* () {
    for (;;) yield await new Promise<string>((resolve) => (send = resolve));
  };
  const world = new TriggeredController(Ticket);
  await world.start(ticket('a', 1), ticket('b', 2));
  calls.length = 0;
  send('ns/b');
  await world.clock.advance(0);
  send('ns/missing');
  await world.clock.advance(0);
  expect(reconciles()).toEqual(['reconcile b']);
  expect(world.causes.at(-1)).toBe('@Source follow');
  const stopped = world.stop();
  send('ns/a');
  await stopped;
  expect(reconciles()).toEqual(['reconcile b']);
});

test('an async iterable that throws is started again with back-off, and the error is logged', async () => {
  feed = async function* () {
    throw new Error('connection refused');
  };
  const world = new TriggeredController(Ticket);
  await world.start(ticket('a', 1));
  expect(following()).toBe(1);
  await world.clock.advance(999);
  expect(following()).toBe(1);
  await world.clock.advance(300);
  expect(following()).toBe(2);
  await world.clock.advance(600_000);
  expect(following()).toBeGreaterThan(10);
  expect(following()).toBeLessThan(25);
  expect(world.logger.messages('error')[0]).toBe('@Source follow failed and is retried');
  await world.stop();
});

test('an async iterable that ends is started again', async () => {
  feed = async function* () {
    yield 'ns/a';
  };
  const world = new TriggeredController(Ticket);
  await world.start(ticket('a', 1));
  await world.clock.advance(1300);
  expect(following()).toBe(2);
  await world.stop();
});

test('an async iterable that returns an invalid key is closed before it is started again', async () => {
  feed = async function* () {
    try {
      yield '';
    } finally {
      calls.push('closed');
    }
  };
  const world = new TriggeredController(Ticket);
  await world.start(ticket('a', 1));
  await world.clock.advance(1300);
  expect(calls.filter((call) => call === 'follow' || call === 'closed')).toEqual([
    'follow',
    'closed',
    'follow',
    'closed',
  ]);
  await world.stop();
});

test('a poll is called at its interval, and reconciles the objects that it returns', async () => {
  poll = () => ['ns/a'];
  const world = new TriggeredController(Ticket);
  await world.start(ticket('a', 1));
  await world.clock.advance(30_000);
  expect(calls.filter((call) => call === 'poll')).toHaveLength(4);
  expect(world.causes.filter((cause) => cause.includes('@Source changed')).length).toBeGreaterThanOrEqual(3);
  await world.stop();
});

test('a poll that throws is called again after at least its interval', async () => {
  poll = () => {
    throw new Error('HTTP 503');
  };
  const world = new TriggeredController(Ticket);
  await world.start(ticket('a', 1));
  await world.clock.advance(9_999);
  expect(calls.filter((call) => call === 'poll')).toHaveLength(1);
  await world.clock.advance(1);
  expect(calls.filter((call) => call === 'poll')).toHaveLength(2);
  await world.stop();
});

test('a name without a namespace is an error with a hint', async () => {
  poll = () => ['a'];
  const world = new TriggeredController(Ticket);
  await world.start(ticket('a', 1));
  const [line] = world.logger.lines.filter(({ level }) => level === 'error');
  expect((line?.fields['err'] as Error).message).toBe('@Source changed of Ticket returned "a" without a namespace');
  await world.stop();
});

test.each<[string, unknown, string]>([
  ['a single key', 'ns/a', "@Source changed returned 'ns/a', which is not a list of keys"],
  ['nothing', undefined, '@Source changed returned undefined, which is not a list of keys'],
  ['an empty name', [''], "@Source changed of Ticket returned '', which is not a key"],
  ['a hole', [null], '@Source changed of Ticket returned null, which is not a key'],
  ['a number', [5], '@Source changed of Ticket returned 5, which is not a key'],
  ['an object without a name', [{ namespace: 'ns' }], "returned { namespace: 'ns' }, which is not a key"],
])('a poll that returns %s is an error that shows the value', async (_, returned, message) => {
  poll = () => returned as string[];
  const world = new TriggeredController(Ticket);
  await world.start(ticket('a', 1));
  const [line] = world.logger.lines.filter(({ level }) => level === 'error');
  expect((line?.fields['err'] as Error).message).toContain(message);
  await world.stop();
});

test('sources end when the controller stops', async () => {
  const world = new TriggeredController(Ticket);
  await world.start(ticket('a', 1));
  await world.stop();
  calls.length = 0;
  await world.clock.advance(3_600_000);
  expect(calls).toEqual([]);
  expect(world.clock.pending).toBe(0);
});
