import type { JsonSchema } from '../api/json-schema.js';
import { deepEqual } from '../base/deep-equal.js';
import type { ChangeLog } from './change-log.js';

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
