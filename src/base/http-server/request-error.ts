/** A request that is not a review by an API server. */
export class RequestError extends Error {
  constructor(
    /** The HTTP status code. */
    readonly status: number,
    /** One line for the client. */
    message: string,
  ) {
    super(message);
    this.name = 'RequestError';
  }
}

/**
 * Returns the error of an object that is nested too deeply to be copied, for the overflow of the stack that it causes; any
 * other error stays as it is. API servers permit 10,000 levels.
 */
export function asRequestError(error: Error): Error {
  const isOverflow = error.name === 'RangeError' && error.message === 'Maximum call stack size exceeded';
  return isOverflow ? new RequestError(400, 'the object is nested too deeply') : error;
}
