import { eventually as unscaled, type EventuallyOptions } from '../src/testing/eventually.ts';
import { durationMs } from '../src/base/duration.ts';
import { TIME_FACTOR } from './time-limits.ts';

const DEFAULT_MS = 10_000;

/** Stands for `eventually` in the tests of a slow or busy machine: the timeouts are longer by its factor. */
export function eventually<T>(attempt: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  if (options.clock) return unscaled(attempt, options);
  return unscaled(attempt, {
    ...options,
    timeout: (durationMs(options.timeout ?? DEFAULT_MS) ?? DEFAULT_MS) * TIME_FACTOR,
  });
}
