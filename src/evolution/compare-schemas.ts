import type { JsonSchema } from '../api/schema/json-schema.js';
import type { Severity } from './api-change.js';
import type { ChangeLog } from './change-log.js';
import { compareBounds, compareMerging, compareRules, compareAcceptedValues } from './compare-keywords.js';

/** Compares two schemas of one value, including all nested schemas. */
export function compareSchemas(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  if (typeOf(old) !== typeOf(next)) {
    log.add('breaking', `is ${typeOf(next)}, was ${typeOf(old)}`);
    return;
  }
  compareFields(old, next, log);
  compareOpenness(old, next, log);
  compareMembers(old, next, log);
  compareBounds(old, next, log);
  compareAcceptedValues(old, next, log);
  compareRules(old, next, log);
  compareMerging(old, next, log);
}

function typeOf(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string']) return 'an integer or a string';
  return schema.type ?? 'of any type';
}

function compareFields(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  const names = new Set([...Object.keys(old.properties ?? {}), ...Object.keys(next.properties ?? {})]);
  for (const name of names) {
    const before = property(old, name);
    const after = property(next, name);
    if (before && after) compareSchemas(before, after, log.at(`.${name}`));
    else if (before) fieldGone(next, log.at(`.${name}`));
    else if (after) fieldAdded(old, next, name, log.at(`.${name}`));
  }
  compareRequired(old, next, log);
}

function property({ properties }: JsonSchema, name: string): JsonSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function fieldGone(next: JsonSchema, log: ChangeLog): void {
  if (isOpen(next)) log.add('safe', 'removed from the schema; values are preserved as unknown fields');
  else log.add('breaking', 'removed; values are dropped');
}

function fieldAdded(old: JsonSchema, next: JsonSchema, name: string, log: ChangeLog): void {
  if (isRequired(next, name)) log.add('breaking', 'required field added; existing objects do not have it');
  else if (isOpen(old)) log.add('tightening', 'schema added where any value was accepted');
  else log.add('safe', 'added');
}

function compareRequired(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  const names = new Set([...(old.required ?? []), ...(next.required ?? [])]);
  for (const name of names) {
    const isInBoth = (property(old, name) === undefined) === (property(next, name) === undefined);
    if (!isInBoth) continue;
    // Clients nearly always set `spec`; it is missing only in objects without settings.
    compareNeed(
      isRequired(old, name),
      isRequired(next, name),
      log.at(`.${name}`),
      log.isRoot ? 'tightening' : 'breaking',
    );
  }
}

function compareNeed(was: boolean, is: boolean, log: ChangeLog, severity: Severity): void {
  if (!was && is) log.add(severity, 'is required without a default, was optional');
  if (was && !is) log.add('safe', 'is optional, was required');
}

/** Returns whether objects must contain a field; fields with a default are optional. */
function isRequired(schema: JsonSchema, name: string): boolean {
  return schema.required?.includes(name) === true && property(schema, name)?.default === undefined;
}

/** Returns whether undescribed fields are kept. */
function isOpen(schema: JsonSchema): boolean {
  const { additionalProperties = false } = schema;
  return schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties !== false;
}

function compareOpenness(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  if (isOpen(old) && !isOpen(next)) log.add('breaking', 'unknown fields are dropped, were preserved');
  if (!isOpen(old) && isOpen(next)) log.add('safe', 'unknown fields are preserved, were dropped');
  const [was, is] = [old, next].map((schema) => schema['x-kubernetes-embedded-resource'] === true);
  if (!was && is) log.add('tightening', 'must be a complete Kubernetes object');
  if (was && !is) log.add('breaking', 'is no longer a complete Kubernetes object; metadata may be dropped');
}

function compareMembers(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  if (old.items && next.items) compareSchemas(old.items, next.items, log.at('[]'));
  if (!isOpen(old) || !isOpen(next)) return;
  const [before, after] = [mapValue(old), mapValue(next)];
  if (before && after) compareSchemas(before, after, log.at('{}'));
  else if (after) log.at('{}').add('tightening', 'schema added where any value was accepted');
  else if (before) log.at('{}').add('safe', 'accepts any value');
}

/** Returns the schema of values under keys without their own property schema. */
function mapValue({ additionalProperties }: JsonSchema): JsonSchema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
