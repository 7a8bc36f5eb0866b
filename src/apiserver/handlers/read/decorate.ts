import type { Resource } from '../../resources/resource.js';
import { StoredObject } from '../../storage/stored-object.js';
import type { Outcome } from '../../transport/response/outcome.js';

/** The stored object with the read defaults of its kind. */
export function decorate({ strategy }: Resource, stored: StoredObject): StoredObject {
  const object = strategy.decorate?.(stored.object) ?? stored.object;
  return object === stored.object ? stored : new StoredObject(stored.key, object, stored.revision);
}

/** Decorates all objects of an outcome. */
export function decorateOutcome(outcome: Outcome): Outcome {
  if (outcome.type === 'object') return { ...outcome, stored: decorate(outcome.resource, outcome.stored) };
  if (outcome.type !== 'list' || !outcome.resource.strategy.decorate) return outcome;
  return { ...outcome, items: outcome.items.map((stored) => decorate(outcome.resource, stored)) };
}
