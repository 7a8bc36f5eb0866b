interface Waiter {
  open(): void;
  fail(error: Error): void;
}

/** Opens or fails once, which settles all waiting promises. */
export class Latch {
  private readonly waiters = new Set<Waiter>();
  private hasOpened = false;
  private error: Error | undefined;

  get isOpen(): boolean {
    return this.hasOpened;
  }

  open(): void {
    if (this.error) return;
    this.hasOpened = true;
    for (const waiter of this.waiters) waiter.open();
    this.waiters.clear();
  }

  /** An open latch stays open. */
  fail(error: Error): void {
    if (this.hasOpened) return;
    this.error ??= error;
    for (const waiter of this.waiters) waiter.fail(this.error);
    this.waiters.clear();
  }

  /** Rejects with the error of a latch that failed, or with the signal's reason. */
  async wait(signal?: AbortSignal): Promise<void> {
    if (this.hasOpened) return;
    if (this.error) throw this.error;
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.waiters.delete(waiter);
        reject(signal?.reason as Error);
      };
      const forget = (): void => {
        signal?.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        open() {
          forget();
          resolve();
        },
        fail(error) {
          forget();
          reject(error);
        },
      };
      this.waiters.add(waiter);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
