/** Where the client counts what it asks: `rest_client_requests_total`. */
export interface ClientMetrics {
  /** One answer, or `<error>` for the code when there was none. */
  request(code: string, method: string, host: string): void;
}
