import { CallPending, RemoteCalls, whenAnswered } from '../remote/remote-calls.js';

/** Thrown at a controller whose write goes on by itself, once webhooks have answered. */
export class WritePending extends Error {
  constructor(
    /** Settles when the write is done, or rejects with its refusal. */
    readonly done: Promise<unknown>,
  ) {
    super('the write waits for webhooks');
  }
}

/** Does a write at once if it can be; otherwise throws `WritePending` and does it when it can be. */
export function writeOrWait<T>(attempt: (calls: RemoteCalls) => T): T {
  const calls = new RemoteCalls();
  try {
    return attempt(calls);
  } catch (error) {
    if (!(error instanceof CallPending)) throw error;
    throw new WritePending(error.settled.then(() => whenAnswered(attempt, calls)));
  }
}
