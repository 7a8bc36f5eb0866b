import { nearest } from '../../base/nearest.js';

const REFERENCE = 'https://kubernetes.io/docs/reference/using-api/cel/';

/** Names that rules can use without `self`, for typing errors in them. */
const GLOBALS = [
  ...['self', 'oldSelf', 'has', 'size', 'int', 'uint', 'double', 'string', 'bool', 'bytes', 'type', 'duration'],
  ...['timestamp', 'url', 'isURL', 'ip', 'isIP', 'cidr', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'],
  ...['optional', 'format', 'sets', 'math', 'dyn', 'matches'],
];

/** The step to take after a compile error of a CEL expression; `fields` are those that `self` has. */
export function celHint(error: string, fields: readonly string[]): string {
  const [, field] = /undefined field '([^']*)'/.exec(error) ?? [];
  if (field !== undefined) return nameHint(field, fields, `@Field() ${field} in the class, or another name`);
  const [, name] = /undeclared reference to '([^']*)'/.exec(error) ?? [];
  if (name !== undefined) return referenceHint(name, fields);
  if (error.includes('no matching overload'))
    return 'use operands of the same type; int(), double(), string() and bool() convert values';
  if (error.includes('must evaluate to a bool')) return `use a condition, such as size(self) > 0`;
  if (error.includes('must evaluate to a string')) return `use a string, such as 'size is ' + string(self.size)`;
  if (error.includes('invalid matches argument')) return 'use an RE2 pattern: no look-around, no back-reference';
  return `see ${REFERENCE}`;
}

function referenceHint(name: string, fields: readonly string[]): string {
  if (fields.includes(name)) return `use self.${name}`;
  return nameHint(name, GLOBALS, `use self.${name} for a field, or a function of ${REFERENCE}`);
}

function nameHint(name: string, known: readonly string[], otherwise: string): string {
  const like = nearest(name, known);
  return like === undefined ? otherwise : `use ${like}`;
}
