import { numberAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';

/** Limits on the number of pods of a Deployment during a rollout. */
export interface RolloutBounds {
  readonly replicas: number;
  readonly maxReplicas: number;
  readonly minAvailable: number;
}

export function isRecreated(deployment: ApiObject): boolean {
  return stringAt(objectAt(deployment.spec, 'strategy'), 'type') === 'Recreate';
}

export function rolloutBounds(deployment: ApiObject): RolloutBounds {
  const replicas = numberAt(deployment.spec, 'replicas') ?? 1;
  if (isRecreated(deployment)) return { replicas, maxReplicas: replicas, minAvailable: replicas };
  const { maxSurge, maxUnavailable } = objectAt(objectAt(deployment.spec, 'strategy'), 'rollingUpdate');
  const surge = share(maxSurge, replicas, Math.ceil);
  const allowed = share(maxUnavailable, replicas, Math.floor);
  const unavailable = surge === 0 && allowed === 0 ? 1 : Math.min(allowed, replicas);
  return { replicas, maxReplicas: replicas + surge, minAvailable: replicas - unavailable };
}

/** Returns the size of the newest ReplicaSet, given the number of pods of the others. */
export function newSize({ replicas, maxReplicas }: RolloutBounds, present: number, others: number): number {
  return Math.min(replicas, Math.max(Math.min(present, replicas), maxReplicas - others));
}

/** Returns the sizes of the older ReplicaSets, scaled down oldest first, unhealthy pods first. */
export function oldSizes(
  { minAvailable }: RolloutBounds,
  current: ApiObject,
  old: readonly ApiObject[],
): Map<ApiObject, number> {
  const sizes = new Map(old.map((set) => [set, desiredReplicas(set)]));
  const total = [current, ...old].reduce((sum, set) => sum + desiredReplicas(set), 0);
  let budget = total - minAvailable - (desiredReplicas(current) - availableOf(current));
  if (budget <= 0) return sizes;
  let spare = [current, ...old].reduce((sum, set) => sum + availableOf(set), 0) - minAvailable;
  const shrink = (set: ApiObject, by: number): void => {
    sizes.set(set, (sizes.get(set) ?? 0) - by);
    budget -= by;
  };
  for (const set of old) shrink(set, clamp(desiredReplicas(set) - availableOf(set), budget));
  for (const set of old) {
    const by = clamp(sizes.get(set) ?? 0, spare);
    shrink(set, by);
    spare -= by;
  }
  return sizes;
}

function clamp(wanted: number, limit: number): number {
  return Math.max(0, Math.min(wanted, limit));
}

function share(value: unknown, replicas: number, round: (count: number) => number): number {
  if (typeof value === 'string') return round((replicas * Number.parseInt(value, 10)) / 100);
  return Number(value ?? 0);
}

export function desiredReplicas(set: ApiObject): number {
  return numberAt(set.spec, 'replicas') ?? 1;
}

function availableOf(set: ApiObject): number {
  return Math.min(desiredReplicas(set), numberAt(set.status, 'availableReplicas') ?? 0);
}
