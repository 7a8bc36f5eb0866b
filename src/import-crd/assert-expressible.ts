import type { JsonSchema } from '../api/json-schema.js';
import { OperatorError } from '../base/operator-error.js';

/** Keywords for values other than objects with fields. */
const NOT_OF_ROOT = ['additionalProperties', 'items', 'format', 'enum', 'pattern'] as const;

/** @throws OperatorError when the root schema has a keyword that the class of a kind cannot express */
export function assertExpressible(name: string, schema: JsonSchema): void {
  const keyword = NOT_OF_ROOT.find((key) => schema[key] !== undefined);
  if (keyword === undefined) return;
  throw new OperatorError(
    `${name} has the keyword ${keyword} at the root of its schema, which cannot be expressed as a class`,
    {
      code: 'E_CRD',
      hint: 'keep the definition in YAML and read its objects untyped, with toKindRef',
    },
  );
}
