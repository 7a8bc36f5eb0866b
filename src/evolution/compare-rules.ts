import type { JsonSchema } from '../api/json-schema.js';
import { deepEqual } from '../base/deep-equal.js';
import type { ChangeLog } from './change-log.js';

const LOGIC = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** Patterns, formats, CEL rules and logical constraints, of which it cannot be told whether one implies another. */
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
    if (next[name] === undefined) log.add('safe', `${name} is gone`);
    else log.add('tightening', old[name] === undefined ? `${name} is new` : `${name} is another`);
  }
  compareValidations(ruleTexts(old), ruleTexts(next), log);
}

function compareValidations(old: readonly string[], next: readonly string[], log: ChangeLog): void {
  for (const rule of next) if (!old.includes(rule)) log.add('tightening', `a new rule: ${rule}`);
  for (const rule of old) if (!next.includes(rule)) log.add('safe', `a rule is gone: ${rule}`);
}

function ruleTexts(schema: JsonSchema): string[] {
  return (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
}
