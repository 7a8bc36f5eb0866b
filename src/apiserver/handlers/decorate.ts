import type { Resource } from '../resources/resource.js';
import { StoredObject } from '../storage/stored-object.js';
import type { Outcome } from '../transport/outcome.js';

/** What came from the store as the endpoint of its kind shows it. */
export function decorate({ strategy }: Resource, stored: StoredObject): StoredObject {
  const object = strategy.decorate?.(stored.object) ?? stored.object;
  return object === stored.object ? stored : new StoredObject(stored.key, object, stored.revision);
}

/** The same of all objects in an answer. */
export function decorateOutcome(outcome: Outcome): Outcome {
  if (outcome.k === 'object') return { ...outcome, stored: decorate(outcome.resource, outcome.stored) };
  if (outcome.k !== 'list' || !outcome.resource.strategy.decorate) return outcome;
  return { ...outcome, items: outcome.items.map((stored) => decorate(outcome.resource, stored)) };
}
