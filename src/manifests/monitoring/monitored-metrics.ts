/** A metric that alerts and dashboards use. */
export interface MonitoredMetric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
}

/** The metrics of an operator that alerts and dashboards use. A test compares them with what a manager serves. */
export const MONITORED_METRICS = {
  controller_runtime_reconcile_total: { type: 'counter', labels: ['controller', 'result'] },
  controller_runtime_reconcile_time_seconds: { type: 'histogram', labels: ['controller'] },
  controller_runtime_reconcile_timeouts_total: { type: 'counter', labels: ['controller'] },
  controller_runtime_reconcile_panics_total: { type: 'counter', labels: ['controller'] },
  controller_runtime_active_workers: { type: 'gauge', labels: ['controller'] },
  workqueue_depth: { type: 'gauge', labels: ['name', 'controller'] },
  workqueue_oldest_waiting_seconds: { type: 'gauge', labels: ['name', 'controller'] },
  workqueue_queue_duration_seconds: { type: 'histogram', labels: ['name', 'controller'] },
  workqueue_retries_total: { type: 'counter', labels: ['name', 'controller'] },
  kindwright_watch_missed_events_total: { type: 'counter', labels: ['resource'] },
  kindwright_cluster_connected: { type: 'gauge', labels: ['cluster'] },
  kindwright_shard_slots: { type: 'gauge', labels: [] },
  leader_election_master_status: { type: 'gauge', labels: ['name'] },
  rest_client_requests_total: { type: 'counter', labels: ['code', 'method', 'host'] },
  controller_runtime_webhook_requests_total: { type: 'counter', labels: ['webhook', 'code'] },
  controller_runtime_webhook_latency_seconds: { type: 'histogram', labels: ['webhook'] },
  kindwright_conversion_objects_total: { type: 'counter', labels: ['kind', 'from', 'to'] },
  kindwright_webhook_certificate_expiration_timestamp_seconds: { type: 'gauge', labels: ['certificate'] },
  process_resident_memory_bytes: { type: 'gauge', labels: [] },
  nodejs_eventloop_lag_p99_seconds: { type: 'gauge', labels: [] },
} as const satisfies Readonly<Record<string, MonitoredMetric>>;

type MetricName = keyof typeof MONITORED_METRICS;
type LabelOf<Name extends MetricName> = (typeof MONITORED_METRICS)[Name]['labels'][number];

type Kind<Type extends MonitoredMetric['type']> = {
  [Name in MetricName]: (typeof MONITORED_METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];

/** Writes PromQL expressions over the series of one operator. The compiler checks the metrics and their labels. */
export class OperatorQueries {
  /** The selector is a list of label matchers, such as `job="podset"`. */
  constructor(private readonly selector: string) {}

  /** The value of each gauge, as the maximum over the pods. */
  max<Name extends Kind<'gauge'>>(name: Name, ...by: readonly LabelOf<Name>[]): string {
    return `max${grouping(by)}(${this.series(name)})`;
  }

  /** The value of each gauge, as the minimum over the pods. */
  min<Name extends Kind<'gauge'>>(name: Name, ...by: readonly LabelOf<Name>[]): string {
    return `min${grouping(by)}(${this.series(name)})`;
  }

  /** The value of each gauge, as the sum over the pods. */
  sum<Name extends Kind<'gauge'>>(name: Name, ...by: readonly LabelOf<Name>[]): string {
    return `sum${grouping(by)}(${this.series(name)})`;
  }

  /** The rate of a counter per second over five minutes, as the sum over the pods. */
  rate<Name extends Kind<'counter'>>(
    name: Name,
    by: readonly LabelOf<Name>[],
    ...matchers: readonly (readonly [label: LabelOf<Name>, value: string])[]
  ): string {
    return `sum${grouping(by)}(rate(${this.series(name, ...matchers)}[5m]))`;
  }

  /** The increase of a counter over a time such as `1h`, as the sum over the pods. */
  increase<Name extends Kind<'counter'>>(name: Name, over: string, ...by: readonly LabelOf<Name>[]): string {
    return `sum${grouping(by)}(increase(${this.series(name)}[${over}]))`;
  }

  /** The 99th percentile of a histogram over five minutes. */
  p99<Name extends Kind<'histogram'>>(name: Name, ...by: readonly LabelOf<Name>[]): string {
    const buckets = `rate(${this.series(`${name}_bucket`)}[5m])`;
    return `histogram_quantile(0.99, sum${grouping(['le', ...by])}(${buckets}))`;
  }

  private series(name: string, ...matchers: readonly (readonly [label: string, value: string])[]): string {
    const own = matchers.map(([label, value]) => `${label}="${value}"`);
    return `${name}{${[this.selector, ...own].join(',')}}`;
  }
}

function grouping(labels: readonly string[]): string {
  return labels.length === 0 ? '' : ` by (${labels.join(', ')}) `;
}
