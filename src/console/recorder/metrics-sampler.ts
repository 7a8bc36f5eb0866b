import type { ReconcileObserver } from '../../api/reconcile/reconcile-observer.js';
import type { Cancel, Clock } from '../../base/clock.js';
import type { ClientMetrics } from '../../client/client-metrics.js';
import type { KindController } from '../../controller/kind-controller.js';
import { isEffectiveWrite } from '../../controller/hot-loops/object-changes.js';
import type { ControllerSample, MetricsSample, Percentiles } from '../wire.js';

const SAMPLE_MS = 1000;
const MOST_SAMPLES = 900;
/** Durations of one controller in one second that are sorted. */
const MOST_DURATIONS = 500;
/** Durations of a controller that its percentiles are made of. */
const RECENT_DURATIONS = 1000;

interface Counts {
  runs: number;
  errors: number;
  writes: number;
  durations: number[];
}

/** Samples the work of the controllers, the client and the process each second, and keeps 15 minutes of it. */
export class MetricsSampler implements ClientMetrics {
  readonly samples: MetricsSample[] = [];
  private readonly counts = new Map<string, Counts>();
  private readonly recent = new Map<string, number[]>();
  private apiCalls: Record<string, number> = {};
  private readonly listeners = new Set<(sample: MetricsSample) => void>();
  private cancel: Cancel | undefined;
  private dueMs = 0;
  private cpu = process.cpuUsage();
  private sampledMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly controllers: () => readonly KindController[],
  ) {
    this.sampledMs = clock.monotonic();
  }

  readonly observer: ReconcileObserver = {
    ended: ({ controller, ops, end }) => {
      const counts = this.countsOf(controller);
      counts.runs += 1;
      if (end?.error) counts.errors += 1;
      for (const op of ops) if (isEffectiveWrite(op)) counts.writes += 1;
      if (end && counts.durations.length < MOST_DURATIONS) counts.durations.push(end.ms);
    },
  };

  request(code: string): void {
    this.apiCalls[code] = (this.apiCalls[code] ?? 0) + 1;
  }

  start(): void {
    this.dueMs = this.clock.monotonic() + SAMPLE_MS;
    this.cancel = this.clock.schedule(SAMPLE_MS, () => {
      this.sample();
      this.start();
    });
  }

  stop(): void {
    this.cancel?.();
  }

  onSample(listener: (sample: MetricsSample) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** The percentiles of the last 1000 runs of a controller. */
  percentilesOf(controller: string): Percentiles | undefined {
    return percentiles(this.recent.get(controller) ?? []);
  }

  private sample(): void {
    const nowMs = this.clock.monotonic();
    const { user, system } = process.cpuUsage(this.cpu);
    this.cpu = process.cpuUsage();
    const elapsedMs = Math.max(1, nowMs - this.sampledMs);
    this.sampledMs = nowMs;
    const { heapUsed, rss } = process.memoryUsage();
    const sample: MetricsSample = {
      at: this.clock.now(),
      controllers: Object.fromEntries(this.controllers().map((controller) => [controller.name, this.take(controller)])),
      apiCalls: this.apiCalls,
      eventLoopDelayMs: Math.max(0, nowMs - this.dueMs),
      cpuPercent: Math.round((user + system) / elapsedMs) / 10,
      heapBytes: heapUsed,
      rssBytes: rss,
    };
    this.apiCalls = {};
    this.samples.push(sample);
    if (this.samples.length > MOST_SAMPLES) this.samples.shift();
    for (const listener of this.listeners) listener(sample);
  }

  private take(controller: KindController): ControllerSample {
    const { waiting, processing } = controller.queueSnapshot(0);
    const { runs, errors, writes, durations } = this.countsOf(controller.name);
    this.counts.delete(controller.name);
    this.recent.set(
      controller.name,
      [...(this.recent.get(controller.name) ?? []), ...durations].slice(-RECENT_DURATIONS),
    );
    const run = percentiles(durations);
    return { runs, errors, writes, queued: waiting.count, busy: processing.count, ...(run && { run }) };
  }

  private countsOf(controller: string): Counts {
    const present = this.counts.get(controller);
    if (present) return present;
    const counts = { runs: 0, errors: 0, writes: 0, durations: [] };
    this.counts.set(controller, counts);
    return counts;
  }
}

function percentiles(durations: readonly number[]): Percentiles | undefined {
  if (durations.length === 0) return undefined;
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
