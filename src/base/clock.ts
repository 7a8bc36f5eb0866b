/** Cancels what was scheduled; calling it twice, or after it ran, does nothing. */
export type Cancel = () => void;

/** Time as the SDK sees it, so that tests decide when it passes. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. */
  monotonic(): number;
  /** Runs `callback` once after `delayMs`, which may exceed what `setTimeout` takes (2^31 ms); NaN is refused. */
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
