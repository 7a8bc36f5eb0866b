import type { JsonSchema } from '../api/json-schema.js';
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
