import { stringifyJson } from './json.js';
import { ownMember } from './own-member.js';

/** Any JSON object. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a shallow copy without the given members. */
export function without<T extends object, K extends keyof T>(object: T, ...keys: readonly K[]): Omit<T, K> {
  const copy = { ...object };
  for (const key of keys) Reflect.deleteProperty(copy, key);
  return copy;
}

/** Returns the value at a path of members; undefined when one on the path is missing. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (!isJsonObject(at)) return undefined;
    at = ownMember(at, name);
  }
  return at;
}

/** Returns the member as an object, or a detached empty object. */
export function objectAt(value: unknown, key: string): JsonObject {
  const member = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(member) ? member : {};
}

/** Returns the member as an array, or a detached empty array. */
export function arrayAt(value: unknown, key: string): unknown[] {
  const member = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(member) ? (member as unknown[]) : [];
}

/** Returns the member as a string; empty for other types. */
export function stringAt(value: unknown, key: string): string {
  const member = isJsonObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : '';
}

/** Returns the member as a number; undefined for other types. */
export function numberAt(value: unknown, key: string): number | undefined {
  const member = isJsonObject(value) ? value[key] : undefined;
  return typeof member === 'number' ? member : undefined;
}

/** Returns a scalar as text, and other values as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** Returns the objects of a list; empty for other values. */
export function eachObject(list: unknown): JsonObject[] {
  return Array.isArray(list) ? (list as unknown[]).filter(isJsonObject) : [];
}
