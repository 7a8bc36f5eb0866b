import type { Metrics } from '../base/metrics.js';
import type { ConversionCount } from './converted-objects.js';

const LATENCY_BUCKETS = Array.from({ length: 12 }, (_, power) => 1e-8 * 10 ** power);
const CODES = [200, 500];

/** Counts the requests of a server of webhooks. */
export interface WebhookMetrics {
  /** Must be called for each path before the server starts. */
  register(path: string): void;
  started(path: string): void;
  ended(path: string, code: number, seconds: number): void;
  panicked(): void;
  conversionFailed(): void;
  converted(objects: ConversionCount): void;
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
  const panics = metrics.counter(
    `${prefix}_panics_total`,
    'Reviews that failed with a TypeError or ReferenceError',
    [],
  );
  const conversionPanics = metrics.counter(
    'controller_runtime_conversion_webhook_panics_total',
    'Conversions that failed because a function threw an error',
    [],
  );
  const objects = metrics.counter(
    'kindwright_conversion_objects_total',
    'Objects that were converted from one version of their kind to another',
    ['kind', 'from', 'to'],
  );
  // Finding a series by its labels takes longer than counting.
  const ofPath = memoized((path: string) => ({
    latency: latency.labels(path),
    inFlight: inFlight.labels(path),
    total: memoized((code: number) => total.labels(path, String(code))),
  }));
  return {
    register(path) {
      for (const code of CODES) ofPath(path).total(code).inc(0);
      ofPath(path).inFlight.set(0);
    },
    started(path) {
      ofPath(path).inFlight.inc();
    },
    ended(path, code, seconds) {
      const series = ofPath(path);
      series.inFlight.dec();
      series.total(code).inc();
      series.latency.observe(seconds);
    },
    panicked() {
      panics.inc();
    },
    conversionFailed() {
      conversionPanics.inc();
    },
    converted({ kind, from, to, count }) {
      objects.labels(kind, from, to).inc(count);
    },
  };
}

function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) made.set(key, (value = make(key)));
    return value;
  };
}
