import type { JsonSchema } from '../api/json-schema.js';
import { deepEqual } from '../base/deep-equal.js';
import type { ChangeLog } from './change-log.js';

/** Compares the accepted values and the default. */
export function compareValues(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  compareEnum(old.enum, next.enum, log);
  if (old.nullable && !next.nullable) log.add('tightening', 'must not be null');
  if (!old.nullable && next.nullable) log.add('safe', 'may be null');
  compareDefault(old.default, next.default, log);
}

function compareEnum(old: readonly unknown[] | undefined, next: readonly unknown[] | undefined, log: ChangeLog): void {
  if (!old && next) log.add('tightening', `must be one of ${list(next)}, was unrestricted`);
  if (old && !next) log.add('safe', `accepts any value, was one of ${list(old)}`);
  if (!old || !next) return;
  const removed = old.filter((value) => !has(next, value));
  const added = next.filter((value) => !has(old, value));
  if (removed.length > 0) log.add('breaking', `no longer accepts ${list(removed)}`);
  if (added.length > 0) log.add('safe', `also accepts ${list(added)}`);
}

function compareDefault(old: unknown, next: unknown, log: ChangeLog): void {
  if (deepEqual(old, next)) return;
  if (old === undefined) log.add('tightening', `default added: ${text(next)}`);
  else if (next === undefined) log.add('breaking', `default removed, was ${text(old)}`);
  else log.add('breaking', `default changed to ${text(next)}, was ${text(old)}`);
}

function has(values: readonly unknown[], wanted: unknown): boolean {
  return values.some((value) => deepEqual(value, wanted));
}

function list(values: readonly unknown[]): string {
  return values.map(text).join(', ');
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
