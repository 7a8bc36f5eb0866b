import { matchesSelector, type LabelSelector } from '../../../api/label-selector.js';
import { eachObject } from '../../builtin/set-default.js';
import { numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../object.js';

/** A cordoned node has the taint whether or not it is written down. */
const CORDON = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Whether a pod may be put on a node: selector, required affinity, taints; for its room see node-room.ts. */
export function suitsNode(node: ApiObject, pod: ApiObject): boolean {
  return node.metadata.deletionTimestamp === undefined && nodeProblem(node, pod) === undefined;
}

/** Why a pod may not be put on a node, in the scheduler's words. */
export function nodeProblem(node: ApiObject, pod: ApiObject, runtimeSelector: JsonObject = {}): string | undefined {
  const podSpec = objectAt(pod, 'spec');
  const tolerations = eachObject(podSpec.tolerations);
  const isTolerated = (taint: JsonObject): boolean =>
    taint.effect === 'PreferNoSchedule' || tolerations.some((toleration) => tolerates(toleration, taint));
  const spec = objectAt(node, 'spec');
  if (spec.unschedulable === true && !isTolerated(CORDON)) return 'node(s) were unschedulable';
  if (!eachObject(spec.taints).every(isTolerated)) return 'node(s) had untolerated taint(s)';
  const wanted = { ...objectAt(podSpec, 'nodeSelector'), ...runtimeSelector };
  const hasLabels = Object.entries(wanted).every(([key, value]) => node.metadata.labels?.[key] === value);
  return hasLabels && isAttractive(node, podSpec) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

function isAttractive(node: ApiObject, podSpec: JsonObject): boolean {
  const affinity = objectAt(objectAt(podSpec, 'affinity'), 'nodeAffinity');
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = affinity;
  return required === undefined || holdsNodeSelector(required, node);
}

/** Whether one of the terms of a NodeSelector holds for the node. */
export function holdsNodeSelector(selector: unknown, { metadata }: ApiObject): boolean {
  const { nodeSelectorTerms } = objectAt({ selector }, 'selector');
  return eachObject(nodeSelectorTerms).some(
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

/** Whether a toleration is of the taint. */
export function tolerates(toleration: JsonObject, taint: JsonObject): boolean {
  const { effect, key, operator = 'Equal' } = toleration;
  if (effect !== undefined && effect !== taint.effect) return false;
  if (operator === 'Exists') return key === undefined || key === taint.key;
  return (
    key === taint.key &&
    stringAt(toleration, 'value') === stringAt(taint, 'value') &&
    (numberAt(toleration, 'tolerationSeconds') ?? 1) > 0
  );
}
