import { captureStack } from './capture-stack.js';
import { linesFromUserCode, userLocation } from './user-frames.js';

/**
 * A call of an asynchronous method by user code, and the line it was made at.
 *
 * The asynchronous stack of an error lacks that line when the promise was not awaited, or was returned instead.
 */
export class TrackedCall {
  private static readonly byError = new WeakMap<object, TrackedCall>();

  private readonly caller = captureStack({});

  /**
   * To be made synchronously within the call.
   *
   * @param describe - returns the call as the user wrote it, such as `ctx.apply(Deployment, "web")`
   */
  constructor(private readonly describe: () => string) {}

  /** The call that an error rejected, or undefined for an error from elsewhere. */
  static rejectedBy(error: unknown): TrackedCall | undefined {
    return typeof error === 'object' && error !== null ? TrackedCall.byError.get(error) : undefined;
  }

  get description(): string {
    return this.describe();
  }

  /** Such as `operators/podset.ts:31:7`; undefined for a call that no user code made. */
  get location(): string | undefined {
    return userLocation(this.caller);
  }

  /** Lines of a stack, from the innermost frame of the user's own code on. */
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
      // A frozen error, or a proxy that throws, keeps the stack it has.
    }
  }
}
