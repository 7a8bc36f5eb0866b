/** The data from the peer is not valid HTTP/1.1. */
export class ProtocolError extends Error {
  readonly code = 'E_HTTP';
}
