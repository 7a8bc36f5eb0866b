import { expect, test } from '@jest/globals';
import type { ObjectEvent } from '../../src/api/object-event.js';
import type { Informer } from '../../src/cache/informer.js';
import { enqueueObject } from '../../src/controller/event-handler.js';
import { startSource, type Source } from '../../src/controller/source.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

function startWith(parts: Partial<Source>) {
  const handlers: ((event: ObjectEvent) => void)[] = [];
  const informer = { addEventHandler: (handler: (event: ObjectEvent) => void) => handlers.push(handler) };
  const keys: string[] = [];
  const logger = new RecordingLogger();
  const source = {
    name: '@Watches(Pod)',
    className: 'PodSet',
    predicate: () => true,
    handler: enqueueObject,
    ...parts,
  };
  startSource({ ...source, informers: [informer as unknown as Informer] }, (key) => keys.push(key), logger);
  const add = (name: string) => handlers[0]?.({ type: 'add', isInitial: false, object: { metadata: { name } } });
  return { keys, logger, add };
}

test('an event that the predicate passes reaches the handler', () => {
  const { keys, add } = startWith({ predicate: ({ object }) => object.metadata.name !== 'b' });
  for (const name of ['a', 'b', 'c']) add(name);
  expect(keys).toEqual(['a', 'c']);
});

test.each(['predicate', 'handler'] as const)(
  'a %s that throws costs that event only, and is named in the log',
  (part) => {
    const broken = ({ object }: ObjectEvent) => {
      if (object.metadata.name === 'bad') throw new Error('broken');
      return true;
    };
    const handler: Source['handler'] = (event, enqueue, cause) => {
      broken(event);
      enqueueObject(event, enqueue, cause);
    };
    const { keys, logger, add } = startWith(part === 'predicate' ? { predicate: broken } : { handler });
    for (const name of ['bad', 'good']) add(name);
    expect(keys).toEqual(['good']);
    expect(logger.lines).toMatchObject([
      { level: 'error', message: '@Watches(Pod) of PodSet failed on an event', fields: { object: { name: 'bad' } } },
    ]);
  },
);
