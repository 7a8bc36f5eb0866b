import { setMember } from '../base/set-member.js';
import { formatTime } from '../base/timestamp.js';
import { OperatorError } from '../base/operator-error.js';

/**
 * Returns a value as plain JSON. Errors use `path` as its name.
 *
 * @throws OperatorError that names a value without a JSON form.
 */
export function dehydrate(value: unknown, path: string): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(path, String(value));
    case 'object':
      return value === null ? null : dehydrateObject(value, path);
    default:
      return refuse(path, `a value of type ${typeof value}`);
  }
}

// eslint-disable-next-line no-restricted-globals -- names the type, does not read the time
const DATE = Date;
const NO_JSON = [Map, Set, RegExp, ArrayBuffer, Promise];

function dehydrateObject(value: object, path: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => dehydrate(item, `${path}[${index}]`));
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    if (value instanceof DATE) return dehydrateDate(value, path);
    const foreign = NO_JSON.find((type) => value instanceof type);
    if (foreign ?? ArrayBuffer.isView(value)) return refuse(path, `a ${value.constructor.name}`);
  }
  const plain: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    // Most members are text, for which a path is not needed.
    setMember(plain, key, typeof member === 'string' ? member : dehydrate(member, `${path}.${key}`));
  }
  return plain;
}

/** Formats a time as Kubernetes does, with fractions of a second only if there are any. */
function dehydrateDate(date: Date, path: string): string {
  const epochMs = date.getTime();
  if (Number.isNaN(epochMs)) return refuse(path, 'an invalid Date');
  return epochMs % 1000 === 0 ? formatTime(epochMs) : date.toISOString();
}

function refuse(path: string, what: string): never {
  throw new OperatorError(`${path} is ${what}, which has no JSON form`, {
    code: 'E_NO_JSON',
    hint: 'set strings, finite numbers, booleans, null, lists, plain objects and valid dates',
  });
}
