import type { JsonSchema } from '../api/json-schema.js';
import { deepEqual } from '../base/deep-equal.js';
import type { ChangeLog } from './change-log.js';

/**
 * Compares how server-side apply merges a list or map. Field ownership depends on it, so a change affects owned
 * fields.
 *
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#compatibility-across-toplogy-changes
 */
export function compareMerging(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  const [before, after] = [mergingOf(old), mergingOf(next)];
  if (!deepEqual(before, after)) log.add('breaking', `merges as ${formatMerging(after)}, was ${formatMerging(before)}`);
}

interface Merging {
  readonly as: string;
  readonly by: readonly string[];
}

function mergingOf(schema: JsonSchema): Merging {
  const as = schema.type === 'array' ? (schema['x-kubernetes-list-type'] ?? 'atomic') : mapType(schema);
  return { as, by: schema['x-kubernetes-list-map-keys'] ?? [] };
}

function mapType(schema: JsonSchema): string {
  return schema['x-kubernetes-map-type'] ?? 'granular';
}

function formatMerging({ as, by }: Merging): string {
  return by.length > 0 ? `${as} by ${by.join(', ')}` : as;
}
