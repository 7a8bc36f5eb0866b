import { CallPending, RemoteCalls, whenAnswered } from '../remote/remote-calls.js';

/** Thrown to a controller if its write completes asynchronously, after webhooks have responded. */
export class WritePending extends Error {
  constructor(
    /** Resolves when the write is done, or rejects with its error. */
    readonly done: Promise<unknown>,
  ) {
    super('the write waits for webhooks');
  }
}

/**
 * Attempts a write immediately; if it needs a webhook's response, throws `WritePending` and completes the write later.
 */
export function writeOrWait<T>(attempt: (calls: RemoteCalls) => T): T {
  const calls = new RemoteCalls();
  try {
    return attempt(calls);
  } catch (error) {
    if (!(error instanceof CallPending)) throw error;
    throw new WritePending(error.settled.then(() => whenAnswered(attempt, calls)));
  }
}
