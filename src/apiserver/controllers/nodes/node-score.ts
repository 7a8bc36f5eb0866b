import { eachObject, numberAt, objectAt, type ApiObject } from '../../objects/api-object.js';
import { holdsNodeTerm, tolerates } from '../node-fit.js';
import type { PlacedPods } from './placed-pods.js';
import { affinityScore, type NamespaceLabels } from './pod-affinity.js';
import { skew } from './topology-spread.js';

/** The scheduler's weights of preferences. */
const WEIGHTS = { taints: 3, nodes: 2, spread: 2, pods: 2 };

/** Returns the scores of nodes by the preferences of a pod. */
export function nodeScores(
  pod: ApiObject,
  nodes: readonly ApiObject[],
  placed: readonly PlacedPods[],
  labelsOf: NamespaceLabels,
): Map<ApiObject, number> {
  const crowded = skew(pod, placed);
  const liked = affinityScore(pod, placed, labelsOf);
  const rated: [number, (node: ApiObject) => number][] = [
    [WEIGHTS.taints, (node) => -dislikedTaints(node, pod)],
    [WEIGHTS.nodes, (node) => attraction(node, pod)],
    [WEIGHTS.spread, (node) => -crowded(node)],
    [WEIGHTS.pods, liked],
  ];
  const scores = new Map(nodes.map((node) => [node, 0]));
  for (const [weight, rate] of rated) {
    const ratings = nodes.map(rate);
    const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
    if (most > least)
      for (const [index, node] of nodes.entries())
        scores.set(node, (scores.get(node) ?? 0) + (weight * ((ratings[index] ?? 0) - least)) / (most - least));
  }
  return scores;
}

function dislikedTaints({ spec }: ApiObject, pod: ApiObject): number {
  const tolerations = eachObject(objectAt(pod, 'spec').tolerations);
  return eachObject(objectAt({ spec }, 'spec').taints).filter(
    (taint) => taint.effect === 'PreferNoSchedule' && !tolerations.some((toleration) => tolerates(toleration, taint)),
  ).length;
}

function attraction(node: ApiObject, pod: ApiObject): number {
  const affinity = objectAt(objectAt(objectAt(pod, 'spec'), 'affinity'), 'nodeAffinity');
  return eachObject(affinity.preferredDuringSchedulingIgnoredDuringExecution)
    .filter(({ preference }) => holdsNodeTerm(objectAt({ preference }, 'preference'), node))
    .reduce((sum, each) => sum + (numberAt(each, 'weight') ?? 0), 0);
}
