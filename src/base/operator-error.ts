export interface OperatorErrorOptions {
  /** Stable identifier, `E_…`. */
  readonly code: string;
  /** The line to type, or the next step to take. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** An error a person can act on: the message says what is wrong with what, the hint how to mend it. */
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
