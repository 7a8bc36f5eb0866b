import type { JsonSchema } from '../../api/json-schema.js';
import { deepEqual } from '../../base/deep-equal.js';
import { isFieldName } from '../values/expressible.js';

/** The schemas of what every object has, as controller-gen writes them. */
export type CommonFields = Readonly<Record<string, JsonSchema>>;

/** How a kind's schema is told apart into what every object has and what is its own. */
export interface RootFields {
  /** Whether all of what every object has is there. */
  readonly hasCommonFields: boolean;
  /** The kind's own fields, and those that every object has where they are described in other words. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** Fields that a class cannot have. */
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
