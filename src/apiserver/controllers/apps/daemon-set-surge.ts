import type { ApiObject } from '../../objects/api-object.js';

export interface Surge {
  /** The active pods of a node. */
  readonly podsOn: (node: string) => readonly ApiObject[];
  readonly isUpdated: (pod: ApiObject) => boolean;
  readonly isAvailable: (pod: ApiObject) => boolean;
  /** How many nodes may have a new pod beside an old one that is available. */
  readonly maxSurge: number;
}

/**
 * The next step of a rollout that puts the new pod of a node beside the old one: nodes that get theirs, and old pods that
 * are not needed any more.
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
