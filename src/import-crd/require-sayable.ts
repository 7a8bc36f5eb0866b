import type { JsonSchema } from '../api/json-schema.js';
import { OperatorError } from '../base/operator-error.js';
import { isFieldName } from './values/expressible.js';

/** Methods of every kind's class. */
const METHODS = ['reconcile', 'deleted'];
/** What says something of objects without fields, and of other values. */
const NOT_OF_ROOT = ['additionalProperties', 'items', 'format', 'enum', 'pattern'] as const;

/** @throws OperatorError when whole objects have something that a class with a method `reconcile` cannot have */
export function requireSayable(name: string, schema: JsonSchema): void {
  const field = Object.keys(schema.properties ?? {}).find((key) => METHODS.includes(key) || !isFieldName(key));
  const keyword = NOT_OF_ROOT.find((key) => schema[key] !== undefined);
  if (field === undefined && keyword === undefined) return;
  const what = field === undefined ? `the keyword ${keyword}` : `a field ${JSON.stringify(field)}`;
  throw new OperatorError(`${name} has ${what} at the top of its schema, and a class for a kind cannot have it`, {
    code: 'E_CRD',
    hint: 'the API server takes it, so keep the definition in YAML and read its objects untyped, with toKindRef',
  });
}
