/** Thrown by a write that needs the response of another server first. */
export class CallPending extends Error {
  constructor(
    /** Resolves when the response has arrived; never rejects. */
    readonly settled: Promise<void>,
  ) {
    super('the write waits for an answer');
  }
}

type Answer = { readonly value: unknown } | { readonly error: unknown };

/**
 * The webhook responses for one write. Writes are synchronous, so that no other write happens between reading and
 * storing. A write that needs a response throws `CallPending` and is retried when the response has arrived. If the
 * object has changed meanwhile, all responses are discarded and the webhooks are called again, as the real server does
 * after a conflict.
 */
export class RemoteCalls {
  private readonly answers = new Map<string, Answer>();
  private readonly kept = new Map<string, unknown>();
  private revision = 0;

  /**
   * Returns the response to a call, identified by `question`.
   * @throws CallPending while the call is running, and the error that the call rejected with
   */
  result<T>(question: string, call: () => Promise<T>): T {
    const known = this.answers.get(question);
    if (!known) throw new CallPending(this.ask(question, call));
    if ('error' in known) throw known.error;
    return known.value as T;
  }

  /** Returns the same value in each attempt, so that the stored object equals the one sent to webhooks. */
  once<T>(name: string, make: () => T): T {
    if (!this.kept.has(name)) this.kept.set(name, make());
    return this.kept.get(name) as T;
  }

  /** Starts an attempt from a revision of the object; discards the responses for other revisions. */
  startFrom(revision: number): void {
    if (revision !== this.revision) this.answers.clear();
    this.revision = revision;
  }

  private async ask(question: string, call: () => Promise<unknown>): Promise<void> {
    const { revision } = this;
    const answer = await call().then(
      (value): Answer => ({ value }),
      (error: unknown): Answer => ({ error }),
    );
    if (revision === this.revision) this.answers.set(question, answer);
  }
}

/** Runs a write, and retries it until all responses that it needs have arrived. */
export async function whenAnswered<T>(attempt: (calls: RemoteCalls) => T, calls = new RemoteCalls()): Promise<T> {
  for (;;) {
    try {
      return attempt(calls);
    } catch (error) {
      if (!(error instanceof CallPending)) throw error;
      await error.settled;
    }
  }
}
