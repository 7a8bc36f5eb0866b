import { plainKey } from '../functions/list-functions.js';
import { CelError, CelOptional, typeNameOf, type CelMap, type CelValue } from '../values/cel-value.js';

/** Evaluates `operand.field`, or `has(operand.field)` with `isTest`. */
export function select(operand: CelValue, field: string, isTest: boolean): CelValue {
  if (operand instanceof CelError) return operand;
  if (operand instanceof CelOptional) {
    if (isTest) return operand.value !== undefined && select(operand.value, field, true);
    return operand.value === undefined ? operand : optionalSelect(operand.value, field);
  }
  const found = operand instanceof Map ? fieldOf(operand, field) : keyMissing(operand, field);
  if (found instanceof CelError) return found;
  return isTest ? found !== undefined : (found ?? noSuchKey(field));
}

/** Evaluates `operand.?field`. */
export function optionalSelect(operand: CelValue, field: string): CelValue {
  if (operand instanceof CelError) return operand;
  const inner = operand instanceof CelOptional ? operand.value : operand;
  if (inner === undefined) return CelOptional.none;
  const found = inner instanceof Map ? fieldOf(inner, field) : keyMissing(inner, field);
  if (found instanceof CelError) return found;
  return found === undefined ? CelOptional.none : new CelOptional(found);
}

/**
 * Evaluates `operand[key]`, or `operand[?key]` with `isOptional`, for an operand without an index overload for the
 * key.
 */
export function indexOther(operand: CelValue, key: CelValue, isOptional: boolean): CelValue {
  const none = isOptional ? CelOptional.none : noSuchKey(key);
  return operand instanceof Map ? new CelError('no such overload') : (keyMissing(operand, key) ?? none);
}

/** Lists accept only integer keys; operands that are neither maps nor lists have no such key. */
function keyMissing(operand: CelValue, key: CelValue): CelError | undefined {
  return Array.isArray(operand) ? new CelError(`unsupported index type '${typeNameOf(key)}' in list`) : undefined;
}

function noSuchKey(key: CelValue): CelError {
  return new CelError(`no such key: ${String(plainKey(key))}`);
}

/** Returns a field; a reserved word may be written unescaped. */
function fieldOf(map: CelMap, field: string): CelValue | undefined {
  return map.get(field) ?? map.get(`__${field}__`);
}
