/** The parts of an `OperatorError` besides its message. */
export interface OperatorErrorOptions {
  /** Stable identifier, `E_…`. */
  readonly code: string;
  /** The command to run or the next step to take. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/**
 * An error that the user can act on: the message states where the problem is and what is wrong, the hint how to fix
 * it.
 */
export class OperatorError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, options: OperatorErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.hint = options.hint;
  }
}
