import type { Metrics } from '../../../base/metrics.js';

/** Counts reads of the webhook certificate and reports its expiry. */
export interface CertificateMetrics {
  read(): void;
  readFailed(): void;
  /** In milliseconds since the epoch. */
  expires(times: { readonly servingMs: number; readonly authorityMs?: number }): void;
}

/** The counters have the names of controller-runtime. */
export function certificateMetrics(metrics: Metrics): CertificateMetrics {
  const reads = metrics.counter('certwatcher_read_certificate_total', 'Total number of certificate reads', []);
  const errors = metrics.counter(
    'certwatcher_read_certificate_errors_total',
    'Total number of certificate read errors',
    [],
  );
  const expiry = metrics.gauge(
    'kindwright_webhook_certificate_expiration_timestamp_seconds',
    'When the certificate of the webhooks, or of their authority, expires',
    ['certificate'],
  );
  return {
    read() {
      reads.inc();
    },
    readFailed() {
      errors.inc();
    },
    expires({ servingMs, authorityMs }) {
      expiry.labels('serving').set(servingMs / 1000);
      if (authorityMs !== undefined) expiry.labels('authority').set(authorityMs / 1000);
    },
  };
}
