import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { scheduleAfterPoll } from '../../src/base/schedule-after-poll.js';

/** A clock whose due callbacks the test runs, as timers do before sockets are read. */
class ManualClock extends FakeClock {
  fire: () => void = () => undefined;

  override schedule(_delayMs: number, callback: () => void): () => void {
    this.fire = callback;
    return () => {
      this.fire = () => undefined;
    };
  }
}

function immediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('scheduleAfterPoll', () => {
  test('scheduleAfterPoll calls back once, when the delay has passed', async () => {
    const clock = new FakeClock();
    let calls = 0;
    scheduleAfterPoll(clock, 100, () => calls++);
    await clock.advance(99);
    expect(calls).toBe(0);
    await clock.advance(1000);
    expect(calls).toBe(1);
  });

  test('scheduleAfterPoll can be canceled between the timer and the reading of sockets', async () => {
    const clock = new ManualClock();
    let calls = 0;
    const cancel = scheduleAfterPoll(clock, 100, () => calls++);
    clock.fire();
    expect(calls).toBe(0);
    cancel();
    await immediate();
    expect(calls).toBe(0);
  });

  test('scheduleAfterPoll leaves no timer when it is canceled', () => {
    const clock = new FakeClock();
    scheduleAfterPoll(clock, 100, () => undefined)();
    expect(clock.pending).toBe(0);
  });
});
