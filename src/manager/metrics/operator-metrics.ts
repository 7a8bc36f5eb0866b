import type { HotLoopReport } from '../../api/reconcile/reconcile-observer.js';
import type { CounterMetric, Metrics } from '../../base/metrics.js';
import { FINDING_RULES, type ControllerMetrics, type ReconcileResult } from '../../controller/controller-metrics.js';
import type { WorkqueueMetrics, WorkqueueProbe } from '../../queue/workqueue-metrics.js';

const RECONCILE_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const WORKQUEUE_BUCKETS = Array.from({ length: 12 }, (_, power) => 1e-8 * 10 ** power);
const LOOPS: readonly HotLoopReport['cause'][] = ['own write', 'second writer', 'timer'];
const RESULTS: readonly ReconcileResult[] = ['success', 'error', 'requeue', 'requeue_after'];

/** The labels of the series of a controller; those of the operator's own cluster have no label for the cluster. */
export interface ControllerLabels extends Partial<Record<string, string>> {
  readonly controller: string;
  readonly cluster?: string;
}

interface ReconcileMetrics {
  /** The metrics of one controller. */
  of(controller: ControllerLabels, maxConcurrent: number): ControllerMetrics;
  /** Removes the series of a controller. */
  remove(controller: ControllerLabels): void;
}

/** Metrics of reconciles, under controller-runtime's names. */
export function reconcileMetrics(metrics: Metrics): ReconcileMetrics {
  const prefix = 'controller_runtime';
  const labels = ['controller', 'cluster'];
  const total = metrics.counter(`${prefix}_reconcile_total`, 'Reconciles by result', [
    'controller',
    'result',
    'cluster',
  ]);
  const time = metrics.histogram(
    `${prefix}_reconcile_time_seconds`,
    'Length of a reconcile',
    labels,
    RECONCILE_BUCKETS,
  );
  const active = metrics.gauge(`${prefix}_active_workers`, 'Workers in use', labels);
  const most = metrics.gauge(`${prefix}_max_concurrent_reconciles`, 'Reconciles allowed at the same time', labels);
  const paused = metrics.gauge('kindwright_paused_objects', 'Objects that are paused by their annotation', labels);
  const loops = metrics.counter('kindwright_hot_loops_total', 'Hot loops that were found', [
    'controller',
    'cause',
    'cluster',
  ]);
  const findings = metrics.counter('kindwright_findings_total', 'Problems that the console has found', [
    'controller',
    'rule',
    'cluster',
  ]);
  const failures = {
    error: metrics.counter(`${prefix}_reconcile_errors_total`, 'Reconciles that failed', labels),
    terminal: metrics.counter(
      `${prefix}_terminal_reconcile_errors_total`,
      'Reconciles with an error that is not retried',
      labels,
    ),
    panic: metrics.counter(
      `${prefix}_reconcile_panics_total`,
      'Reconciles that failed with a TypeError or ReferenceError',
      labels,
    ),
    timeout: metrics.counter(`${prefix}_reconcile_timeouts_total`, 'Reconciles that took too long', labels),
  };
  const create: ReconcileMetrics['of'] = (controller, maxConcurrent) => {
    most.labels(controller).set(maxConcurrent);
    for (const result of RESULTS) total.labels({ ...controller, result }).inc(0);
    for (const failure of Object.values(failures)) failure.labels(controller).inc(0);
    for (const cause of LOOPS) loops.labels({ ...controller, cause }).inc(0);
    active.labels(controller).set(0);
    paused.labels(controller).set(0);
    return {
      activeWorkers: (change) => {
        active.labels(controller).inc(change);
      },
      reconciled: (result, seconds) => {
        total.labels({ ...controller, result }).inc();
        time.labels(controller).observe(seconds);
      },
      failed: (cause) => {
        failures[cause].labels(controller).inc();
      },
      hotLoop: (cause) => {
        loops.labels({ ...controller, cause }).inc();
      },
      finding: (rule) => {
        findings.labels({ ...controller, rule }).inc();
      },
      paused: (objects) => {
        paused.labels(controller).set(objects);
      },
    };
  };
  const remove: ReconcileMetrics['remove'] = (controller) => {
    for (const result of RESULTS) total.remove({ ...controller, result });
    for (const cause of LOOPS) loops.remove({ ...controller, cause });
    for (const rule of FINDING_RULES) findings.remove({ ...controller, rule });
    for (const instrument of [time, active, most, paused, ...Object.values(failures)]) instrument.remove(controller);
  };
  return { of: create, remove };
}

