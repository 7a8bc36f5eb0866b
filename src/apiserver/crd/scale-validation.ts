import { invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { goText, goTypeOf } from '../apply/go-value.js';
import { isJsonObject, type ApiObject } from '../objects/api-object.js';
import type { ScalePaths } from '../resources/resource.js';

const MAX_REPLICAS = 2 ** 31 - 1;

/** Returns the errors of the replicas in the spec, at the path of the definition. */
export function specReplicasErrors({ specReplicas }: ScalePaths, object: ApiObject): FieldError[] {
  return replicasErrors(specReplicas, object);
}

/** Returns the errors of the scale fields in the status. */
export function scaleStatusErrors({ statusReplicas, selectorPath }: ScalePaths, object: ApiObject): FieldError[] {
  return [...replicasErrors(statusReplicas, object), ...selectorErrors(selectorPath, object)];
}

function selectorErrors(path: readonly string[] | undefined, object: ApiObject): FieldError[] {
  if (!path) return [];
  const { node, why } = nestedValue(object, path);
  const field = `.${path.join('.')}`;
  if (why !== undefined) return [invalidValue(field, '', why)];
  const isText = node === undefined || typeof node === 'string';
  return isText ? [] : [invalidValue(field, '', accessorError(field, node, 'string'))];
}

function replicasErrors(path: readonly string[], object: ApiObject): FieldError[] {
  const field = `.${path.join('.')}`;
  const { value, why } = nestedInteger(object, path);
  if (why !== undefined) return [invalidValue(field, 0, why)];
  if (value < 0) return [invalidValue(field, value, 'should be a non-negative integer')];
  return value > MAX_REPLICAS ? [invalidValue(field, value, `should be less than or equal to ${MAX_REPLICAS}`)] : [];
}

/** Reads an integer like unstructured.NestedInt64. */
function nestedInteger(object: ApiObject, path: readonly string[]): { value: number; why?: string } {
  const { node, why } = nestedValue(object, path);
  if (why !== undefined) return { value: 0, why };
  if (node === undefined) return { value: 0 };
  if (typeof node === 'number' && Number.isInteger(node)) return { value: node };
  return { value: 0, why: accessorError(`.${path.join('.')}`, node, 'int64') };
}

/** Reads a field like unstructured.NestedFieldNoCopy: undefined where a field on the path is missing or null. */
function nestedValue(object: ApiObject, path: readonly string[]): { node?: unknown; why?: string } {
  let node: unknown = object;
  for (const [index, part] of path.entries()) {
    const parent = `.${path.slice(0, index + 1).join('.')}`;
    if (node === null) return {};
    if (!isJsonObject(node)) return { why: accessorError(parent, node, 'map[string]interface{}') };
    if (!Object.hasOwn(node, part)) return {};
    node = node[part];
  }
  return { node };
}

function accessorError(path: string, value: unknown, expected: string): string {
  const isWhole = typeof value === 'number' && Number.isInteger(value);
  const type = value === null ? '<nil>' : isWhole ? 'int64' : goTypeOf(value);
  return `${path} accessor error: ${goText(value)} is of the type ${type}, expected ${expected}`;
}
