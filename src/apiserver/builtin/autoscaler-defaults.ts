import { type ApiObject, type JsonObject, eachObject, isJsonObject, objectAt } from '../objects/api-object.js';
import { ensureObject, setDefaults } from '../objects/set-defaults.js';

/** Annotation of autoscaling/v1 for metrics other than CPU utilization. */
export const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
/** The default metric of an autoscaler. */
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

/** Sets the defaults of a HorizontalPodAutoscaler by its version. */
export function defaultAutoscaler(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  setDefaults(spec, { minReplicas: 1 });
  if (object.apiVersion !== 'autoscaling/v2') {
    const hasNoMetrics = object.metadata.annotations?.[METRICS] === undefined;
    if (hasNoMetrics)
      setDefaults(spec, { targetCPUUtilizationPercentage: CPU_AT_80.resource.target.averageUtilization });
    return;
  }
  if (eachObject(spec.metrics).length === 0) spec.metrics = [structuredClone(CPU_AT_80)];
  if (isJsonObject(spec.behavior)) defaultBehavior(spec.behavior);
}

/** Sets the rules of both directions. */
function defaultBehavior(behavior: JsonObject): void {
  for (const [name, defaults] of [
    ['scaleUp', UP],
    ['scaleDown', DOWN],
  ] as const)
    behavior[name] = { ...structuredClone(defaults), ...objectAt(behavior, name) };
}
