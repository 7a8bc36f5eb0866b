import { types } from 'node:util';
import type { Live } from '../../api/objects/kube-object.js';

/** A generated class of client-node, which knows the names of its fields in the API. */
interface GeneratedClass {
  readonly getAttributeTypeMap?: () => readonly { readonly name: string; readonly baseName: string }[];
}

/**
 * Returns an object of @kubernetes/client-node, such as a V1Pod, in the form of the API and of the kinds of this package:
 * a Date becomes a string, and a field gets its name in the API (`_from` becomes `from`).
 *
 * The result shares nothing with the object. Fields of object literals are renamed if they are `_from`; those of objects
 * that client-node created are all renamed.
 *
 * @example
 * await client.create(Pod, fromClientNode(pod)); // pod: V1Pod
 */
export function fromClientNode<T extends object>(object: T): Live<T> {
  return convert(object) as Live<T>;
}

function convert(value: unknown): unknown {
  if (types.isDate(value)) return value.toISOString();
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const { getAttributeTypeMap } = value.constructor as GeneratedClass;
  const names = new Map(getAttributeTypeMap?.().map(({ name, baseName }) => [name, baseName]));
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    entries.map(([name, field]) => [names.get(name) ?? literalName(name, field), convert(field)]),
  );
}

/** A ConfigMap may have the key `_from`, with a string. */
function literalName(name: string, field: unknown): string {
  return name === '_from' && Array.isArray(field) ? 'from' : name;
}
