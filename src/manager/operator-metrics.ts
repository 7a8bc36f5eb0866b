import { resourceName } from '../api/kind-ref.js';
import type { Metrics } from '../base/metrics.js';
import type { Informer } from '../cache/informer.js';
import type { ControllerMetrics, ReconcileResult } from '../controller/controller-metrics.js';
import type { WorkqueueMetrics, WorkqueueProbe } from '../queue/workqueue-metrics.js';

const RECONCILE_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const WORKQUEUE_BUCKETS = Array.from({ length: 12 }, (_, power) => 1e-8 * 10 ** power);
const RESULTS: readonly ReconcileResult[] = ['success', 'error', 'requeue', 'requeue_after'];

/** Metrics of reconciles, of one controller each, under controller-runtime's names. */
export function reconcileMetrics(metrics: Metrics): (controller: string, maxConcurrent: number) => ControllerMetrics {
  const prefix = 'controller_runtime';
  const labels = ['controller'];
  const total = metrics.counter(`${prefix}_reconcile_total`, 'Reconciles by result', ['controller', 'result']);
  const time = metrics.histogram(
    `${prefix}_reconcile_time_seconds`,
    'Length of a reconcile',
    labels,
    RECONCILE_BUCKETS,
  );
  const active = metrics.gauge(`${prefix}_active_workers`, 'Workers in use', labels);
  const most = metrics.gauge(`${prefix}_max_concurrent_reconciles`, 'Reconciles allowed at the same time', labels);
  const failures = {
    error: metrics.counter(`${prefix}_reconcile_errors_total`, 'Reconciles that failed', labels),
    terminal: metrics.counter(
      `${prefix}_terminal_reconcile_errors_total`,
      'Reconciles with an error that is not retried',
      labels,
    ),
    panic: metrics.counter(
      `${prefix}_reconcile_panics_total`,
      'Reconciles that failed by a TypeError or ReferenceError',
      labels,
    ),
    timeout: metrics.counter(`${prefix}_reconcile_timeouts_total`, 'Reconciles that took too long', labels),
  };
  return (controller, maxConcurrent) => {
    most.labels(controller).set(maxConcurrent);
    for (const result of RESULTS) total.labels(controller, result).inc(0);
    for (const failure of Object.values(failures)) failure.labels(controller).inc(0);
    active.labels(controller).set(0);
    return {
      activeWorkers: (change) => {
        active.labels(controller).inc(change);
      },
      reconciled: (result, seconds) => {
        total.labels(controller, result).inc();
        time.labels(controller).observe(seconds);
      },
      failed: (cause) => {
        failures[cause].labels(controller).inc();
      },
    };
  };
}

/** Metrics of the queues, under client-go's names; a queue has the name of its controller. */
export function workqueueMetrics(metrics: Metrics): WorkqueueMetrics {
  const labels = ['name', 'controller'];
  const probes = new Map<string, WorkqueueProbe>();
  const gauge = (name: string, help: string, read: (probe: WorkqueueProbe) => number): void => {
    metrics.gauge(`workqueue_${name}`, help, labels, (instrument) => {
      for (const [queue, probe] of probes) instrument.labels(queue, queue).set(read(probe));
    });
  };
  const histogram = (name: string, help: string) =>
    metrics.histogram(`workqueue_${name}`, help, labels, WORKQUEUE_BUCKETS);
  const adds = metrics.counter('workqueue_adds_total', 'Keys added', labels);
  const retries = metrics.counter('workqueue_retries_total', 'Keys added with a delay', labels);
  const queued = histogram('queue_duration_seconds', 'How long keys waited before they were taken');
  const worked = histogram('work_duration_seconds', 'How long keys were in work');
  gauge('depth', 'Keys that wait', (probe) => probe.depth);
  gauge('oldest_waiting_seconds', 'How long the oldest of the keys that wait has waited', (probe) =>
    probe.oldestWaitingSeconds(),
  );
  gauge('unfinished_work_seconds', 'How long the keys in work have been so, summed', (probe) =>
    probe.unfinishedWorkSeconds(),
  );
  gauge('longest_running_processor_seconds', 'How long the longest has been in work', (probe) =>
    probe.longestRunningSeconds(),
  );
  return {
    registered: (queue, probe) => {
      probes.set(queue, probe);
    },
    added: (queue) => {
      adds.labels(queue, queue).inc();
    },
    taken: (queue, seconds) => {
      queued.labels(queue, queue).observe(seconds);
    },
    done: (queue, seconds) => {
      worked.labels(queue, queue).observe(seconds);
    },
    retried: (queue) => {
      retries.labels(queue, queue).inc();
    },
  };
}

/** The counter of changes that a watch has missed, which stays 0. */
export function missedEventMetrics(
  metrics: Metrics,
  informers: readonly Informer[],
): (informer: Informer, objects: number) => void {
  const missed = metrics.counter('kindwright_watch_missed_events_total', 'Changes that a watch has missed', [
    'resource',
  ]);
  for (const { kind } of informers) missed.labels(resourceName(kind)).inc(0);
  return ({ kind }, objects) => {
    missed.labels(resourceName(kind)).inc(objects);
  };
}

/** The gauge leader_election_master_status by lease: 1 while this process leads. */
export function leaderMetrics(metrics: Metrics): (lease: string, isLeading: boolean) => void {
  const status = metrics.gauge('leader_election_master_status', 'Whether this process holds the lease', ['name']);
  return (lease, isLeading) => {
    status.labels(lease).set(isLeading ? 1 : 0);
  };
}
