/** Receives the requests of a client for the metric `rest_client_requests_total`. */
export interface ClientMetrics {
  /** Counts one request. `code` is the status, or `<error>` for a request without a response. */
  request(code: string, method: string, host: string): void;
}
