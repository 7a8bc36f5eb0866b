import { plainKey } from '../functions/list-functions.js';
import { CelError, CelOptional, typeNameOf, type CelMap, type CelValue } from './cel-value.js';

/** `operand.field`, or with `isTest` `has(operand.field)`. */
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

/** `operand.?field`. */
export function optionalSelect(operand: CelValue, field: string): CelValue {
  if (operand instanceof CelError) return operand;
  const inner = operand instanceof CelOptional ? operand.value : operand;
  if (inner === undefined) return CelOptional.none;
  const found = inner instanceof Map ? fieldOf(inner, field) : keyMissing(inner, field);
  if (found instanceof CelError) return found;
  return found === undefined ? CelOptional.none : new CelOptional(found);
}

/** `operand[key]`, or with `isOptional` `operand[?key]`, of an operand that takes no such key. */
export function indexOther(operand: CelValue, key: CelValue, isOptional: boolean): CelValue {
  const none = isOptional ? CelOptional.none : noSuchKey(key);
  return operand instanceof Map ? new CelError('no such overload') : (keyMissing(operand, key) ?? none);
}

/** A list has no keys but whole numbers; what is neither map nor list merely has no such key. */
function keyMissing(operand: CelValue, key: CelValue): CelError | undefined {
  return Array.isArray(operand) ? new CelError(`unsupported index type '${typeNameOf(key)}' in list`) : undefined;
}

function noSuchKey(key: CelValue): CelError {
  return new CelError(`no such key: ${String(plainKey(key))}`);
}

/** A field, where a reserved word may be written as it is. */
function fieldOf(map: CelMap, field: string): CelValue | undefined {
  return map.get(field) ?? map.get(`__${field}__`);
}
