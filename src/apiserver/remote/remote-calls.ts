/** Thrown by a write that cannot go on before a server elsewhere has answered. */
export class CallPending extends Error {
  constructor(
    /** Settles with the answer; never rejects. */
    readonly settled: Promise<void>,
  ) {
    super('the write waits for an answer');
  }
}

type Answer = { readonly value: unknown } | { readonly error: unknown };

/**
 * What one write was answered by servers elsewhere: webhooks.
 *
 * Writes are synchronous, so that nothing comes between their reading and their storing. One that needs an answer throws
 * `CallPending` and is done anew once the answer is there, and anew with new questions when the object has changed
 * meanwhile, as the real server does after a conflict.
 */
export class RemoteCalls {
  private readonly answers = new Map<string, Answer>();
  private readonly kept = new Map<string, unknown>();
  private revision = 0;

  /** The answer to a question; what the call rejects with is thrown. */
  result<T>(question: string, call: () => Promise<T>): T {
    const known = this.answers.get(question);
    if (!known) throw new CallPending(this.ask(question, call));
    if ('error' in known) throw known.error;
    return known.value as T;
  }

  /** The same value in each attempt: what a webhook was shown is what gets stored. */
  once<T>(name: string, make: () => T): T {
    if (!this.kept.has(name)) this.kept.set(name, make());
    return this.kept.get(name) as T;
  }

  /** Says which state of the object the attempt starts from; answers about another one are forgotten. */
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

/** Does a write, as often as it takes until all answers it needs are there. */
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
