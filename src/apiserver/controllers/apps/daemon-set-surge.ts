import type { ApiObject } from '../../objects/api-object.js';

export interface Surge {
  /** The active pods of a node. */
  readonly podsOn: (node: string) => readonly ApiObject[];
  readonly isUpdated: (pod: ApiObject) => boolean;
  readonly isAvailable: (pod: ApiObject) => boolean;
  /** Maximum number of nodes that run a new pod beside an available old one. */
  readonly maxSurge: number;
}

/**
 * Returns the next step of a rollout that creates new pods before deleting old ones: the nodes that get a new pod, and
 * the old pods to delete.
 */
export function surgeStep(nodes: Iterable<string>, surge: Surge): { create: string[]; remove: ApiObject[] } {
  const { podsOn, isUpdated, isAvailable, maxSurge } = surge;
  const create: string[] = [];
  const candidates: string[] = [];
  const remove: ApiObject[] = [];
  let surging = 0;
  for (const node of nodes) {
    const updated = podsOn(node).find((pod) => isUpdated(pod));
    const old = podsOn(node).find((pod) => !isUpdated(pod));
    if (!old) continue;
    if (!updated) (isAvailable(old) ? candidates : create).push(node);
    else if (isAvailable(updated)) remove.push(old);
    else surging++;
  }
  return { create: [...create, ...candidates.slice(0, Math.max(0, maxSurge - surging))], remove };
}
