/** Cancels the scheduled callback; has no effect when called again, or after the callback ran. */
export type Cancel = () => void;

/** The SDK's source of time. Tests use a clock that they control. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. */
  monotonic(): number;
  /**
   * Runs `callback` once after `delayMs`, which may exceed the limit of `setTimeout` (2^31 ms). Throws a RangeError
   * for NaN.
   */
  schedule(delayMs: number, callback: () => void): Cancel;
}

/** Resolves after `delayMs`, or rejects with the signal's reason as soon as it is aborted. */
export async function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Resolves to true after `delayMs`, or to false as soon as the signal is aborted. */
export async function elapsed(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  return sleep(clock, delayMs, signal).then(
    () => true,
    () => false,
  );
}
