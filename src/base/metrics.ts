import type { Counter, Gauge, Histogram, LabelValues, Registry } from 'prom-client';
import type OwnHistogram from 'prom-client/lib/histogram.js';

type Labels = readonly string[];

/** Prometheus metrics under controller-runtime's names, so that its dashboards work. */
export interface Metrics {
  counter(name: string, help: string, labels: Labels, collect?: (counter: Counter) => void): Counter;
  gauge(name: string, help: string, labels: Labels, collect?: (gauge: Gauge) => void): Gauge;
  histogram(name: string, help: string, labels: Labels, buckets: readonly number[]): Histogram;
  /** Returns the text exposition format and its content type. */
  expose(): Promise<{ text: string; contentType: string }>;
  /**
   * Calls the listener for each metric, with those of the process, and for each that is created later.
   *
   * @internal
   */
  onMetric(listener: (metric: RegisteredMetric) => void): void;
}

interface MetricDescription {
  readonly name: string;
  readonly help: string;
}

/** A metric as an exporter reads it: the values of counters and gauges, and each observation of a histogram. */
export type RegisteredMetric =
  | (MetricDescription & {
      readonly type: 'counter' | 'gauge';
      /** Calls `collect` of the metric first. */
      read(): Promise<readonly { readonly labels: LabelValues<string>; readonly value: number }[]>;
    })
  | (MetricDescription & {
      readonly type: 'histogram';
      readonly buckets: readonly number[];
      /** Returns an unsubscribe function. */
      onObserve(listener: (value: number, labels: LabelValues<string>) => void): () => void;
    });

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
  const listeners: ((metric: RegisteredMetric) => void)[] = [];
  const described = ({ name, help }: MetricDescription): RegisteredMetric | undefined => {
    const metric = registry.getSingleMetric(name);
    if (metric instanceof prometheus.Counter)
      return { name, help, type: 'counter', read: async () => (await metric.get()).values };
    if (metric instanceof prometheus.Gauge)
      return { name, help, type: 'gauge', read: async () => (await metric.get()).values };
    if (metric instanceof prometheus.Histogram) {
      const buckets = metric.upperBounds;
      return { name, help, type: 'histogram', buckets, onObserve: (listener) => listen(metric, listener) };
    }
    return undefined;
  };
  const registered = <T>(metric: T, description: MetricDescription): T => {
    const found = listeners.length > 0 ? described(description) : undefined;
    if (found) for (const listener of listeners) listener(found);
    return metric;
  };
  return {
    counter: (name, help, labels, collect) => {
      const counter = new prometheus.Counter({
        ...common(name, help, labels),
        ...(collect && {
          collect(this: Counter) {
            collect(this);
          },
        }),
      });
      return registered(counter, { name, help });
    },
    gauge: (name, help, labels, collect) => {
      const gauge = new prometheus.Gauge({
        ...common(name, help, labels),
        ...(collect && {
          collect(this: Gauge) {
            collect(this);
          },
        }),
      });
      return registered(gauge, { name, help });
    },
    histogram: (name, help, labels, buckets) => {
      const histogram = new prometheus.Histogram({ ...common(name, help, labels), buckets: [...buckets] });
      return registered(histogram, { name, help });
    },
    expose: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    onMetric: (listener) => {
      listeners.push(listener);
      for (const description of registry.getMetricsAsArray()) {
        const metric = described(description);
        if (metric) listener(metric);
      }
    },
  };
}

/** Calls the listener after each observation, also of series that `labels` returns from now on. */
function listen(histogram: OwnHistogram, listener: (value: number, labels: LabelValues<string>) => void): () => void {
  // Own properties, because the library has no hook, and its series do not call the method of their histogram.
  const observe = histogram.observe.bind(histogram) as (labels: LabelValues<string>, value: number) => void;
  const labels = histogram.labels.bind(histogram) as (...given: readonly unknown[]) => Histogram.Internal<string>;
  let isListening = true;
  const observed = (value: number, of: LabelValues<string>): void => {
    if (isListening) listener(value, of);
  };
  Object.assign(histogram, {
    observe: (given: LabelValues<string> | number, value?: number) => {
      const [of, measured] = typeof given === 'number' ? [{}, given] : [given, value ?? Number.NaN];
      observe(of, measured);
      observed(measured, of);
    },
    labels: (...given: readonly (LabelValues<string> | string)[]) => {
      const series = labels(...given);
      const [first] = given;
      const of =
        typeof first === 'object'
          ? first
          : Object.fromEntries(histogram.labelNames.map((name, index) => [name, given[index] as string]));
      const withListener = (value: number): void => {
        series.observe(value);
        observed(value, of);
      };
      return { ...series, observe: withListener };
    },
  });
  return () => {
    isListening = false;
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
