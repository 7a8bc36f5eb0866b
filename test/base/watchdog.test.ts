import { describe, expect, jest, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { Watchdog } from '../../src/base/watchdog.js';

function setup() {
  const clock = new FakeClock();
  const onSilence = jest.fn();
  return { clock, onSilence, watchdog: new Watchdog(clock, onSilence) };
}

describe('Watchdog', () => {
  test('calls back once when it was not fed for its limit', async () => {
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

  test('calls back where times are fractions, whose sums and differences are rounded', async () => {
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
  ])('takes a %s limit into account at once, with the silence so far', async (_, limitMs, leftMs) => {
    const { clock, onSilence, watchdog } = setup();
    watchdog.setLimit(100);
    await clock.advance(20);
    watchdog.setLimit(limitMs);
    await clock.advance(leftMs - 1);
    expect(onSilence).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  test('counts an event that had arrived when the limit expired, but was read only after the timer', async () => {
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

  test('leaves nothing scheduled when it is stopped', () => {
    const { clock, watchdog } = setup();
    watchdog.setLimit(100);
    watchdog.stop();
    expect(clock.pending).toBe(0);
  });
});
