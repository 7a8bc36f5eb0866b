import { isJsonObject, type JsonObject } from '../../../base/json-object.js';
import { toText } from '../functions/format-string.js';
import { CelOptional, type CelMap, type CelValue } from '../values/cel-value.js';
import { CelDuration } from '../../formats/duration.js';
import { CelTimestamp } from '../../formats/timestamp.js';

/** Converts a JSON value without a schema to CEL; whole numbers are ints. */
export function dynamicValue(value: unknown): CelValue {
  if (Array.isArray(value)) return (value as unknown[]).map(dynamicValue);
  if (isJsonObject(value)) return new Map(Object.entries(value).map(([name, member]) => [name, dynamicValue(member)]));
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return (value ?? null) as CelValue;
}

/** Converts the result of an expression to JSON; an optional is unwrapped. */
export function jsonOf(value: CelValue): unknown {
  if (Array.isArray(value)) return (value as CelValue[]).map(jsonOf);
  if (value instanceof Map) return objectOf(value as CelMap);
  if (value instanceof CelOptional) return value.value === undefined ? undefined : jsonOf(value.value);
  if (value instanceof CelTimestamp || value instanceof CelDuration) return toText(value);
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function objectOf(map: CelMap): JsonObject {
  return Object.fromEntries([...map].map(([name, member]) => [String(name), jsonOf(member)]));
}
