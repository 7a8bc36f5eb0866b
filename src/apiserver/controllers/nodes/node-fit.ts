import { matchesSelector, type LabelSelector } from '../../../api/label-selector.js';
import { eachObject } from '../../builtin/set-default.js';
import { numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../object.js';

/** Whether a pod may be put on a node: selector, required affinity, taints; resources are not counted. */
export function suitsNode(node: ApiObject, pod: ApiObject, runtimeSelector: JsonObject = {}): boolean {
  const podSpec = objectAt(pod, 'spec');
  const spec = objectAt(node, 'spec');
  const wanted = { ...objectAt(podSpec, 'nodeSelector'), ...runtimeSelector };
  const hasLabels = Object.entries(wanted).every(([key, value]) => node.metadata.labels?.[key] === value);
  const tolerations = eachObject(podSpec.tolerations);
  const isTolerated = taintsOf(spec).every(
    (taint) => taint.effect === 'PreferNoSchedule' || tolerations.some((toleration) => tolerates(toleration, taint)),
  );
  return node.metadata.deletionTimestamp === undefined && hasLabels && isTolerated && isAttractive(node, podSpec);
}

/** A cordoned node has the taint whether or not it is written down. */
function taintsOf(spec: JsonObject): JsonObject[] {
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const taints = eachObject(spec.taints);
  return spec.unschedulable === true ? [...taints, cordon] : taints;
}

/** Whether one of the terms of the pod's required node affinity holds. */
function isAttractive({ metadata }: ApiObject, podSpec: JsonObject): boolean {
  const affinity = objectAt(objectAt(podSpec, 'affinity'), 'nodeAffinity');
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return true;
  return eachObject(objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution').nodeSelectorTerms).some(
    ({ matchExpressions, matchFields }) =>
      holds(matchExpressions, metadata.labels) && holds(matchFields, { 'metadata.name': metadata.name }),
  );
}

function holds(requirements: unknown, values: Readonly<Record<string, string>> | undefined): boolean {
  return eachObject(requirements).every((requirement) => {
    const { operator } = requirement;
    if (operator !== 'Gt' && operator !== 'Lt')
      return matchesSelector({ matchExpressions: [requirement] } as unknown as LabelSelector, values);
    const difference = Number(values?.[stringAt(requirement, 'key')]) - Number((requirement.values as string[])[0]);
    return operator === 'Gt' ? difference > 0 : difference < 0;
  });
}

function tolerates(toleration: JsonObject, taint: JsonObject): boolean {
  const { effect, key, operator = 'Equal' } = toleration;
  if (effect !== undefined && effect !== taint.effect) return false;
  if (operator === 'Exists') return key === undefined || key === taint.key;
  return (
    key === taint.key &&
    stringAt(toleration, 'value') === stringAt(taint, 'value') &&
    (numberAt(toleration, 'tolerationSeconds') ?? 1) > 0
  );
}
