import { isPodActive } from '../../api/objects/is-pod-active.js';
import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { isPodReady, readySince } from './pod-control.js';

const COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASES = ['Pending', 'Unknown', 'Running'];

type Order = (a: ApiObject, b: ApiObject) => number;

/** Sorts active pods, the least advanced first: the order in which a Job deletes them. */
export const leastAdvancedFirst: Order = inTurn(
  ...progress(),
  byTime(readyTime, laterFirst),
  mostRestartsFirst,
  byTime(creationTime, laterFirst),
);

/**
 * Returns the order in which a ReplicaSet deletes active pods; `related` are the pods of all ReplicaSets of its
 * Deployment. The order of pods of similar age is random, as the oldest would otherwise never be deleted.
 */
export function deletionOrder(related: readonly ApiObject[], nowMs: number): Order {
  const active = related.filter(isPodActive);
  const podsByNode = Map.groupBy(active, nodeOf);
  const podsOnNode = (pod: ApiObject): number => podsByNode.get(nodeOf(pod))?.length ?? 0;
  const youngerFirst = (a: number, b: number, pods: readonly [ApiObject, ApiObject]): number =>
    Number.isNaN(a) || Number.isNaN(b) ? laterFirst(a, b) : magnitude(nowMs - a) - magnitude(nowMs - b) || byUid(pods);
  return inTurn(
    ...progress(),
    (a, b) => cost(a) - cost(b),
    (a, b) => podsOnNode(b) - podsOnNode(a),
    byTime(readyTime, youngerFirst),
    mostRestartsFirst,
    byTime(creationTime, youngerFirst),
  );
}

function progress(): Order[] {
  return [
    (a, b) => Number(nodeOf(a) !== '') - Number(nodeOf(b) !== ''),
    (a, b) => PHASES.indexOf(phaseOf(a)) - PHASES.indexOf(phaseOf(b)),
    (a, b) => Number(isPodReady(a)) - Number(isPodReady(b)),
  ];
}

/** Combines orders: the first that distinguishes two pods applies. */
function inTurn(...orders: readonly Order[]): Order {
  return (a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** Orders by a time; equal for a common or undefined time. NaN is a missing time. */
function byTime(
  timeOf: (pod: ApiObject) => number | undefined,
  compare: (a: number, b: number, pods: readonly [ApiObject, ApiObject]) => number,
): Order {
  return (a, b) => {
    const [first, second] = [timeOf(a), timeOf(b)];
    if (first === undefined || second === undefined || Object.is(first, second)) return 0;
    return compare(first, second, [a, b]);
  };
}

/** Sorts later times first; a missing time counts as the latest. */
function laterFirst(a: number, b: number): number {
  return Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(b)) - Number(Number.isNaN(a)) : b - a;
}

/** Returns the binary logarithm of an age in nanoseconds, rounded down. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

function byUid([a, b]: readonly [ApiObject, ApiObject]): number {
  return (a.metadata.uid ?? '') < (b.metadata.uid ?? '') ? -1 : 1;
}

function mostRestartsFirst(a: ApiObject, b: ApiObject): number {
  return restarts(b, 'containers') - restarts(a, 'containers') || restarts(b, 'sidecars') - restarts(a, 'sidecars');
}

function restarts({ spec, status }: ApiObject, of: 'containers' | 'sidecars'): number {
  const { containerStatuses, initContainerStatuses } = objectAt({ status }, 'status');
  const initial = eachObject(objectAt({ spec }, 'spec').initContainers);
  const isSidecar = ({ name }: JsonObject): boolean =>
    initial.some((one) => one.name === name && stringAt(one, 'restartPolicy') === 'Always');
  const statuses =
    of === 'containers' ? eachObject(containerStatuses) : eachObject(initContainerStatuses).filter(isSidecar);
  return Math.max(0, ...statuses.map(({ restartCount }) => Number(restartCount ?? 0)));
}

/** Returns the deletion cost; validation rejects values that are not numbers. */
function cost({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.[COST] ?? 0);
}

function nodeOf({ spec }: ApiObject): string {
  return stringAt(spec, 'nodeName');
}

function phaseOf({ status }: ApiObject): string {
  return stringAt(status, 'phase');
}

function readyTime(pod: ApiObject): number | undefined {
  const since = readySince(pod);
  return since === undefined ? undefined : Date.parse(since);
}

function creationTime({ metadata }: ApiObject): number {
  return Date.parse(metadata.creationTimestamp ?? '');
}
