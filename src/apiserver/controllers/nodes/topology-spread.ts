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
import { isAttracted, isTainted } from '../node-fit.js';
import { countByTopology, type PlacedPods } from './placed-pods.js';

const UNEVEN = "node(s) didn't match pod topology spread constraints";
/** A problem that preemption cannot resolve. */
export const NOT_SPREAD = `${UNEVEN} (missing required label)`;

/** Returns the required or the preferred spread constraints of a pod. */
function spreadConstraints({ spec }: ApiObject, whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'): JsonObject[] {
  const constraints = eachObject(objectAt({ spec }, 'spec').topologySpreadConstraints);
  return constraints.filter((each) => each.whenUnsatisfiable === whenUnsatisfiable);
}

/** Returns a function for the scheduler's reason why spread constraints exclude a node; undefined for allowed nodes. */
export function spreadProblems(pod: ApiObject, placed: readonly PlacedPods[]): (node: ApiObject) => string | undefined {
  const constraints = spreadConstraints(pod, 'DoNotSchedule');
  const domains = constraints.map((constraint) => {
    const counts = countsOf(pod, constraint, constraints, placed);
    const isScarce = counts.size < (numberAt(constraint, 'minDomains') ?? 1);
    return { constraint, counts, least: isScarce ? 0 : Math.min(...counts.values()) };
  });
  return ({ metadata: { labels = {} } }) => {
    for (const { constraint, counts, least } of domains) {
      const value = labels[stringAt(constraint, 'topologyKey')];
      if (value === undefined) return NOT_SPREAD;
      const own = Number(isSpread(constraint, pod, pod));
      if ((counts.get(value) ?? 0) + own - least > (numberAt(constraint, 'maxSkew') ?? 1)) return UNEVEN;
    }
    return undefined;
  };
}

/** Returns a function for the number of pods around a node that the pod prefers to be spread from. */
export function skew(pod: ApiObject, placed: readonly PlacedPods[]): (node: ApiObject) => number {
  const constraints = spreadConstraints(pod, 'ScheduleAnyway');
  const domains = constraints.map((constraint): [string, ReadonlyMap<string, number>] => [
    stringAt(constraint, 'topologyKey'),
    countsOf(pod, constraint, constraints, placed),
  ]);
  return ({ metadata: { labels = {} } }) =>
    domains.reduce((sum, [key, counts]) => sum + (counts.get(labels[key] ?? '') ?? 0), 0);
}

function countsOf(
  pod: ApiObject,
  constraint: JsonObject,
  all: readonly JsonObject[],
  placed: readonly PlacedPods[],
): Map<string, number> {
  const keys = all.map((each) => stringAt(each, 'topologyKey'));
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint;
  const isEligible = ({ node }: PlacedPods): boolean =>
    keys.every((key) => node.metadata.labels?.[key] !== undefined) &&
    (nodeAffinityPolicy !== 'Honor' || isAttracted(node, pod)) &&
    (nodeTaintsPolicy !== 'Honor' || !isTainted(node, pod));
  return countByTopology(
    placed.filter(isEligible),
    stringAt(constraint, 'topologyKey'),
    (other) => other.metadata.deletionTimestamp === undefined && isSpread(constraint, pod, other),
  );
}

function isSpread({ labelSelector }: JsonObject, owner: ApiObject, { metadata }: ApiObject): boolean {
  return (
    metadata.namespace === owner.metadata.namespace &&
    isJsonObject(labelSelector) &&
    matchesSelector(labelSelector, metadata.labels)
  );
}
