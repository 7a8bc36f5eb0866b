/** What the peer sent is not HTTP/1.1. */
export class ProtocolError extends Error {
  readonly code = 'E_HTTP';
}
