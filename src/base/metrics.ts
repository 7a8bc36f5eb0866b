import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

type Labels = readonly string[];

/** Prometheus metrics under controller-runtime's names, so that its dashboards work. */
export interface Metrics {
  counter(name: string, help: string, labels: Labels, collect?: (counter: Counter) => void): Counter;
  gauge(name: string, help: string, labels: Labels, collect?: (gauge: Gauge) => void): Gauge;
  histogram(name: string, help: string, labels: Labels, buckets: readonly number[]): Histogram;
  /** Returns the text exposition format and its content type. */
  expose(): Promise<{ text: string; contentType: string }>;
}

/** A count that only grows. The label names are checked by the compiler. */
export type CounterMetric<Label extends string = string> = Pick<Counter<Label>, 'inc' | 'remove'>;

/** A value that grows and shrinks. */
export type GaugeMetric<Label extends string = string> = Pick<Gauge<Label>, 'set' | 'inc' | 'dec' | 'remove'>;

/** The distribution of values over buckets. */
export type HistogramMetric<Label extends string = string> = Pick<Histogram<Label>, 'observe' | 'remove'>;

/** Loads prom-client, which processes without metrics do not need. */
export async function createMetrics({ ofProcess = true } = {}): Promise<Metrics> {
  const prometheus = await loadPrometheus();
  const registry: Registry = new prometheus.Registry();
  if (ofProcess) prometheus.collectDefaultMetrics({ register: registry });
  const common = (name: string, help: string, labels: Labels) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    counter: (name, help, labels, collect) =>
      new prometheus.Counter({
        ...common(name, help, labels),
        ...(collect && {
          collect(this: Counter) {
            collect(this);
          },
        }),
      }),
    gauge: (name, help, labels, collect) =>
      new prometheus.Gauge({
        ...common(name, help, labels),
        ...(collect && {
          collect(this: Gauge) {
            collect(this);
          },
        }),
      }),
    histogram: (name, help, labels, buckets) =>
      new prometheus.Histogram({ ...common(name, help, labels), buckets: [...buckets] }),
    expose: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}

/** Its main module would load a client of push gateways, clusters of processes and summaries too. */
async function loadPrometheus() {
  const [counter, gauge, histogram, registry, defaults] = await Promise.all([
    import('prom-client/lib/counter.js'),
    import('prom-client/lib/gauge.js'),
    import('prom-client/lib/histogram.js'),
    import('prom-client/lib/registry.js'),
    import('prom-client/lib/defaultMetrics.js'),
  ]);
  return {
    Counter: counter.default,
    Gauge: gauge.default,
    Histogram: histogram.default,
    Registry: registry.default,
    collectDefaultMetrics: defaults.default,
  };
}
