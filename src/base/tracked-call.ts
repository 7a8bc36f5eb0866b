import { captureStack } from './capture-stack.js';
import { linesFromUserCode, userLocation } from './user-frames.js';

/**
 * A call of an asynchronous method by user code, with the line of the call.
 *
 * The asynchronous stack of an error lacks that line if the promise was not awaited, or was returned instead.
 */
export class TrackedCall {
  private static readonly byError = new WeakMap<object, TrackedCall>();

  private readonly caller = captureStack({});

  /**
   * Must be constructed synchronously within the call.
   *
   * @param describe - returns the call as the user wrote it, such as `ctx.apply(Deployment, "web")`
   */
  constructor(private readonly describe: () => string) {}

  /** Returns the call that an error rejected; undefined for an error from elsewhere. */
  static rejectedBy(error: unknown): TrackedCall | undefined {
    return typeof error === 'object' && error !== null ? TrackedCall.byError.get(error) : undefined;
  }

  get description(): string {
    return this.describe();
  }

  /** Such as `operators/podset.ts:31:7`; undefined for a call that was not made by user code. */
  get location(): string | undefined {
    return userLocation(this.caller);
  }

  /** The lines of the stack from the innermost frame of the user's own code. */
  get callerLines(): string[] {
    return linesFromUserCode(this.caller);
  }

  /** Records that the call rejected with an error, and adds the caller to its stack if it is missing. Never throws. */
  rejectedWith(error: unknown): void {
    try {
      if (!(error instanceof Error)) return;
      TrackedCall.byError.set(error, this);
      const { location } = this;
      if (location === undefined || userLocation(error) === location) return;
      error.stack = [error.stack ?? String(error), ...this.callerLines].join('\n');
    } catch {
      // A frozen error, or a proxy that throws, keeps its stack.
    }
  }
}
