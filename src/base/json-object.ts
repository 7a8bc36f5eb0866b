import { stringifyJson } from './json.js';

/** Any JSON object. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A shallow copy without some of its members. */
export function without<T extends object, K extends keyof T>(object: T, ...keys: readonly K[]): Omit<T, K> {
  const copy = { ...object };
  for (const key of keys) Reflect.deleteProperty(copy, key);
  return copy;
}

/** The member as an object, or an empty one that is not attached. */
export function objectAt(value: unknown, key: string): JsonObject {
  const member = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(member) ? member : {};
}

/** The member as an array, or an empty one that is not attached. */
export function arrayAt(value: unknown, key: string): unknown[] {
  const member = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(member) ? (member as unknown[]) : [];
}

/** The member as a string; anything else counts as empty. */
export function stringAt(value: unknown, key: string): string {
  const member = isJsonObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : '';
}

/** The member as a number; anything else counts as absent. */
export function numberAt(value: unknown, key: string): number | undefined {
  const member = isJsonObject(value) ? value[key] : undefined;
  return typeof member === 'number' ? member : undefined;
}

/** A scalar as text; anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** The objects of a list; none when there is no list. */
export function eachObject(list: unknown): JsonObject[] {
  return Array.isArray(list) ? (list as unknown[]).filter(isJsonObject) : [];
}
