import { isJsonObject } from '../../base/json-object.js';
import type { StructuralSchema } from './structural-schema.js';

/** Returns the former item with the same keys; items can be correlated only in lists of type map. */
export function correlatedItem(schema: StructuralSchema, item: unknown, old: unknown): unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !Array.isArray(old) || !isJsonObject(item))
    return undefined;
  return (old as unknown[]).find((former) => isJsonObject(former) && keys.every((key) => former[key] === item[key]));
}
