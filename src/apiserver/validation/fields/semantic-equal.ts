import { deepEqual } from '../../../base/deep-equal.js';
import { isJsonObject } from '../../objects/api-object.js';

/**
 * Reports whether two values are equal, where empty and missing lists and maps are equal: apimachinery's
 * Semantic.DeepEqual.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  return deepEqual(withoutEmpty(a), withoutEmpty(b));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (!isJsonObject(value)) return value ?? undefined;
  const kept = Object.entries(value)
    .map(([name, member]) => [name, withoutEmpty(member)] as const)
    .filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
