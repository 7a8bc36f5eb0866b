import type { FieldError } from '../../api/protocol/field-error.js';
import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { correlatedItem } from '../../crd/schema/correlated-item.js';
import { memberSchema, type StructuralSchema } from '../../crd/schema/structural-schema.js';

type Schema = StructuralSchema | undefined;

/** Drops the errors of values that an update did not change: validation/ratcheting.go. */
export function ratchet(errors: FieldError[], schema: StructuralSchema, next: unknown, old: unknown): FieldError[] {
  return errors.filter(({ field }) => !isUnchanged(schema, next, old, field === '<nil>' ? '' : field));
}

/** Returns whether the value at a path, or an enclosing value, is unchanged and can be correlated with the old one. */
function isUnchanged(schema: Schema, next: unknown, old: unknown, path: string): boolean {
  if (old === undefined) return false;
  if (isEqual(schema, next, old)) return true;
  if (Array.isArray(next)) return isItemUnchanged(schema, next as unknown[], old, path);
  return isJsonObject(next) && isJsonObject(old) && isMemberUnchanged(schema, next, old, path);
}

/** Compares values; the items of a list with keys may be in another order. */
function isEqual(schema: Schema, next: unknown, old: unknown): boolean {
  if (deepEqual(next, old)) return true;
  if (!schema) return false;
  if (Array.isArray(next) && Array.isArray(old)) {
    if (next.length !== old.length) return false;
    return next.every((item: unknown) => {
      const former = correlatedItem(schema, item, old);
      return former !== undefined && isEqual(schema.items, item, former);
    });
  }
  if (!isJsonObject(next) || !isJsonObject(old)) return false;
  const names = Object.keys(next);
  return (
    names.length === Object.keys(old).length &&
    names.every((name) => name in old && isEqual(memberSchema(schema, name), next[name], old[name]))
  );
}

function isItemUnchanged(schema: Schema, next: readonly unknown[], old: unknown, path: string): boolean {
  const [step, index] = /^\[(\d+)\]/.exec(path) ?? [];
  if (step === undefined || !schema) return false;
  const item = next[Number(index)];
  return isUnchanged(schema.items, item, correlatedItem(schema, item, old), path.slice(step.length));
}

function isMemberUnchanged(schema: Schema, next: JsonObject, old: JsonObject, path: string): boolean {
  return Object.keys(next).some((name) =>
    stepsTo(name)
      .filter((step) => path.startsWith(step) && /^($|[.[])/.test(path.slice(step.length)))
      .some((step) =>
        isUnchanged(schema && memberSchema(schema, name), next[name], old[name], path.slice(step.length)),
      ),
  );
}

/** Returns the possible path segments of a member. */
function stepsTo(name: string): string[] {
  return [name, `.${name}`, `[${name}]`];
}
