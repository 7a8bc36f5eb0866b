import { setMember } from './set-member.js';
import { isDateObject } from './timestamp.js';
import { OperatorError } from './operator-error.js';

/**
 * Returns a value as plain JSON. Errors use `path` as its name.
 *
 * @throws OperatorError that names a value without a JSON form.
 */
export function dehydrate(value: unknown, path: string): unknown {
  try {
    return plain(value, path);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse(path, 'nested too deeply or contains itself');
  }
}

function plain(value: unknown, path: string): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(path, String(value));
    case 'object':
      return value === null ? null : plainObject(value, path);
    default:
      return refuse(path, `a value of type ${typeof value}`);
  }
}

const NO_JSON: ReadonlySet<string> = new Set(
  ['Map', 'Set', 'WeakMap', 'WeakSet', 'RegExp', 'ArrayBuffer', 'Promise'].map((name) => `[object ${name}]`),
);

/** Reports whether an object has data that JSON does not represent as its members. */
export function isForeign(value: object): boolean {
  // Each status is asked, and `instanceof` for each of the types takes six times as long.
  return NO_JSON.has(Object.prototype.toString.call(value)) || ArrayBuffer.isView(value);
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function plainObject(value: object, path: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => plain(item, `${path}[${index}]`));
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    if (isDateObject(value)) return formatDate(value, path);
    if (isForeign(value)) return refuse(path, `a ${value.constructor.name}`);
    if (hasToJson(value)) return plain(value.toJSON(), path);
  }
  const members: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    // Most members are text, for which a path is not needed.
    setMember(members, key, typeof member === 'string' ? member : plain(member, `${path}.${key}`));
  }
  return members;
}

/** Formats a time as Kubernetes does, with fractions of a second only if there are any. A subclass may have more digits. */
function formatDate(date: Date, path: string): string {
  return Number.isNaN(date.getTime()) ? refuse(path, 'an invalid Date') : date.toISOString().replace('.000Z', 'Z');
}

function refuse(path: string, what: string): never {
  throw new OperatorError(`${path} is ${what}, which has no JSON form`, {
    code: 'E_NO_JSON',
    hint: 'set strings, finite numbers, booleans, null, lists, plain objects and valid dates',
  });
}
