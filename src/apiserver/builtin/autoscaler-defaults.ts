import { type ApiObject, type JsonObject, eachObject, isJsonObject, objectAt } from '../objects/api-object.js';
import { ensureObject, setDefaults } from '../objects/set-defaults.js';

/** Where autoscaling/v1 has metrics other than that of the CPU. */
export const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
/** What an autoscaler aims at that is told nothing. */
export const CPU_AT_80 = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};
const UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

/** Fills in a HorizontalPodAutoscaler of either version as its version does. */
export function defaultAutoscaler(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  setDefaults(spec, { minReplicas: 1 });
  if (object.apiVersion !== 'autoscaling/v2') {
    const isAimless = object.metadata.annotations?.[METRICS] === undefined;
    if (isAimless) setDefaults(spec, { targetCPUUtilizationPercentage: CPU_AT_80.resource.target.averageUtilization });
    return;
  }
  if (eachObject(spec.metrics).length === 0) spec.metrics = [structuredClone(CPU_AT_80)];
  if (isJsonObject(spec.behavior)) defaultBehavior(spec.behavior);
}

/** A behaviour has the rules of both directions, whichever of them it was given. */
function defaultBehavior(behavior: JsonObject): void {
  for (const [name, defaults] of [
    ['scaleUp', UP],
    ['scaleDown', DOWN],
  ] as const)
    behavior[name] = { ...structuredClone(defaults), ...objectAt(behavior, name) };
}
