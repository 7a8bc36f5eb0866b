import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { WebhookMetrics } from '../../webhook/webhook-metrics.js';

/** The webhooks of a process. */
export interface WebhooksState {
  /** Undefined until they are served. */
  readonly port: number | undefined;
  /** When the served certificate expires, in milliseconds since the epoch; undefined if it is not known. */
  readonly expiresMs: number | undefined;
  readonly webhooks: readonly ServedWebhook[];
}

/** A path at which API servers call this process. */
export interface ServedWebhook {
  readonly path: string;
  readonly type: 'Mutating' | 'Validating' | 'Conversion';
  /** The reviewed kind, or the converted ones. */
  readonly kinds: readonly KindRef[];
  /** Requests since the start. */
  readonly requests: number;
  /** Those without a verdict; a rejected object is one. */
  readonly failed: number;
}

/** Counts the requests of each path, for tools that show them, and passes them on to the metrics of the process. */
export class WebhookCounts implements WebhookMetrics {
  private readonly counts = new Map<string, { requests: number; failed: number }>();

  constructor(private readonly metrics: WebhookMetrics | undefined) {}

  of(path: string): Pick<ServedWebhook, 'requests' | 'failed'> {
    return this.counts.get(path) ?? { requests: 0, failed: 0 };
  }

  register(path: string): void {
    this.counts.set(path, { requests: 0, failed: 0 });
    this.metrics?.register(path);
  }

  started(path: string): void {
    this.metrics?.started(path);
  }

  ended(path: string, code: number, seconds: number): void {
    const count = this.counts.get(path);
    if (count) {
      count.requests += 1;
      if (code >= 400) count.failed += 1;
    }
    this.metrics?.ended(path, code, seconds);
  }

  panicked(): void {
    this.metrics?.panicked();
  }

  conversionFailed(): void {
    this.metrics?.conversionFailed();
  }

  converted(objects: Parameters<WebhookMetrics['converted']>[0]): void {
    this.metrics?.converted(objects);
  }
}
