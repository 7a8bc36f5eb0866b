import type { JsonSchema } from '../api/schema/json-schema.js';
import { deepEqual } from '../base/deep-equal.js';
import { acceptsNull } from '../crd/schema/structural-schema.js';
import type { ChangeLog } from './change-log.js';

const LOWER = ['minLength', 'minItems', 'minProperties'] as const;
const UPPER = ['maxLength', 'maxItems', 'maxProperties'] as const;

/** Compares the bounds of numbers, lengths and counts: narrower bounds reject values, wider ones accept more. */
export function compareBounds(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  for (const name of LOWER) compareBound(name, old[name], next[name], 1, log);
  for (const name of UPPER) compareBound(name, old[name], next[name], -1, log);
  compareLimit('minimum', 'exclusiveMinimum', 1, old, next, log);
  compareLimit('maximum', 'exclusiveMaximum', -1, old, next, log);
  compareMultiple(old.multipleOf, next.multipleOf, log);
}

/** @param up 1 if a greater bound is narrower, -1 if a smaller bound is narrower */
function compareBound(
  name: string,
  old: number | undefined,
  next: number | undefined,
  up: 1 | -1,
  log: ChangeLog,
): void {
  if (old === next) return;
  const isNarrower = old === undefined || (next !== undefined && (next - old) * up > 0);
  log.add(isNarrower ? 'tightening' : 'safe', `${name} is ${next ?? 'none'}, was ${old ?? 'none'}`);
}

function compareLimit(
  name: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
  up: 1 | -1,
  old: JsonSchema,
  next: JsonSchema,
  log: ChangeLog,
): void {
  compareBound(name, old[name], next[name], up, log);
  if (old[name] !== next[name] || (old[exclusive] ?? false) === (next[exclusive] ?? false)) return;
  const text = `${name} ${String(next[name])} is ${next[exclusive] ? 'excluded' : 'included'}`;
  log.add(next[exclusive] ? 'tightening' : 'safe', text);
}

function compareMultiple(old: number | undefined, next: number | undefined, log: ChangeLog): void {
  if (old === next) return;
  const isWider = next === undefined || (old !== undefined && old % next === 0);
  log.add(isWider ? 'safe' : 'tightening', `multipleOf is ${next ?? 'none'}, was ${old ?? 'none'}`);
}

/** Compares the accepted values and the default. */
export function compareAcceptedValues(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  compareEnum(old.enum, next.enum, log);
  if (acceptsNull(old) && !next.nullable) log.add('tightening', 'must not be null');
  if (!old.nullable && acceptsNull(next)) log.add('safe', 'may be null');
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

const LOGIC = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** Compares patterns, formats, CEL rules and logical constraints. Implication between them cannot be decided. */
export function compareRules(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  for (const name of ['pattern', 'format'] as const) {
    if (old[name] === next[name]) continue;
    log.add(
      next[name] === undefined ? 'safe' : 'tightening',
      `${name} is ${next[name] ?? 'none'}, was ${old[name] ?? 'none'}`,
    );
  }
  for (const name of LOGIC) {
    if (deepEqual(old[name], next[name])) continue;
    if (next[name] === undefined) log.add('safe', `${name} removed`);
    else log.add('tightening', old[name] === undefined ? `${name} added` : `${name} changed`);
  }
  compareValidations(ruleTexts(old), ruleTexts(next), log);
}

function compareValidations(old: readonly string[], next: readonly string[], log: ChangeLog): void {
  for (const rule of next) if (!old.includes(rule)) log.add('tightening', `rule added: ${rule}`);
  for (const rule of old) if (!next.includes(rule)) log.add('safe', `rule removed: ${rule}`);
}

function ruleTexts(schema: JsonSchema): string[] {
  return (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
}

/**
 * Compares how server-side apply merges a list or map. Field ownership depends on it, so a change affects owned
 * fields.
 *
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#compatibility-across-toplogy-changes
 */
export function compareMerging(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  const [before, after] = [mergingOf(old), mergingOf(next)];
  if (!deepEqual(before, after)) log.add('breaking', `merges as ${formatMerging(after)}, was ${formatMerging(before)}`);
}

interface Merging {
  readonly as: string;
  readonly by: readonly string[];
}

function mergingOf(schema: JsonSchema): Merging {
  const as = schema.type === 'array' ? (schema['x-kubernetes-list-type'] ?? 'atomic') : mapType(schema);
  return { as, by: schema['x-kubernetes-list-map-keys'] ?? [] };
}

function mapType(schema: JsonSchema): string {
  return schema['x-kubernetes-map-type'] ?? 'granular';
}

function formatMerging({ as, by }: Merging): string {
  return by.length > 0 ? `${as} by ${by.join(', ')}` : as;
}
