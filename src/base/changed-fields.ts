import { deepEqual } from './deep-equal.js';
import { isJsonObject, type JsonObject } from './json-object.js';

/** Member names and list indexes from the root of a JSON value. */
export type FieldPath = readonly (string | number)[];

/** A field with two different values; undefined means that the field is absent. */
export interface ChangedField {
  readonly path: FieldPath;
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * The fields in which two JSON values differ, as deep as both have the same structure, and at most `limit` of them.
 *
 * Lists are compared item by item if they hold objects and have the same length, and as a whole otherwise.
 */
export function changedFields(from: unknown, to: unknown, limit: number): ChangedField[] {
  const found: ChangedField[] = [];
  collect(from, to, [], found, limit);
  return found;
}

/** A path as text: `spec.containers[0].image`, `metadata.annotations["example.com/a"]`. */
export function formatFieldPath(path: FieldPath): string {
  const text = path.map((step) => {
    if (typeof step === 'number') return `[${String(step)}]`;
    return /^[A-Za-z_$][\w$-]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return text.join('').replace(/^\./, '');
}

function collect(from: unknown, to: unknown, path: FieldPath, found: ChangedField[], limit: number): void {
  if (found.length >= limit || Object.is(from, to)) return;
  if (isObjectList(from) && isObjectList(to) && from.length === to.length) {
    from.forEach((item, index) => {
      collect(item, to[index], [...path, index], found, limit);
    });
  } else if (isJsonObject(from) && isJsonObject(to)) {
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
      collect(from[name], to[name], [...path, name], found, limit);
    }
  } else if (!deepEqual(from, to)) found.push({ path, from, to });
}

function isObjectList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}
