import { FakeClock } from '../../src/base/fake-clock.js';
import { LeaderElector, type LeaderElectorOptions } from '../../src/manager/election/leader-elector.js';
import type { LeaseRecord } from '../../src/manager/election/lease-lock.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { MemoryLock } from './memory-lock.js';

/** A lease in memory and what its candidates share. */
export function leaseWorld() {
  const clock = new FakeClock();
  const lock = new MemoryLock();
  const logger = new RecordingLogger();
  const elector = (identity = 'a', options: Partial<LeaderElectorOptions> = {}): LeaderElector => {
    const durations = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
    return new LeaderElector({ lock, identity, ...durations, clock, logger, random: () => 0, ...options });
  };
  return { clock, lock, logger, stop: new AbortController(), elector };
}

export const foreign = (change: Partial<LeaseRecord> = {}): LeaseRecord => ({
  holder: 'b',
  durationSeconds: 15,
  acquireTime: '2026-01-01T00:00:00.000000Z',
  renewTime: '2026-01-01T00:00:00.000000Z',
  transitions: 3,
  ...change,
});

/** Follows a promise: its state is `waiting`, `resolved` or the message of its error. */
export function watch(promise: Promise<unknown>): { readonly state: () => string } {
  let state = 'waiting';
  promise.then(
    () => (state = 'resolved'),
    (error: unknown) => (state = (error as Error).message),
  );
  return { state: () => state };
}

export const unreachable = () => {
  throw new Error('cannot reach the server');
};
