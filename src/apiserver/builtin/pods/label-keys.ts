import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  isJsonObject,
  objectAt,
} from '../../objects/api-object.js';

/** Writes the pod's own values of the labels that its terms name by their keys into their selectors. */
export function applyLabelKeys(pod: ApiObject): void {
  const spec = objectAt(pod, 'spec');
  const labels = pod.metadata.labels ?? {};
  const affinity = objectAt(spec, 'affinity');
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const terms = objectAt(affinity, name);
    for (const weighted of eachObject(terms.preferredDuringSchedulingIgnoredDuringExecution))
      extendSelector(objectAt(weighted, 'podAffinityTerm'), labels);
    for (const term of eachObject(terms.requiredDuringSchedulingIgnoredDuringExecution)) extendSelector(term, labels);
  }
  for (const constraint of eachObject(spec.topologySpreadConstraints)) extendSelector(constraint, labels);
}

function extendSelector(term: JsonObject, labels: Readonly<Record<string, string>>): void {
  const selector = term.labelSelector;
  if (!isJsonObject(selector)) return;
  const added = [
    ['matchLabelKeys', 'In'],
    ['mismatchLabelKeys', 'NotIn'],
  ].flatMap(([keys = '', operator]) =>
    arrayAt(term, keys)
      .map(String)
      .filter((key) => labels[key] !== undefined)
      .map((key) => ({ key, operator, values: [labels[key]] })),
  );
  if (added.length > 0) selector.matchExpressions = [...arrayAt(selector, 'matchExpressions'), ...added];
}
