import { copyDate, isDateObject } from '../../base/timestamp.js';

type Members = Readonly<Record<string, unknown>>;

/** Copies the data of a value: lists, dates and own members, without classes and functions. */
export function snapshot(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snapshot);
  if (isDateObject(value)) return copyDate(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, snapshot(member)]));
}

/** Returns the path of the first difference between a snapshot and the present value, such as `spec.ports[0].name`. */
export function changedPath(before: unknown, now: unknown, path: string): string | undefined {
  if (isDateObject(before) && isDateObject(now)) return Object.is(+before, +now) ? undefined : path;
  if (Array.isArray(before) && Array.isArray(now)) return changedItem(before, now, path);
  if (isMembers(before) && isMembers(now)) return changedMember(before, now, path);
  return isSameLeaf(before, now) ? undefined : path;
}

function changedMember(before: Members, now: Members, path: string): string | undefined {
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const changed = changedPath(before[key], now[key], `${path}.${key}`);
    if (changed !== undefined) return changed;
  }
  return undefined;
}

function changedItem(before: readonly unknown[], now: readonly unknown[], path: string): string | undefined {
  if (before.length !== now.length) return path;
  for (const [index, item] of before.entries()) {
    const changed = changedPath(item, now[index], `${path}[${index}]`);
    if (changed !== undefined) return changed;
  }
  return undefined;
}

/** Functions are not data. */
function isSameLeaf(before: unknown, now: unknown): boolean {
  return Object.is(before, now) || (typeof before === 'function' && typeof now === 'function');
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isDateObject(value);
}
