import { Chooser } from '../../fidelity/chooser.ts';
import { baseDefinition, baseSchema, changed, type Json } from './base-definition.ts';
import type { Case } from './case.ts';
import { RULES } from './rule-cases.ts';

const TYPES = ['string', 'string', 'integer', 'boolean', 'number', 'object', 'object', 'array', 'array', ''];
const NAMES = ['a', 'b', 'name', 'size', 'metadata', 'kind', 'a-b', 'x.y'];
const VALUES: readonly unknown[] = ['a', 'text', 1, -3, 1.5, true, {}, { a: 'x' }, [], ['a'], null];
const STRING_FACETS: readonly Json[] = [
  {},
  { maxLength: 10 },
  { minLength: 2 },
  { pattern: '^[a-z]+$' },
  { pattern: '[' },
  { format: 'date-time' },
  { format: 'byte' },
  { enum: ['a', 'text'] },
];
const OBJECT_FACETS: readonly Json[] = [
  {},
  {},
  { 'x-kubernetes-preserve-unknown-fields': true },
  { 'x-kubernetes-embedded-resource': true },
  { 'x-kubernetes-map-type': 'atomic' },
  { additionalProperties: { type: 'string' } },
  { additionalProperties: false },
  { required: ['a'] },
  { maxProperties: 3 },
];
const LIST_FACETS: readonly Json[] = [
  {},
  { maxItems: 5 },
  { 'x-kubernetes-list-type': 'set' },
  { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  { 'x-kubernetes-list-type': 'atomic', minItems: 1 },
  { uniqueItems: true },
];
const JUNCTORS: readonly Json[] = [
  { allOf: [{ maxLength: 3 }] },
  { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  { oneOf: [{ properties: { a: { maxLength: 3 } } }] },
  { not: { enum: ['a'] } },
  { allOf: [{ type: 'string' }] },
  { anyOf: [{ items: { maxLength: 1 } }] },
];
const OWN_RULES = [
  'self == self',
  'has(self.a)',
  'self.size() < 3',
  "self.all(x, x != '')",
  'self.all(x, self.exists_one(y, x == y))',
  'self > 1',
  'self == oldSelf',
  "self.matches('^[a-z]*$')",
];

/** Random definitions of a seed, each with a few virtues and faults. */
export function generatedCases(count: number, seed: number): Case[] {
  const chooser = new Chooser(seed);
  return Array.from({ length: count }, (_, index): Case => [`generated ${index}`, definition(chooser)]);
}

function definition(chooser: Chooser): Json {
  // No items beside the properties: Kubernetes 1.36.3 panics over rules in them.
  const made = baseDefinition(
    baseSchema({ type: 'object', ...properties(chooser, 3), ...chooser.pick(OBJECT_FACETS) }),
  );
  return chooser.chance(0.3) ? changed(made, 'spec/versions/0/subresources', { status: {} }) : made;
}

function schema(chooser: Chooser, depth: number): Json {
  const type = depth === 0 ? 'string' : chooser.pick(TYPES);
  return {
    ...(type !== '' && { type }),
    ...facets(chooser, type, depth),
    ...chooser.maybe(0.15, { default: chooser.pick(VALUES) }),
    ...chooser.maybe(0.1, { nullable: true }),
    ...chooser.maybe(0.1, chooser.pick(JUNCTORS)),
    ...chooser.maybe(0.05, { 'x-kubernetes-int-or-string': true }),
    ...chooser.maybe(0.3, { 'x-kubernetes-validations': [{ rule: chooser.pick(OWN_RULES) }] }),
  };
}

function facets(chooser: Chooser, type: string, depth: number): Json {
  if (type === 'string') return chooser.pick(STRING_FACETS);
  if (type === 'array') return { items: schema(chooser, depth - 1), ...chooser.pick(LIST_FACETS) };
  if (type === 'object') return { ...properties(chooser, depth), ...chooser.pick(OBJECT_FACETS) };
  return type === 'integer' ? (chooser.maybe(0.3, { minimum: 2, maximum: 1 }) as Json) : {};
}

function properties(chooser: Chooser, depth: number): Json {
  const names = NAMES.filter(() => chooser.chance(0.35));
  const entries = names.map((name) => [name, schema(chooser, depth - 1)] as const);
  const rule = chooser.chance(0.1) ? { 'x-kubernetes-validations': [{ rule: chooser.pick(RULES) }] } : {};
  return { properties: Object.fromEntries(entries), ...rule };
}
