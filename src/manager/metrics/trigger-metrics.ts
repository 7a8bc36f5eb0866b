import type { Metrics } from '../../base/metrics.js';
import type { TriggerMetrics } from '../../controller/triggers/trigger-metrics.js';
import type { ResourceModel } from '../../resource/model.js';
import type { ControllerLabels } from './operator-metrics.js';

interface TriggerMetricsByModel {
  /** The metrics of the controller of one model. */
  of(model: ResourceModel, controller: ControllerLabels): TriggerMetrics;
  /** Removes the series of a controller. */
  remove(model: ResourceModel, controller: ControllerLabels): void;
}

/**
 * Metrics of timers, sources and daemons, by controller and decorator. They are registered with the first class that
 * needs them.
 */
export function triggerMetrics(metrics: Metrics): TriggerMetricsByModel {
  const ofTimers = once(() => timerInstruments(metrics));
  const ofSources = once(() => sourceInstruments(metrics));
  const ofDaemons = once(() => daemonInstruments(metrics));
  const of: TriggerMetricsByModel['of'] = ({ timers, sources, daemons }, controller) => {
    const [timer, source, daemon] = [
      timers.length > 0 ? ofTimers() : undefined,
      sources.length > 0 ? ofSources() : undefined,
      daemons.length > 0 ? ofDaemons() : undefined,
    ];
    for (const each of timers) timer?.fired.labels({ ...controller, timer: each.name }).inc(0);
    for (const each of sources)
      for (const instrument of Object.values(source ?? {}))
        instrument.labels({ ...controller, source: each.name }).inc(0);
    return {
      timerFired: (label) => {
        timer?.fired.labels({ ...controller, timer: label }).inc();
      },
      sourceEvent: (label) => {
        source?.events.labels({ ...controller, source: label }).inc();
      },
      sourceFailed: (label) => {
        source?.errors.labels({ ...controller, source: label }).inc();
      },
      sourceRunning: (label, isRunning) => {
        source?.running.labels({ ...controller, source: label }).set(isRunning ? 1 : 0);
      },
      daemonTasks: (label, change) => {
        daemon?.running.labels({ ...controller, daemon: label }).inc(change);
      },
      daemonFailed: (label) => {
        daemon?.errors.labels({ ...controller, daemon: label }).inc();
      },
    };
  };
  const remove: TriggerMetricsByModel['remove'] = ({ timers, sources, daemons }, controller) => {
    for (const each of timers) ofTimers().fired.remove({ ...controller, timer: each.name });
    for (const each of sources)
      for (const instrument of Object.values(ofSources())) instrument.remove({ ...controller, source: each.name });
    for (const each of daemons)
      for (const instrument of Object.values(ofDaemons()))
        instrument.remove({ ...controller, daemon: `@Daemon ${each}` });
  };
  return { of, remove };
}

function timerInstruments(metrics: Metrics) {
  const labels = ['controller', 'timer', 'cluster'];
  return { fired: metrics.counter('kindwright_timer_events_total', 'Reconciles that a timer triggered', labels) };
}

function sourceInstruments(metrics: Metrics) {
  const labels = ['controller', 'source', 'cluster'];
  return {
    events: metrics.counter('kindwright_source_events_total', 'Objects that a source named', labels),
    errors: metrics.counter('kindwright_source_errors_total', 'Failed calls of a source', labels),
    running: metrics.gauge('kindwright_source_running', 'Whether a source runs', labels),
  };
}

function daemonInstruments(metrics: Metrics) {
  const labels = ['controller', 'daemon', 'cluster'];
  return {
    running: metrics.gauge('kindwright_daemons_running', 'Running tasks', labels),
    errors: metrics.counter('kindwright_daemon_errors_total', 'Tasks that failed and are started again', labels),
  };
}

function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => (created ??= create());
}
