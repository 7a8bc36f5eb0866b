import { expect, test } from '@jest/globals';
import type { ObjectEvent } from '../../../src/api/events/object-event.js';
import type { Informer } from '../../../src/cache/informer.js';
import { enqueueObject } from '../../../src/controller/sources/event-handler.js';
import { startSource, type Source } from '../../../src/controller/sources/source.js';
import type { AddOptions } from '../../../src/queue/queue.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

type Listener = (event: ObjectEvent) => Iterable<unknown> | undefined;

function startWith(parts: Partial<Source>) {
  const handlers: Listener[] = [];
  const informer = { addEventHandler: (handler: Listener) => handlers.push(handler) };
  const keys: string[] = [];
  const added: AddOptions[] = [];
  const logger = new RecordingLogger();
  const source = {
    name: '@Watches(Pod)',
    className: 'PodSet',
    predicate: () => true,
    handler: enqueueObject,
    ...parts,
  };
  const enqueue = (key: string, options: AddOptions) => {
    keys.push(key);
    added.push(options);
  };
  startSource({ ...source, informers: [informer as unknown as Informer] }, enqueue, logger);
  const send = (event: ObjectEvent) => Array.from(handlers[0]?.(event) ?? []);
  const add = (name: string) => send({ type: 'add', isInitial: false, object: { metadata: { name } } });
  return { keys, added, logger, add, send };
}

test('an event that the predicate passes reaches the handler', () => {
  const { keys, add } = startWith({ predicate: ({ object }) => object.metadata.name !== 'b' });
  for (const name of ['a', 'b', 'c']) add(name);
  expect(keys).toEqual(['a', 'c']);
});

test.each(['predicate', 'handler'] as const)(
  'a %s that throws loses that event only, and is named in the log',
  (part) => {
    const broken = ({ object }: ObjectEvent) => {
      if (object.metadata.name === 'bad') throw new Error('broken');
      return true;
    };
    const handler: Source['handler'] = (event, enqueue, options) => {
      broken(event);
      return enqueueObject(event, enqueue, options);
    };
    const { keys, logger, add } = startWith(part === 'predicate' ? { predicate: broken } : { handler });
    for (const name of ['bad', 'good']) add(name);
    expect(keys).toEqual(['good']);
    expect(logger.lines).toMatchObject([
      { level: 'error', message: '@Watches(Pod) of PodSet failed on an event', fields: { object: { name: 'bad' } } },
    ]);
  },
);

test('an error in a later step of a handler ends that event only, and is logged', () => {
  const handler: Source['handler'] = function* (event, enqueue, options) {
    enqueueObject(event, enqueue, options);
    yield;
    if (event.object.metadata.name === 'bad') throw new Error('broken');
  };
  const { keys, logger, add } = startWith({ handler });
  for (const name of ['bad', 'good']) add(name);
  expect(keys).toEqual(['bad', 'good']);
  expect(logger.lines).toMatchObject([{ level: 'error', fields: { object: { name: 'bad' } } }]);
});

const version = (resourceVersion: string) => ({ metadata: { name: 'a', resourceVersion } });

test.each<[string, 'normal' | 'low', ObjectEvent]>([
  ['an object of the initial list', 'low', { type: 'add', object: version('1'), isInitial: true }],
  ['an update to the same resource version', 'low', { type: 'update', old: version('1'), object: version('1') }],
  ['a created object', 'normal', { type: 'add', object: version('1'), isInitial: false }],
  ['a changed object', 'normal', { type: 'update', old: version('1'), object: version('2') }],
  ['a deleted object', 'normal', { type: 'delete', object: version('1') }],
])('%s is enqueued with its cause and %s priority', (_, priority, event) => {
  const { added, send } = startWith({});
  send(event);
  const isInitial = event.type === 'add' && event.isInitial;
  expect(added).toMatchObject([
    { priority, cause: { type: isInitial ? 'initial' : 'event', source: '@Watches(Pod)' } },
  ]);
});
