import type { Metrics } from '../base/metrics.js';
import type { TriggerMetrics } from '../controller/triggers/trigger-metrics.js';
import type { ResourceModel } from '../resource/model.js';

/** Metrics of timers, by controller and decorator. Those that no class needs are not registered. */
export function triggerMetrics(
  metrics: Metrics,
  models: readonly ResourceModel[],
): (model: ResourceModel) => TriggerMetrics {
  const fired = models.some(({ timers }) => timers.length > 0)
    ? metrics.counter('kindwright_timer_events_total', 'Reconciles that a timer triggered', ['controller', 'timer'])
    : undefined;
  return ({ controller: { name }, timers }) => {
    for (const timer of timers) fired?.labels(name, timer.name).inc(0);
    return {
      timerFired: (timer) => {
        fired?.labels(name, timer).inc();
      },
    };
  };
}
