import type { CounterMetric, GaugeMetric, HistogramMetric, Metrics } from '../../base/metrics.js';
import { OperatorError } from '../../base/operator-error.js';

/**
 * Creates the metrics of an operator, which `/metrics` serves beside those of the SDK.
 *
 * If metrics are neither served nor exported, the instruments have no effect, but names are still checked. Each name can be used
 * once in an operator: create a metric in `onStart`, and keep it in a static property.
 *
 * @throws OperatorError for a name that is invalid, already in use, or reserved for the metrics of the SDK: those that begin
 * with `controller_runtime_`, `kindwright_`, `workqueue_`, `rest_client_`, `leader_election_`, `certwatcher_`, `process_` or
 * `nodejs_`.
 */
export interface CustomMetrics {
  /** By convention, the name of a counter ends with `_total`. */
  counter<Label extends string = never>(name: string, help: string, labels?: readonly Label[]): CounterMetric<Label>;
  /** With `collect`, the function sets the gauge each time the metrics are read. */
  gauge<Label extends string = never>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: (gauge: GaugeMetric<Label>) => void,
  ): GaugeMetric<Label>;
  /** The buckets are upper bounds in ascending order. Default: from 5 ms to 10 s, for durations in seconds. */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    labels?: readonly Label[],
    buckets?: readonly number[],
  ): HistogramMetric<Label>;
}

const DEFAULT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const RESERVED = /^(?:controller_runtime|kindwright|workqueue|rest_client|leader_election|certwatcher|process|nodejs)_/;
const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

const ignore = (): void => undefined;
const NO_EFFECT = { inc: ignore, dec: ignore, set: ignore, observe: ignore, remove: ignore };

/** Returns a factory of metrics in the registry; without a registry, of instruments without effect. */
export function customMetrics(registry: Metrics | undefined): CustomMetrics {
  const names = new Set<string>();
  const create = <T>(name: string, labels: readonly string[], register: (metrics: Metrics) => T): T | undefined => {
    const problem = names.has(name) ? 'an operator has already created it' : problemOf(name, labels);
    if (problem !== undefined) throw invalid(name, problem);
    try {
      const instrument = registry && register(registry);
      names.add(name);
      return instrument;
    } catch (error) {
      throw invalid(name, (error as Error).message); // for example: the program has registered it
    }
  };
  return {
    counter: (name, help, labels = []) =>
      create(name, labels, (metrics) => metrics.counter(name, help, labels)) ?? NO_EFFECT,
    gauge: (name, help, labels = [], collect) =>
      create(name, labels, (metrics) => metrics.gauge(name, help, labels, collect)) ?? NO_EFFECT,
    histogram: (name, help, labels = [], buckets = DEFAULT_BUCKETS) =>
      create(name, labels, (metrics) => metrics.histogram(name, help, labels, buckets)) ?? NO_EFFECT,
  };
}

function problemOf(name: string, labels: readonly string[]): string | undefined {
  const reserved = RESERVED.exec(name)?.[0];
  if (reserved !== undefined) return `names that begin with ${reserved} are reserved for the metrics of the SDK`;
  if (!METRIC_NAME.test(name)) return 'the name must consist of letters, digits, _ and :, and not begin with a digit';
  const label = labels.find((each) => !LABEL_NAME.test(each) || each === 'le');
  return label === undefined ? undefined : `'${label}' is not a valid label name`;
}

function invalid(name: string, problem: string): OperatorError {
  return new OperatorError(`cannot create the metric '${name}': ${problem}`, {
    code: 'E_START',
    hint: 'choose a name with the prefix of your operator, such as podset_uploads_total',
  });
}
