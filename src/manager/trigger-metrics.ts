import type { Metrics } from '../base/metrics.js';
import type { TriggerMetrics } from '../controller/triggers/trigger-metrics.js';
import type { ResourceModel } from '../resource/model.js';

/** Metrics of timers, sources and daemons, by controller and decorator. Those that no class needs are not registered. */
export function triggerMetrics(
  metrics: Metrics,
  models: readonly ResourceModel[],
): (model: ResourceModel) => TriggerMetrics {
  const has = (member: 'timers' | 'sources' | 'daemons'): boolean => models.some((model) => model[member].length > 0);
  const prefix = 'kindwright';
  const [timer, source, daemon] = [
    ['controller', 'timer'],
    ['controller', 'source'],
    ['controller', 'daemon'],
  ];
  const fired = has('timers')
    ? metrics.counter(`${prefix}_timer_events_total`, 'Reconciles that a timer triggered', timer)
    : undefined;
  const ofSources = has('sources') && {
    events: metrics.counter(`${prefix}_source_events_total`, 'Objects that a source named', source),
    errors: metrics.counter(`${prefix}_source_errors_total`, 'Failed calls of a source', source),
    running: metrics.gauge(`${prefix}_source_running`, 'Whether a source runs', source),
  };
  const ofDaemons = has('daemons') && {
    running: metrics.gauge(`${prefix}_daemons_running`, 'Running tasks', daemon),
    errors: metrics.counter(`${prefix}_daemon_errors_total`, 'Tasks that failed and are started again', daemon),
  };
  return (model) => {
    const { name } = model.controller;
    for (const each of model.timers) fired?.labels(name, each.name).inc(0);
    for (const each of ofSources ? model.sources : [])
      if (ofSources) for (const instrument of Object.values(ofSources)) instrument.labels(name, each.name).inc(0);
    return {
      timerFired: (label) => {
        fired?.labels(name, label).inc();
      },
      sourceEvent: (label) => {
        if (ofSources) ofSources.events.labels(name, label).inc();
      },
      sourceFailed: (label) => {
        if (ofSources) ofSources.errors.labels(name, label).inc();
      },
      sourceRunning: (label, isRunning) => {
        if (ofSources) ofSources.running.labels(name, label).set(isRunning ? 1 : 0);
      },
      daemonTasks: (label, change) => {
        if (ofDaemons) ofDaemons.running.labels(name, label).inc(change);
      },
      daemonFailed: (label) => {
        if (ofDaemons) ofDaemons.errors.labels(name, label).inc();
      },
    };
  };
}
