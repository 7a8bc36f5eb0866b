import { describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../src/api/kube-object.js';
import type { ObjectEvent } from '../../src/api/object-event.js';
import { silentLogger } from '../../src/base/logger.js';
import { EventDispatcher } from '../../src/cache/event-dispatcher.js';
import { describeEvent, widget } from './objects.js';

const add = (name: string): ObjectEvent => ({ type: 'add', object: widget(name, 1), isInitial: false });

function setup() {
  const error = jest.fn();
  const dispatcher = new EventDispatcher({ ...silentLogger, error });
  const seen: string[] = [];
  const record = (prefix: string) => (event: ObjectEvent) => seen.push(`${prefix} ${describeEvent(event)}`);
  return { dispatcher, seen, record, error };
}

describe('EventDispatcher', () => {
  test('gives each event to every handler, in the order in which they were added', () => {
    const { dispatcher, seen, record } = setup();
    dispatcher.add(record('1'), []);
    dispatcher.add(record('2'), []);
    dispatcher.dispatch([add('a'), add('b')]);
    expect(seen).toEqual(['1 add a@1', '2 add a@1', '1 add b@1', '2 add b@1']);
  });

  test('logs what a handler throws; other handlers and later events are not held up', () => {
    const { dispatcher, seen, record, error } = setup();
    dispatcher.add(() => {
      throw new Error('boom');
    }, []);
    dispatcher.add(record('2'), []);
    dispatcher.dispatch([add('a'), add('b')]);
    expect(seen).toEqual(['2 add a@1', '2 add b@1']);
    expect(error).toHaveBeenCalledTimes(2);
    expect(error).toHaveBeenCalledWith(
      'an event handler failed',
      expect.objectContaining({ event: 'add', namespace: 'ns', name: 'a', err: new Error('boom') }),
    );
  });

  test('goes on with later events after a logger that throws', () => {
    const { dispatcher, seen, record, error } = setup();
    error.mockImplementation(() => {
      throw new Error('disk full');
    });
    const remove = dispatcher.add(() => {
      throw new Error('boom');
    }, []);
    expect(() => {
      dispatcher.dispatch([add('a')]);
    }).toThrow('disk full');
    remove();
    dispatcher.add(record('2'), []);
    dispatcher.dispatch([add('b')]);
    expect(seen).toEqual(['2 add b@1']);
  });

  test('logs what an asynchronous handler rejects with', async () => {
    const { dispatcher, error } = setup();
    const handler: unknown = () => Promise.reject(new Error('later'));
    dispatcher.add(handler as (event: ObjectEvent) => void, []);
    dispatcher.dispatch([add('a')]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(error).toHaveBeenCalledTimes(1);
  });

  test('gives a late handler an initial add for each object present', () => {
    const { dispatcher } = setup();
    const events: ObjectEvent[] = [];
    dispatcher.add((event) => events.push(event), [widget('a', 1)]);
    expect(events).toEqual([{ type: 'add', object: widget('a', 1), isInitial: true }]);
  });

  test('gives a removed handler nothing any more, also within the event that removed it', () => {
    const { dispatcher, seen, record } = setup();
    let removeSecond = (): void => undefined;
    dispatcher.add(() => {
      removeSecond();
    }, []);
    removeSecond = dispatcher.add(record('2'), []);
    dispatcher.dispatch([add('a'), add('b')]);
    expect(seen).toEqual([]);
  });

  test('lets what a handler brings about wait for its turn', () => {
    const { dispatcher, seen, record } = setup();
    dispatcher.add((event) => {
      if (event.object.metadata.name === 'a') dispatcher.dispatch([add('c')]);
    }, []);
    dispatcher.add(record('2'), []);
    dispatcher.dispatch([add('a'), add('b')]);
    expect(seen).toEqual(['2 add a@1', '2 add b@1', '2 add c@1']);
  });

  test('tells a handler added while events are under way of their objects once', () => {
    const { dispatcher, seen, record } = setup();
    const present: KubeObject[] = [add('a').object, add('b').object];
    let isAdded = false;
    dispatcher.add(() => {
      if (!isAdded) dispatcher.add(record('late'), present);
      isAdded = true;
    }, []);
    dispatcher.dispatch([add('a'), add('b')]);
    dispatcher.dispatch([add('c')]);
    expect(seen).toEqual(['late add a@1', 'late add b@1', 'late add c@1']);
  });
});
