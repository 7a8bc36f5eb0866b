import { matchesSelector } from '../../../api/selection/label-selector.js';
import {
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { requiredTerms, type AffinityKind } from './affinity-terms.js';
import { countByTopology, type PlacedPods } from './placed-pods.js';

/** Returns the labels of a namespace. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Returns a function for the scheduler's reason why pod affinity excludes a node; undefined for allowed nodes. */
export function affinityProblems(
  pod: ApiObject,
  placed: readonly PlacedPods[],
  labelsOf: NamespaceLabels,
): (node: ApiObject) => string | undefined {
  const near = requiredTerms(pod, 'podAffinity');
  const isNear = (other: ApiObject): boolean => near.every((term) => isOfTerm(term, pod, other, labelsOf));
  const nearCounts = near.map((term) => countByTopology(placed, keyOf(term), isNear));
  const isFirst = nearCounts.every((counts) => ![...counts.values()].some((count) => count > 0)) && isNear(pod);
  const far = requiredTerms(pod, 'podAntiAffinity').map((term): [string, ReadonlyMap<string, number>] => [
    keyOf(term),
    countByTopology(placed, keyOf(term), (other) => isOfTerm(term, pod, other, labelsOf)),
  ]);
  const excluded = excludedTopologies(pod, placed, labelsOf);
  return ({ metadata: { labels = {} } }) => {
    const isTogether = near.every((term, index) => {
      const value = labels[keyOf(term)];
      return value !== undefined && (isFirst || (nearCounts[index]?.get(value) ?? 0) > 0);
    });
    if (!isTogether) return NOT_NEAR;
    if (far.some(([key, counts]) => (counts.get(labels[key] ?? '') ?? 0) > 0))
      return "node(s) didn't match pod anti-affinity rules";
    const isExcluded = Object.entries(labels).some(([key, value]) => excluded.get(key)?.has(value));
    return isExcluded ? "node(s) didn't satisfy existing pods anti-affinity rules" : undefined;
  };
}

/** A problem that preemption cannot resolve. */
export const NOT_NEAR = "node(s) didn't match pod affinity rules";

/** Returns a function for the score of a node by the preferred affinity of the pod. */
export function affinityScore(
  pod: ApiObject,
  placed: readonly PlacedPods[],
  labelsOf: NamespaceLabels,
): (node: ApiObject) => number {
  const preferences = [...preferredTerms(pod, 'podAffinity', 1), ...preferredTerms(pod, 'podAntiAffinity', -1)].map(
    ([term, weight]): [string, number, ReadonlyMap<string, number>] => [
      keyOf(term),
      weight,
      countByTopology(placed, keyOf(term), (other) => isOfTerm(term, pod, other, labelsOf)),
    ],
  );
  return ({ metadata: { labels = {} } }) =>
    preferences.reduce((sum, [key, weight, counts]) => sum + weight * (counts.get(labels[key] ?? '') ?? 0), 0);
}

function preferredTerms({ spec }: ApiObject, kind: AffinityKind, sign: 1 | -1): [JsonObject, number][] {
  const preferred = eachObject(objectAt(objectAt(spec, 'affinity'), kind)[PREFERRED]);
  return preferred.map((each) => [objectAt(each, 'podAffinityTerm'), sign * (numberAt(each, 'weight') ?? 0)]);
}

/** Returns the topology values excluded by the anti-affinity of other pods, by topology key. */
function excludedTopologies(
  pod: ApiObject,
  placed: readonly PlacedPods[],
  labelsOf: NamespaceLabels,
): Map<string, Set<string>> {
  const excluded = new Map<string, Set<string>>();
  for (const { node, pods } of placed)
    for (const other of pods)
      for (const term of other.antiAffinity) {
        const value = node.metadata.labels?.[keyOf(term)];
        if (value === undefined || !isOfTerm(term, other.pod, pod, labelsOf)) continue;
        excluded.set(keyOf(term), (excluded.get(keyOf(term)) ?? new Set()).add(value));
      }
  return excluded;
}

/** Returns whether a pod matches an affinity term of the owner. */
function isOfTerm(term: JsonObject, owner: ApiObject, { metadata }: ApiObject, labelsOf: NamespaceLabels): boolean {
  const { labelSelector, namespaceSelector, namespaces } = term;
  const named = Array.isArray(namespaces) ? namespaces : [];
  const { namespace = '', labels } = metadata;
  const isNamed = named.includes(namespace);
  const isSelected = isJsonObject(namespaceSelector) && matchesSelector(namespaceSelector, labelsOf(namespace));
  const isOwn = named.length === 0 && namespaceSelector === undefined && namespace === owner.metadata.namespace;
  return (isNamed || isSelected || isOwn) && isJsonObject(labelSelector) && matchesSelector(labelSelector, labels);
}

function keyOf(term: JsonObject): string {
  return stringAt(term, 'topologyKey');
}
