import type { Cancel, Clock } from './clock.js';

/**
 * Like `clock.schedule`, but calls back after the event loop has read the data that the sockets have received.
 *
 * After the event loop was blocked, or the process was stopped, timers run before sockets are read. For a time limit on
 * a peer: what arrived in time must not be treated as late. The callback must check again whether the limit holds, or
 * be canceled by what arrives.
 */
export function scheduleAfterPoll(clock: Clock, delayMs: number, callback: () => void): Cancel {
  let immediate: NodeJS.Immediate | undefined;
  const cancel = clock.schedule(delayMs, () => {
    immediate = setImmediate(callback);
  });
  return () => {
    cancel();
    if (immediate) clearImmediate(immediate);
  };
}
