import type { Metrics } from '../base/metrics.js';

const LATENCY_BUCKETS = Array.from({ length: 12 }, (_, power) => 1e-8 * 10 ** power);
const CODES = ['200', '500'];

/** Counts the requests of a server of webhooks. */
export interface WebhookMetrics {
  /** Must be called for each path before the server starts. */
  register(path: string): void;
  started(path: string): void;
  ended(path: string, code: number, seconds: number): void;
  panicked(): void;
  conversionFailed(): void;
}

/** Metrics under the names of controller-runtime; the label `webhook` is the path. */
export function webhookMetrics(metrics: Metrics): WebhookMetrics {
  const prefix = 'controller_runtime_webhook';
  const latency = metrics.histogram(
    `${prefix}_latency_seconds`,
    'Latency of processed admission requests',
    ['webhook'],
    LATENCY_BUCKETS,
  );
  const total = metrics.counter(`${prefix}_requests_total`, 'Admission requests by HTTP status code', [
    'webhook',
    'code',
  ]);
  const inFlight = metrics.gauge(`${prefix}_requests_in_flight`, 'Admission requests that are being served', [
    'webhook',
  ]);
  const panics = metrics.counter(`${prefix}_panics_total`, 'Reviews that failed by a TypeError or ReferenceError', []);
  const conversionPanics = metrics.counter(
    'controller_runtime_conversion_webhook_panics_total',
    'Conversions that failed by an error of a function',
    [],
  );
  return {
    register(path) {
      for (const code of CODES) total.labels(path, code).inc(0);
      inFlight.labels(path).set(0);
    },
    started(path) {
      inFlight.labels(path).inc();
    },
    ended(path, code, seconds) {
      inFlight.labels(path).dec();
      total.labels(path, String(code)).inc();
      latency.labels(path).observe(seconds);
    },
    panicked() {
      panics.inc();
    },
    conversionFailed() {
      conversionPanics.inc();
    },
  };
}
