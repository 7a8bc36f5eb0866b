import { nearest } from '../../base/nearest.js';
import type { Problem } from '../model-error.js';
import type { FieldOptions } from '../decorators/field-options.js';

/** The values that an option takes. */
interface Check {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isRule = (value: unknown): boolean => typeof (value as { rule?: unknown } | null)?.rule === 'string';
const STRING: Check = { expected: 'a string', accepts: (value) => typeof value === 'string' };
const NUMBER: Check = { expected: 'a number', accepts: (value) => typeof value === 'number' };
const BOOLEAN: Check = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };
const ARRAY: Check = { expected: 'an array', accepts: Array.isArray };
const OBJECTS: Check = {
  expected: 'an array of objects',
  accepts: (value) => Array.isArray(value) && value.every(isObject),
};
const OBJECT: Check = { expected: 'an object', accepts: (value) => isObject(value) && !Array.isArray(value) };
const TYPE: Check = {
  expected: 'a class, String, Number, Boolean, Date or the name of a type',
  accepts: (value) => typeof value === 'string' || typeof value === 'function' || isObject(value),
};
const ANYTHING: Check = { expected: 'any value', accepts: () => true };

const CHECKS: Readonly<Record<keyof FieldOptions | 'description', Check>> = {
  description: STRING,
  type: TYPE,
  items: TYPE,
  values: { ...TYPE, accepts: (value) => value === true || TYPE.accepts(value) },
  intOrString: BOOLEAN,
  preserveUnknownFields: BOOLEAN,
  embeddedResource: BOOLEAN,
  embeddedObjectMeta: BOOLEAN,
  schema: OBJECT,
  title: STRING,
  externalDocs: OBJECT,
  maxDescriptionLength: NUMBER,
  format: STRING,
  default: ANYTHING,
  example: ANYTHING,
  nullable: BOOLEAN,
  enum: { expected: 'an array or an enum', accepts: isObject },
  pattern: {
    expected: 'a regular expression or a string',
    accepts: (value) => typeof value === 'string' || value instanceof RegExp,
  },
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: BOOLEAN,
  exclusiveMaximum: BOOLEAN,
  multipleOf: NUMBER,
  minLength: NUMBER,
  maxLength: NUMBER,
  minItems: NUMBER,
  maxItems: NUMBER,
  minProperties: NUMBER,
  maxProperties: NUMBER,
  listType: STRING,
  listMapKeys: ARRAY,
  mapType: STRING,
  validations: {
    expected: 'an array of objects with a string rule',
    accepts: (value) => Array.isArray(value) && value.every(isRule),
  },
  allOf: OBJECTS,
  anyOf: OBJECTS,
  oneOf: OBJECTS,
  not: OBJECT,
  optional: BOOLEAN,
  gate: OBJECT,
};

/** The options without those that are unknown or have a value of the wrong type, and the problems of these. */
export function checkOptions<T extends FieldOptions>(options: T): { options: T; problems: Problem[] } {
  const problems: Problem[] = [];
  const valid = Object.entries(options).filter(([name, value]: [string, unknown]) => {
    if (value === undefined) return false;
    const problem = optionProblem(name, value);
    if (problem) problems.push(problem);
    return !problem;
  });
  return { options: Object.fromEntries(valid) as T, problems };
}

function optionProblem(name: string, value: unknown): Problem | undefined {
  if (!Object.hasOwn(CHECKS, name)) {
    const like = nearest(name, Object.keys(CHECKS));
    return [`unknown option '${name}'`, like === undefined ? `remove ${name}` : `did you mean ${like}?`];
  }
  const { expected, accepts } = CHECKS[name as keyof typeof CHECKS];
  return accepts(value) ? undefined : [`option ${name} has an invalid value`, `${name}: ${expected}`];
}
