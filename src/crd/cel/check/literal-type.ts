import { UintLiteral, type LiteralValue } from '../syntax/expression.js';
import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT, type CelType } from './cel-type.js';

export function literalType(value: LiteralValue): CelType {
  if (value === null) return NULL;
  if (value instanceof UintLiteral) return UINT;
  if (value instanceof Uint8Array) return BYTES;
  switch (typeof value) {
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'boolean':
      return BOOL;
    default:
      return STRING;
  }
}
