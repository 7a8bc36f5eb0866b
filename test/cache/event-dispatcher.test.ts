import { describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import type { ChangeOf, ObjectEvent } from '../../src/api/events/object-event.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import { silentLogger } from '../../src/base/logger.js';
import { EventDispatcher } from '../../src/cache/event-dispatcher.js';
import { describeEvent, widget } from './objects.js';

const add = (name: string): ChangeOf<KubeObject> => ({ type: 'add', object: widget(name, 1), isInitial: false });

function setup(clock = new FakeClock()) {
  const error = jest.fn();
  const dispatcher = new EventDispatcher({ ...silentLogger, error }, clock);
  const seen: string[] = [];
  const record = (prefix: string) => (event: ObjectEvent) => seen.push(`${prefix} ${describeEvent(event)}`);
  return { dispatcher, seen, record, error };
}

describe('EventDispatcher', () => {
  test('each event is delivered to every handler, in the order in which they were added', () => {
    const { dispatcher, seen, record } = setup();
    dispatcher.add(record('1'), []);
    dispatcher.add(record('2'), []);
    dispatcher.dispatch([add('a'), add('b')]);
    expect(seen).toEqual(['1 add a@1', '2 add a@1', '1 add b@1', '2 add b@1']);
  });

  test('an error of a handler is logged, and other handlers and later events are not affected', () => {
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

  test('later events are delivered after a logger has thrown', () => {
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

  test('a rejection of an asynchronous handler is logged', async () => {
    const { dispatcher, error } = setup();
    const handler: unknown = () => Promise.reject(new Error('later'));
    dispatcher.add(handler as (event: ObjectEvent) => void, []);
    dispatcher.dispatch([add('a')]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(error).toHaveBeenCalledTimes(1);
  });

  test('a handler that is added late gets an initial add for each object present', () => {
    const { dispatcher } = setup();
    const events: ObjectEvent[] = [];
    dispatcher.add((event) => events.push(event), [widget('a', 1)]);
    expect(events).toEqual([{ type: 'add', object: widget('a', 1), isInitial: true }]);
  });

  test('a handler that was removed gets no more events, also within the event that removed it', () => {
    const { dispatcher, seen, record } = setup();
    let removeSecond = (): void => undefined;
    dispatcher.add(() => {
      removeSecond();
    }, []);
    removeSecond = dispatcher.add(record('2'), []);
    dispatcher.dispatch([add('a'), add('b')]);
    expect(seen).toEqual([]);
  });

  test('a replay passes each object as an initial add to its handler alone, after earlier events', () => {
    const { dispatcher, seen, record } = setup();
    dispatcher.add((event) => {
      record('1')(event);
      if (event.object.metadata.name === 'a') dispatcher.replay(record('2'), [widget('x', 1), widget('y', 1)]);
    }, []);
    dispatcher.dispatch([add('a'), add('b')]);
    dispatcher.dispatch([add('c')]);
    expect(seen).toEqual(['1 add a@1', '1 add b@1', '2 add x@1', '2 add y@1', '1 add c@1']);
  });

  test('the steps of a generator function run before the next event', () => {
    const { dispatcher, seen, record } = setup();
    dispatcher.add(function* (event: ObjectEvent) {
      for (const step of ['first', 'second']) {
        record(step)(event);
        yield;
      }
    }, []);
    dispatcher.dispatch([add('a'), add('b')]);
    expect(seen).toEqual(['first add a@1', 'second add a@1', 'first add b@1', 'second add b@1']);
  });

  test('an error in a step is logged, and later events are passed on', () => {
    const { dispatcher, seen, record, error } = setup();
    dispatcher.add(function* (event: ObjectEvent) {
      record('1')(event);
      yield;
      throw new Error('boom');
    }, []);
    dispatcher.dispatch([add('a'), add('b')]);
    expect(seen).toEqual(['1 add a@1', '1 add b@1']);
    expect(error).toHaveBeenCalledTimes(2);
  });

  test('events that a handler causes are delivered after the current event', () => {
    const { dispatcher, seen, record } = setup();
    dispatcher.add((event) => {
      if (event.object.metadata.name === 'a') dispatcher.dispatch([add('c')]);
    }, []);
    dispatcher.add(record('2'), []);
    dispatcher.dispatch([add('a'), add('b')]);
    expect(seen).toEqual(['2 add a@1', '2 add b@1', '2 add c@1']);
  });

  test('a handler that is added while events are delivered gets each of their objects once', () => {
    const { dispatcher, seen, record } = setup();
    const present = [add('a').object, add('b').object];
    let isAdded = false;
    dispatcher.add(() => {
      if (!isAdded) dispatcher.add(record('late'), present);
      isAdded = true;
    }, []);
    dispatcher.dispatch([add('a'), add('b')]);
    dispatcher.dispatch([add('c')]);
    expect(seen).toEqual(['late add a@1', 'late add b@1', 'late add c@1']);
  });

  describe('with slow handlers', () => {
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    function slow() {
      let now = 0;
      const parts = setup(Object.assign(new FakeClock(), { monotonic: () => now }));
      parts.dispatcher.add((event) => {
        parts.record('1')(event);
        now += 1;
      }, []);
      return parts;
    }
    const many = Array.from({ length: 100 }, (_, index) => add(`o${index}`));
    const expected = many.map((event) => `1 ${describeEvent(event)}`);

    test('a long list is divided among turns of the event loop, and later events follow it in order', async () => {
      const { dispatcher, seen } = slow();
      dispatcher.dispatch(many, () => seen.push('end'));
      dispatcher.dispatch([add('later')]);
      expect(seen.length).toBeLessThan(50);
      while (seen.length < 102) await nextTurn();
      expect(seen).toEqual([...expected, 'end', '1 add later@1']);
    });

    test('many steps of one event are divided among turns, before the next event', async () => {
      let now = 0;
      const { dispatcher, seen, record } = setup(Object.assign(new FakeClock(), { monotonic: () => now }));
      dispatcher.add(function* (event: ObjectEvent) {
        for (let step = 0; step < 100; step++) {
          now += 1;
          yield;
        }
        record('1')(event);
      }, []);
      dispatcher.dispatch([add('a'), add('b')]);
      expect(now).toBeLessThan(50);
      while (seen.length < 2) await nextTurn();
      expect(seen).toEqual(['1 add a@1', '1 add b@1']);
      expect(now).toBe(200);
    });

    test('the steps of a handler end when it is removed', async () => {
      let now = 0;
      const { dispatcher, seen, record } = setup(Object.assign(new FakeClock(), { monotonic: () => now }));
      const remove = dispatcher.add(function* () {
        for (;;) {
          now += 1;
          yield;
        }
      }, []);
      dispatcher.dispatch([add('a')]);
      dispatcher.add(record('2'), []);
      dispatcher.dispatch([add('b')]);
      remove();
      await nextTurn();
      expect(seen).toEqual(['2 add b@1']);
    });

    test('a handler that is removed between two turns receives nothing more', async () => {
      const { dispatcher, seen, record } = slow();
      const remove = dispatcher.add(record('2'), []);
      dispatcher.dispatch(many);
      const received = seen.filter((line) => line.startsWith('2')).length;
      remove();
      while (seen.length < 100 + received) await nextTurn();
      expect(seen.filter((line) => line.startsWith('2'))).toHaveLength(received);
    });

    test('a closed dispatcher drops the rest', async () => {
      const { dispatcher, seen } = slow();
      dispatcher.dispatch(many);
      const { length } = seen;
      dispatcher.close();
      await nextTurn();
      await nextTurn();
      expect(seen).toHaveLength(length);
    });
  });
});
