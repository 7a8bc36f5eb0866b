import type * as otel from '@opentelemetry/api';
import { createMetrics, type Metrics } from '../../base/metrics.js';
import { loadOpenTelemetry } from '../load-open-telemetry.js';
import type { ManagerOptions } from '../manager-options.js';
import type { RunOptions } from '../run-options.js';
import { settledWithin } from '../settled-within.js';

/** The longest time that a stop waits for the last export. */
const FLUSH_MS = 2_000;

/** Returns the metrics of a manager. Their library costs memory and time, so it is loaded only if they are served or exported. */
export async function metricsOf({
  metrics,
  metricsBindAddress = '0',
  otelMetrics = false,
}: Pick<ManagerOptions, 'metrics' | 'metricsBindAddress' | 'otelMetrics'>): Promise<Metrics | undefined> {
  return metrics ?? (metricsBindAddress === '0' && !otelMetrics ? undefined : await createMetrics());
}

/**
 * With `otelMetrics`, exports the metrics, and those that are created later, to the MeterProvider of OpenTelemetry that the
 * program has registered. Without one nothing is exported, which is logged. Must be called before the manager creates metrics:
 * series of histograms that are older are not exported.
 *
 * Returns a function that exports the last values, and ends the export.
 *
 * @throws OperatorError if the API of OpenTelemetry is not installed.
 */
export async function exportMetrics(
  metrics: Metrics | undefined,
  { clock, logger, otelMetrics = false }: RunOptions,
): Promise<() => Promise<void>> {
  if (!metrics || !otelMetrics) return () => Promise.resolve();
  const api = await loadOpenTelemetry('otelMetrics');
  const meter = api.metrics.getMeter('kindwright');
  if (meter === api.createNoopMeter()) {
    logger.warn('No metrics are exported: no MeterProvider of OpenTelemetry is registered', {
      hint: 'register one before the operator starts, for example with NODE_OPTIONS="--import ./tracing.mjs"',
    });
    return () => Promise.resolve();
  }
  const end = createInstruments(metrics, meter);
  return async () => {
    await settledWithin(clock, FLUSH_MS, flush(api.metrics.getMeterProvider()));
    end();
  };
}

/**
 * The values of counters and gauges are read when the SDK collects them; observations of histograms are recorded again, because the
 * API of OpenTelemetry has no observable histogram.
 */
function createInstruments(metrics: Metrics, meter: otel.Meter): () => void {
  const removals: (() => void)[] = [];
  metrics.onMetric((metric) => {
    const options: otel.MetricOptions = { description: metric.help };
    if (metric.type === 'histogram') {
      const advice: otel.MetricAdvice = { explicitBucketBoundaries: [...metric.buckets] };
      const histogram = meter.createHistogram(metric.name, { ...options, advice });
      const record = (value: number, labels: otel.Attributes): void => {
        histogram.record(value, labels);
      };
      removals.push(metric.onObserve(record));
      return;
    }
    const instrument =
      metric.type === 'counter'
        ? meter.createObservableCounter(metric.name, options)
        : meter.createObservableGauge(metric.name, options);
    const read = async (result: otel.ObservableResult): Promise<void> => {
      for (const { value, labels } of await metric.read()) result.observe(value, labels);
    };
    instrument.addCallback(read);
    removals.push(() => {
      instrument.removeCallback(read);
    });
  });
  return () => {
    for (const remove of removals) remove();
  };
}

/** `forceFlush` belongs to SDKs, not to the API. */
async function flush(provider: otel.MeterProvider & { readonly forceFlush?: () => Promise<void> }): Promise<void> {
  await provider.forceFlush?.();
}
