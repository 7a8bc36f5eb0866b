import type { JsonSchema } from '../api/json-schema.js';
import { OperatorError } from '../base/operator-error.js';

/** What says something of objects without fields, and of other values. */
const NOT_OF_ROOT = ['additionalProperties', 'items', 'format', 'enum', 'pattern'] as const;

/** @throws OperatorError when whole objects have something that the class of a kind cannot have */
export function requireSayable(name: string, schema: JsonSchema): void {
  const keyword = NOT_OF_ROOT.find((key) => schema[key] !== undefined);
  if (keyword === undefined) return;
  throw new OperatorError(`${name} has the keyword ${keyword} at the top of its schema, and no class can say it`, {
    code: 'E_CRD',
    hint: 'the API server takes it, so keep the definition in YAML and read its objects untyped, with toKindRef',
  });
}
