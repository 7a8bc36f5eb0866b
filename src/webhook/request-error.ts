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
