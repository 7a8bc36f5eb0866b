import { RequestError } from '../base/http-server/request-error.js';
import { publicMessage } from '../base/thrown-error.js';
import { ConversionError } from '../resource/conversion/convert-by-steps.js';

/** A method of a webhook gave no verdict: it threw, rejected, did not end in time, or made a change without effect. */
export class WebhookMethodError extends Error {
  constructor(
    /** Such as `PodSet.check`. */
    readonly method: string,
    override readonly cause: Error,
  ) {
    super(`${method}: ${cause.message}`);
    this.name = 'WebhookMethodError';
  }

  /** The text for the client of the API server. */
  get publicMessage(): string {
    return `${this.method}: ${publicMessage(this.cause)}`;
  }

  /** True for an error of the program rather than of its input or surroundings. */
  get isPanic(): boolean {
    return this.cause instanceof TypeError || this.cause instanceof ReferenceError;
  }
}

/** Returns the text of an error for the client of the API server; see `publicMessage`. */
export function responseMessage(error: Error): string {
  if (error instanceof WebhookMethodError || error instanceof ConversionError) return error.publicMessage;
  return error instanceof RequestError ? error.message : publicMessage(error);
}
