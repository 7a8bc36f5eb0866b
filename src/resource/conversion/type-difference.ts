import { deepEqual } from '../../base/deep-equal.js';
import { describeType, type ValueModel } from '../fields/value-model.js';

/** The place where two values differ, as a suffix of their path, and the type of each. */
export type TypeDifference = readonly [at: string, one: string, other: string];

/**
 * Returns the first difference between the types of two values; undefined where every value of one is a value of the
 * other, apart from rules such as a minimum.
 */
export function typeDifference(one: ValueModel, other: ValueModel): TypeDifference | undefined {
  if (one.schema ?? other.schema)
    return deepEqual(one.schema, other.schema) ? undefined : ['', 'a value with another schema', 'one'];
  if (describe(one) !== describe(other)) return ['', describe(one), describe(other)];
  if (one.items && other.items) return below('[]', typeDifference(one.items, other.items));
  if (typeof one.values === 'object' && typeof other.values === 'object')
    return below('.*', typeDifference(one.values, other.values));
  return fieldDifference(one, other);
}

/** The type of a value as messages name it. */
export function describe({ type, class: object, values, rules, schema }: ValueModel): string {
  if (schema) return 'a value with a schema of its own';
  if (rules['x-kubernetes-int-or-string']) return 'an integer or string';
  if (object) return 'an object with fields';
  if (values !== undefined) return 'a map';
  return describeType(type).replace(/^type /, 'a value of type ');
}

function fieldDifference(one: ValueModel, other: ValueModel): TypeDifference | undefined {
  if (!one.class || !other.class) return undefined;
  const fields = new Map(other.class.fields.map(({ name, value }) => [name, value]));
  for (const { name, value } of one.class.fields) {
    const counterpart = fields.get(name);
    if (!counterpart) return [`.${name}`, describe(value), 'does not exist'];
    const difference = below(`.${name}`, typeDifference(value, counterpart));
    if (difference) return difference;
  }
  const names = new Set(one.class.fields.map(({ name }) => name));
  const surplus = other.class.fields.find(({ name }) => !names.has(name));
  return surplus && [`.${surplus.name}`, 'missing', describe(surplus.value)];
}

function below(step: string, difference: TypeDifference | undefined): TypeDifference | undefined {
  return difference && [`${step}${difference[0]}`, difference[1], difference[2]];
}
