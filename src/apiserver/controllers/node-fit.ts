import { matchesSelector, type LabelSelector } from '../../api/selection/label-selector.js';
import { eachObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';

/** The taint of a cordoned node, whether or not it is set in the spec. */
const CORDON = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/**
 * Returns whether a node matches the selector, required affinity and tolerations of a pod; see node-loads.ts for its
 * resources.
 */
export function suitsNode(node: ApiObject, pod: ApiObject): boolean {
  return node.metadata.deletionTimestamp === undefined && nodeProblem(node, pod) === undefined;
}

/** Returns the scheduler's reason why a node is not suitable for a pod; undefined if it is. */
export function nodeProblem(node: ApiObject, pod: ApiObject, runtimeSelector: JsonObject = {}): string | undefined {
  const named = namedNodes(pod);
  if (named?.has(node.metadata.name) === false) return "node(s) didn't satisfy plugin(s) [NodeAffinity]";
  if (objectAt(node, 'spec').unschedulable === true && !isTolerated(CORDON, pod)) return 'node(s) were unschedulable';
  if (isTainted(node, pod)) return 'node(s) had untolerated taint(s)';
  return isAttracted(node, pod, runtimeSelector) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

/** Returns whether a node has a taint that the pod does not tolerate. */
export function isTainted(node: ApiObject, pod: ApiObject): boolean {
  return !eachObject(objectAt(node, 'spec').taints).every((taint) => isTolerated(taint, pod));
}

/** Returns whether a node matches the node selector and the required affinity of a pod. */
export function isAttracted(node: ApiObject, pod: ApiObject, runtimeSelector: JsonObject = {}): boolean {
  const wanted = { ...objectAt(objectAt(pod, 'spec'), 'nodeSelector'), ...runtimeSelector };
  const hasLabels = Object.entries(wanted).every(([key, value]) => node.metadata.labels?.[key] === value);
  const required = requiredNodes(pod);
  return hasLabels && (required === undefined || holdsNodeSelector(required, node));
}

function isTolerated(taint: JsonObject, pod: ApiObject): boolean {
  const tolerations = eachObject(objectAt(pod, 'spec').tolerations);
  return taint.effect === 'PreferNoSchedule' || tolerations.some((toleration) => tolerates(toleration, taint));
}

function requiredNodes(pod: ApiObject): unknown {
  const affinity = objectAt(objectAt(objectAt(pod, 'spec'), 'affinity'), 'nodeAffinity');
  return affinity.requiredDuringSchedulingIgnoredDuringExecution;
}

/** Returns the node names required by the affinity, as for pods of DaemonSets; undefined without such a requirement. */
function namedNodes(pod: ApiObject): ReadonlySet<string> | undefined {
  const terms = eachObject(objectAt({ required: requiredNodes(pod) }, 'required').nodeSelectorTerms);
  const names = terms.map(({ matchFields }) => {
    const named = eachObject(matchFields).filter(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    const sets = named.map(({ values }) => new Set(values as string[]));
    return sets.length === 0 ? undefined : sets.reduce((all, each) => all.intersection(each));
  });
  if (names.length === 0 || names.includes(undefined)) return undefined;
  return new Set(names.flatMap((set) => [...(set ?? [])]));
}

/** Returns whether a node matches one of the terms of a NodeSelector. */
export function holdsNodeSelector(selector: unknown, node: ApiObject): boolean {
  const { nodeSelectorTerms } = objectAt({ selector }, 'selector');
  return eachObject(nodeSelectorTerms).some((term) => holdsNodeTerm(term, node));
}

export function holdsNodeTerm({ matchExpressions, matchFields }: JsonObject, { metadata }: ApiObject): boolean {
  return holds(matchExpressions, metadata.labels) && holds(matchFields, { 'metadata.name': metadata.name });
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

/** Returns whether a toleration matches the taint. */
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
