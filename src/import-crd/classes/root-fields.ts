import type { JsonSchema } from '../../api/json-schema.js';
import { deepEqual } from '../../base/deep-equal.js';
import { isFieldName } from '../values/expressible.js';

/** The schemas of the common fields of all objects, as controller-gen writes them. */
export type CommonFields = Readonly<Record<string, JsonSchema>>;

/** The schema of a kind, split into the common fields and its own fields. */
export interface RootFields {
  /** True when all common fields are present. */
  readonly hasCommonFields: boolean;
  /** The kind's own fields, and common fields with a different schema. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** Fields that a class cannot declare. */
  readonly undeclared: Readonly<Record<string, JsonSchema>>;
}

/** Methods of every kind's class. */
const METHODS: readonly string[] = ['reconcile', 'deleted'];

export function rootFields({ properties = {} }: JsonSchema, common: CommonFields): RootFields {
  const hasCommonFields = Object.keys(common).every((name) => Object.hasOwn(properties, name));
  const own = Object.entries(properties).filter(([name, schema]) => {
    return !(hasCommonFields && Object.hasOwn(common, name) && deepEqual(common[name], schema));
  });
  const isDeclared = ([name]: [string, unknown]): boolean => !METHODS.includes(name) && isFieldName(name);
  return {
    hasCommonFields,
    properties: Object.fromEntries(own.filter(isDeclared)),
    undeclared: Object.fromEntries(own.filter((field) => !isDeclared(field))),
  };
}
