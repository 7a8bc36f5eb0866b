import { describe, expect, jest, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { Watchdog } from '../../src/base/watchdog.js';

function setup() {
  const clock = new FakeClock();
  const onSilence = jest.fn();
  return { clock, onSilence, watchdog: new Watchdog(clock, onSilence) };
}

describe('Watchdog', () => {
  test('a watchdog calls back once when it was not fed within its limit', async () => {
    const { clock, onSilence, watchdog } = setup();
    watchdog.setLimit(100);
    await clock.advance(60);
    watchdog.feed();
    await clock.advance(99);
    expect(onSilence).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(onSilence).toHaveBeenCalledWith(100);
    await clock.advance(1000);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  test('a watchdog calls back although sums and differences of fractional times are rounded', async () => {
    const { clock, onSilence, watchdog } = setup();
    await clock.advance(815_536.4);
    watchdog.feed();
    watchdog.setLimit(22_447.1);
    await clock.advance(23_000);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['shorter', 50, 30],
    ['longer', 200, 180],
  ])('a watchdog applies a %s limit immediately, with the idle time so far', async (_, limitMs, leftMs) => {
    const { clock, onSilence, watchdog } = setup();
    watchdog.setLimit(100);
    await clock.advance(20);
    watchdog.setLimit(limitMs);
    await clock.advance(leftMs - 1);
    expect(onSilence).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  test('a watchdog counts an event that arrived before its limit but was read only after the timer', async () => {
    let read: () => void = () => undefined;
    const clock = new (class extends FakeClock {
      override schedule(delayMs: number, callback: () => void) {
        return super.schedule(delayMs, () => {
          callback();
          read();
        });
      }
    })();
    const onSilence = jest.fn();
    const watchdog = new Watchdog(clock, onSilence);
    watchdog.setLimit(100);
    read = () => {
      watchdog.feed();
      read = () => undefined;
    };
    await clock.advance(199);
    expect(onSilence).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(onSilence).toHaveBeenCalledWith(100);
  });

  test('a stopped watchdog leaves no timer', () => {
    const { clock, watchdog } = setup();
    watchdog.setLimit(100);
    watchdog.stop();
    expect(clock.pending).toBe(0);
  });
});
