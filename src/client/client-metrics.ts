import type { Metrics } from '../base/metrics.js';

/** Receives the requests of a client for the metric `rest_client_requests_total`. */
export interface ClientMetrics {
  /** Counts one request. `code` is the status, or `<error>` for a request without a response. */
  request(code: string, method: string, host: string): void;
}

/** Returns the receiver for `Client` that counts requests in `metrics`. */
export function clientMetrics(metrics: Metrics): ClientMetrics {
  const help = 'Number of HTTP requests, partitioned by status code, method, and host.';
  const total = metrics.counter('rest_client_requests_total', help, ['code', 'method', 'host']);
  return {
    request(code, method, host) {
      total.inc({ code, method, host });
    },
  };
}
