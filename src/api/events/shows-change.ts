import type { KindPart } from '../kinds/kind-part.js';
import type { ObjectEvent } from './object-event.js';
import { isSameReduced } from '../selection/reduce-object.js';

/**
 * Returns a predicate that drops the updates of a part that change none of its fields.
 *
 * The resourceVersion is not compared, and the generation only if metadata is held whole. An update to a version
 * that is not newer is kept: it comes from a list after a restore of the cluster.
 */
export function showsChange({ fields }: KindPart): (event: ObjectEvent) => boolean {
  const hasGeneration = fields?.some((path) => path === 'metadata' || path === 'metadata.generation') ?? true;
  return (event) => {
    if (event.type !== 'update') return true;
    const { object, old } = event;
    return (
      object.metadata.resourceVersion === old.metadata.resourceVersion || !isSameReduced(old, object, hasGeneration)
    );
  };
}
