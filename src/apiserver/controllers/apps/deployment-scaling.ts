import { numberAt, type ApiObject } from '../../objects/api-object.js';
import { isRecreated, rolloutBounds, desiredReplicas } from './deployment-rollout.js';

export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';

/** Returns whether the size of the Deployment differs from the one recorded in its ReplicaSets. */
export function isScaled(deployment: ApiObject, sets: readonly ApiObject[]): boolean {
  const wanted = numberAt(deployment.spec, 'replicas') ?? 1;
  return sets.some((set) => desiredReplicas(set) > 0 && (annotated(set, DESIRED_REPLICAS) ?? wanted) !== wanted);
}

/**
 * Returns the sizes of the ReplicaSets, oldest first, when the Deployment is scaled or paused: each keeps its share, so
 * that a rollout in progress is neither advanced nor reverted.
 */
export function scaledSizes(
  deployment: ApiObject,
  current: ApiObject | undefined,
  old: readonly ApiObject[],
): Map<ApiObject, number> {
  const replicas = numberAt(deployment.spec, 'replicas') ?? 1;
  const all = current ? [...old, current] : [...old];
  const active = all.filter((set) => desiredReplicas(set) > 0);
  const [only] = active.length === 0 ? all.slice(-1) : active;
  if (!only) return new Map<ApiObject, number>();
  if (active.length <= 1) return new Map([[only, replicas]]);
  if (current && isSaturated(current, replicas))
    return new Map(active.filter((set) => set !== current).map((set) => [set, 0]));
  return isRecreated(deployment) ? new Map<ApiObject, number>() : proportionalSizes(deployment, active);
}

function proportionalSizes(deployment: ApiObject, active: readonly ApiObject[]): Map<ApiObject, number> {
  const { replicas, maxReplicas } = rolloutBounds(deployment);
  const missing = (replicas > 0 ? maxReplicas : 0) - active.reduce((sum, set) => sum + desiredReplicas(set), 0);
  // Among sets of equal size, the newer is scaled up first and the older is scaled down first.
  const sets = (missing > 0 ? active.toReversed() : [...active]).sort(
    (a, b) => desiredReplicas(b) - desiredReplicas(a),
  );
  let left = missing;
  const sizes = sets.map((set): [ApiObject, number] => {
    const share = left === 0 ? 0 : shareOf(deployment, set);
    const change = missing > 0 ? Math.min(share, left) : Math.max(share, left);
    left -= change;
    return [set, desiredReplicas(set) + change];
  });
  // The largest set gets the remainder.
  return new Map(sizes.map(([set, size], index) => [set, index === 0 ? Math.max(0, size + left) : size]));
}

/** Returns the change in size that keeps the share of a ReplicaSet constant. */
function shareOf(deployment: ApiObject, set: ApiObject): number {
  const { replicas, maxReplicas } = rolloutBounds(deployment);
  if (replicas === 0) return -desiredReplicas(set);
  const former = annotated(set, MAX_REPLICAS) || (numberAt(deployment.status, 'replicas') ?? 0);
  return former === 0 ? 0 : Math.round((desiredReplicas(set) * maxReplicas) / former) - desiredReplicas(set);
}

function isSaturated(set: ApiObject, replicas: number): boolean {
  return [desiredReplicas(set), annotated(set, DESIRED_REPLICAS), numberAt(set.status, 'availableReplicas') ?? 0].every(
    (count) => count === replicas,
  );
}

function annotated({ metadata }: ApiObject, name: string): number | undefined {
  const text = metadata.annotations?.[name] ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
