import { objectAt, stringAt, type JsonObject } from '../../object.js';

/** Why a metric cannot be had, where nobody serves any. */
export interface MissingMetric {
  readonly reason: string;
  readonly message: string;
  /** What the whole computation says of it. */
  readonly error: string;
}

const NOT_FOUND = 'the server could not find the requested resource';
const NO_RESOURCES = `unable to fetch metrics from resource metrics API: ${NOT_FOUND} (get pods.metrics.k8s.io)`;
const NO_CUSTOM =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';

/** What the autoscaler of the real control plane says of a metric of a spec while no metrics API is served. */
export function missingMetric(spec: JsonObject, namespace: string): MissingMetric {
  const type = stringAt(spec, 'type');
  const own = objectAt(spec, type.charAt(0).toLowerCase() + type.slice(1));
  const metric = stringAt(objectAt(own, 'metric'), 'name');
  const reason = `FailedGet${type}Metric`;
  const missing = (message: string, of: string): MissingMetric => ({
    reason,
    message,
    error: `failed to get ${of}: ${message}`,
  });
  switch (type) {
    case 'Pods':
      return missing(`unable to get metric ${metric}: ${NO_CUSTOM}`, 'pods metric value');
    case 'Object': {
      const { kind, name } = objectAt(own, 'describedObject');
      const what = `${metric}: ${String(kind)} on ${namespace} ${String(name)}`;
      return missing(`unable to get metric ${what}/${NO_CUSTOM}`, 'object metric value');
    }
    case 'External': {
      const where = `${namespace}/${metric}/${selectorText(objectAt(own, 'metric').selector)}`;
      const why = `unable to fetch metrics from external metrics API: ${NOT_FOUND} (get ${metric}.external.metrics.k8s.io)`;
      const isAverage = objectAt(own, 'target').averageValue !== undefined;
      const of = isAverage ? `failed to get ${metric} external metric` : `failed to get external metric ${metric}`;
      const message = `unable to get external metric ${where}: ${why}`;
      return { reason, message, error: `failed to get ${metric} external metric value: ${of}: ${message}` };
    }
    default: {
      const resource = stringAt(own, 'name');
      const kind = objectAt(own, 'target').averageUtilization === undefined ? 'usage' : 'utilization';
      const what = type === 'ContainerResource' ? `${stringAt(own, 'container')} container` : `${resource} resource`;
      const why = `unable to get metrics for resource ${resource}: ${NO_RESOURCES}`;
      return missing(`failed to get ${resource} ${kind}: ${why}`, `${what} metric value`);
    }
  }
}

/** As Go prints a label selector. */
function selectorText(selector: unknown): string {
  if (selector === undefined) return 'nil';
  const { matchLabels } = objectAt({ selector }, 'selector');
  const labels = Object.entries((matchLabels ?? {}) as Record<string, string>).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = labels.map(([key, value]) => `${key}: ${value},`).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${text}},MatchExpressions:[]LabelSelectorRequirement{},}`;
}
