import { deepEqual } from '../../base/deep-equal.js';
import { isMultipleOf } from '../../base/is-multiple-of.js';
import { compilePattern } from '../../base/pattern.js';
import { fieldWord, describeType, type ClassModel, type ValueModel } from './value-model.js';

/** Returns the first violation of a model by a JSON value: `.size is 2.5, not of type integer`; undefined if valid. */
export function violation(value: unknown, model: ValueModel, path = ''): string | undefined {
  const { rules } = model;
  if (model.schema) return undefined; // validated by the API server's own rules
  // The API server never finds null in an enum.
  if (value === null) return rules.nullable === true && !rules.enum ? undefined : `${path} is null`.trimStart();
  const mistyped = typeProblem(value, model);
  if (mistyped !== undefined) return `${path} is ${shown(value)}, ${mistyped}`.trimStart();
  if (rules.enum && !rules.enum.some((allowed) => deepEqual(allowed, value)))
    return `${path} is ${shown(value)}, not one of ${rules.enum.map(shown).join(', ')}`.trimStart();
  const bound = boundProblem(value, model);
  if (bound !== undefined) return `${path} is ${shown(value)}, ${bound}`.trimStart();
  return memberProblem(value, model, path);
}

function typeProblem(value: unknown, { type, rules }: ValueModel): string | undefined {
  const found = jsonType(value);
  if (rules['x-kubernetes-int-or-string'])
    return found === 'integer' || found === 'string' ? undefined : 'neither an integer nor a string';
  if (type === undefined || found === type || (type === 'number' && found === 'integer')) return undefined;
  return `not of ${describeType(type)}`;
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) || typeof value === 'bigint' ? 'integer' : typeof value;
}

function boundProblem(value: unknown, model: ValueModel): string | undefined {
  if (typeof value === 'number') return numberProblem(value, model);
  if (typeof value === 'string') return stringProblem(value, model);
  const { rules } = model;
  if (Array.isArray(value)) return countProblem(value.length, 'items', rules.minItems, rules.maxItems);
  if (typeof value !== 'object' || value === null) return undefined;
  return countProblem(Object.keys(value).length, 'members', rules.minProperties, rules.maxProperties);
}

function numberProblem(value: number, { rules }: ValueModel): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, multipleOf } = rules;
  if (rules.exclusiveMinimum ? value <= minimum : value < minimum) return `below the minimum ${minimum}`;
  if (rules.exclusiveMaximum ? value >= maximum : value > maximum) return `above the maximum ${maximum}`;
  return multipleOf !== undefined && !isMultipleOf(value, multipleOf) ? `not a multiple of ${multipleOf}` : undefined;
}

function stringProblem(value: string, { rules }: ValueModel): string | undefined {
  const { pattern } = rules;
  // The server counts code points.
  const count = countProblem(Array.from(value).length, 'characters', rules.minLength, rules.maxLength);
  if (count !== undefined) return count;
  return pattern !== undefined && !compilePattern(pattern).matcher(value).find()
    ? `which does not match ${pattern}`
    : undefined;
}

function countProblem(count: number, what: string, min = 0, max = Infinity): string | undefined {
  if (count < min) return `fewer than ${min} ${what}`;
  return count > max ? `more than ${max} ${what}` : undefined;
}

function memberProblem(value: unknown, model: ValueModel, path: string): string | undefined {
  if (Array.isArray(value)) {
    const { items } = model;
    return items && first(value.entries(), ([index, item]) => violation(item, items, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { values } = model;
  const members = Object.entries(value);
  if (values === true) return undefined;
  if (values) return first(members, ([key, member]) => violation(member, values, `${path}.${key}`));
  return model.class && fieldProblem(members, model.class, model.rules, path);
}

function fieldProblem(
  members: readonly (readonly [string, unknown])[],
  classModel: ClassModel,
  rules: ValueModel['rules'],
  path: string,
): string | undefined {
  const { className, fields } = classModel;
  const given = new Map(members);
  const missing = fields.find(
    ({ name, isRequired, value }) => isRequired && value.rules.default === undefined && given.get(name) === undefined,
  );
  if (missing) return `${path}.${missing.name} is missing`;
  return first(members, ([key, member]) => {
    const field = fields.find(({ name }) => name === key);
    if (field) return member === undefined ? undefined : violation(member, field.value, `${path}.${key}`);
    return rules['x-kubernetes-preserve-unknown-fields'] || Object.hasOwn(classModel.undeclared ?? {}, key)
      ? undefined
      : `${path}.${key} is not a ${fieldWord(classModel)} of ${className === '' ? path : className}`;
  });
}

function first<T>(items: Iterable<T>, problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) as string | undefined);
  return text === undefined ? String(value) : text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