interface QueueMetrics {
  /** The metrics of the queue of one controller. */
  of(controller: ControllerLabels): WorkqueueMetrics;
  /** Removes the series of a queue. */
  remove(controller: ControllerLabels): void;
}

/** Metrics of the queues, under client-go's names; a queue has the name of its controller. */
export function workqueueMetrics(metrics: Metrics): QueueMetrics {
  const labels = ['name', 'controller', 'cluster'];
  const probes = new Map<
    string,
    { readonly queue: Readonly<Record<string, string>>; readonly probe: WorkqueueProbe }
  >();
  const gauges: ReturnType<Metrics['gauge']>[] = [];
  const gauge = (name: string, help: string, read: (probe: WorkqueueProbe) => number): void => {
    const added = metrics.gauge(`workqueue_${name}`, help, labels, (instrument) => {
      for (const { queue, probe } of probes.values()) instrument.labels(queue).set(read(probe));
    });
    gauges.push(added);
  };
  const histogram = (name: string, help: string) =>
    metrics.histogram(`workqueue_${name}`, help, labels, WORKQUEUE_BUCKETS);
  const adds = metrics.counter('workqueue_adds_total', 'Keys added', labels);
  const retries = metrics.counter('workqueue_retries_total', 'Keys added with a delay', labels);
  const queued = histogram('queue_duration_seconds', 'Time that keys waited in the queue');
  const worked = histogram('work_duration_seconds', 'Time that workers processed keys');
  gauge('depth', 'Waiting keys', (probe) => probe.depth);
  gauge('oldest_waiting_seconds', 'Waiting time of the oldest key in the queue', (probe) =>
    probe.oldestWaitingSeconds(),
  );
  gauge('unfinished_work_seconds', 'Sum of the processing times of the keys that are being processed', (probe) =>
    probe.unfinishedWorkSeconds(),
  );
  gauge('longest_running_processor_seconds', 'Processing time of the longest running key', (probe) =>
    probe.longestRunningSeconds(),
  );
  const queueLabels = (controller: ControllerLabels) => ({ name: controller.controller, ...controller });
  return {
    of: (controller) => {
      const queue = queueLabels(controller);
      return {
        registered: (_name, probe) => {
          probes.set(JSON.stringify(queue), { queue, probe });
        },
        added: () => {
          adds.labels(queue).inc();
        },
        taken: (_name, seconds) => {
          queued.labels(queue).observe(seconds);
        },
        done: (_name, seconds) => {
          worked.labels(queue).observe(seconds);
        },
        retried: () => {
          retries.labels(queue).inc();
        },
      };
    },
    remove: (controller) => {
      const queue = queueLabels(controller);
      probes.delete(JSON.stringify(queue));
      for (const instrument of [adds, retries, queued, worked, ...gauges]) instrument.remove(queue);
    },
  };
}

/** The counter of changes that a watch has missed, which should stay 0. */
export function missedEventMetrics(metrics: Metrics): CounterMetric<'resource' | 'cluster'> {
  const labels = ['resource', 'cluster'];
  return metrics.counter('kindwright_watch_missed_events_total', 'Changes that a watch has missed', labels);
}

/** The gauge leader_election_master_status by lease: 1 while this process leads. */
export function leaderMetrics(metrics: Metrics): (lease: string, isLeading: boolean) => void {
  const status = metrics.gauge('leader_election_master_status', 'Whether this process holds the lease', ['name']);
  return (lease, isLeading) => {
    status.labels(lease).set(isLeading ? 1 : 0);
  };
}
