import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseDefinition, baseSchema, type Json } from './base-definition.ts';
import type { Case } from './case.ts';

const string = { type: 'string' };
const properties = {
  n: { type: 'integer' },
  d: { type: 'number' },
  s: string,
  short: { type: 'string', maxLength: 10 },
  pick: { type: 'string', enum: ['one', 'two'] },
  flag: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  date: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  span: { type: 'string', format: 'duration' },
  any: { 'x-kubernetes-int-or-string': true },
  list: { type: 'array', items: string },
  few: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } },
  numbers: { type: 'array', maxItems: 10, items: { type: 'integer' } },
  items: {
    type: 'array',
    maxItems: 20,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 63 }, size: { type: 'integer' } },
    },
  },
  map: { type: 'object', maxProperties: 10, additionalProperties: { type: 'string', maxLength: 20 } },
  open: { type: 'object', additionalProperties: { type: 'integer' } },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  unknown: { 'x-kubernetes-preserve-unknown-fields': true },
  'a-b': string,
  'a.b/c': string,
  a__b: string,
  namespace: string,
  if: string,
  '9x': string,
  'x y': string,
};

/** A definition whose spec has these rules. */
function withRules(...rules: Json[]): Json {
  return baseDefinition(baseSchema({ type: 'object', properties, 'x-kubernetes-validations': rules }));
}

/** Rules by title; the server decides which of them are valid. */
export const RULES = readFileSync(join(import.meta.dirname, 'rules.txt'), 'utf8')
  .trim()
  .split('\n');

const rule = (text: string): Json => ({ rule: text });
const at = (schema: Json): Json => baseDefinition(baseSchema({ type: 'object', properties: { x: schema } }));
const transition = [{ rule: 'self == oldSelf' }];

const cases: Case[] = [
  ['empty rule', withRules(rule(''))],
  ['blank rule', withRules(rule('  '))],
  ['two rules', withRules(rule('self.n > 1'), rule('self.missing'))],
  ['rule of lines', withRules(rule('self.n > 1 &&\nself.n < 5'))],
  ['rule of lines with message', withRules({ rule: 'self.n > 1 &&\nself.missing', message: 'm' })],
  ['blank message', withRules({ rule: 'true', message: ' ' })],
  ['message of lines', withRules({ rule: 'true', message: 'a\nb' })],
  ['blank message expression', withRules({ rule: 'true', messageExpression: ' ' })],
  ['message expression', withRules({ rule: 'true', messageExpression: "'n is ' + string(self.n)" })],
  ['message expression of int', withRules({ rule: 'true', messageExpression: 'self.n' })],
  ['message expression of nothing known', withRules({ rule: 'true', messageExpression: 'self.missing' })],
  [
    'dear message expression',
    withRules({ rule: 'true', messageExpression: "self.list.map(x, self.list.join(x)).join('')" }),
  ],
  ...['FieldValueInvalid', 'FieldValueRequired', 'FieldValueForbidden', 'FieldValueDuplicate', 'Other', ''].map(
    (reason): Case => [`reason ${reason}`, withRules({ rule: 'true', reason })],
  ),
  ...[
    '.n',
    'n',
    '.missing',
    '.items',
    '.items[0]',
    ".map['a']",
    '.map.a',
    ".['n']",
    ' ',
    '.n\n',
    "['a-b']",
    '.items.name',
    '.x y',
    "['x'",
  ].map((fieldPath): Case => [`fieldPath ${fieldPath}`, withRules({ rule: 'true', fieldPath })]),
  ['optionalOldSelf', withRules({ rule: 'oldSelf.hasValue() || self.n > 1', optionalOldSelf: true })],
  ['optionalOldSelf false', withRules({ rule: 'oldSelf.n > 1', optionalOldSelf: false })],
  ['optionalOldSelf unused', withRules({ rule: 'self.n > 1', optionalOldSelf: true })],
  ['optionalOldSelf not unwrapped', withRules({ rule: 'oldSelf.n > 1', optionalOldSelf: true })],
  ['optionalOldSelf unwrapped', withRules({ rule: 'oldSelf.n.orValue(1) > 1', optionalOldSelf: true })],
  [
    'oldSelf in a list',
    at({ type: 'array', maxItems: 5, items: { type: 'integer', 'x-kubernetes-validations': transition } }),
  ],
  [
    'oldSelf in a set',
    at({
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'set',
      items: { type: 'integer', 'x-kubernetes-validations': transition },
    }),
  ],
  [
    'oldSelf in a map list',
    at({
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: {
        type: 'object',
        required: ['k'],
        properties: { k: { type: 'string' }, v: { type: 'integer', 'x-kubernetes-validations': transition } },
      },
    }),
  ],
  [
    'oldSelf in an atomic map',
    at({
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: { type: 'integer', 'x-kubernetes-validations': transition } },
    }),
  ],
  [
    'oldSelf in values',
    at({
      type: 'object',
      maxProperties: 5,
      additionalProperties: { type: 'integer', 'x-kubernetes-validations': transition },
    }),
  ],
  [
    'oldSelf on a list',
    at({ type: 'array', maxItems: 5, items: { type: 'integer' }, 'x-kubernetes-validations': transition }),
  ],
  [
    'rule on unbounded items',
    at({ type: 'array', items: { type: 'string', 'x-kubernetes-validations': [rule("self.matches('^a+$')")] } }),
  ],
  [
    'rule on bounded items',
    at({
      type: 'array',
      maxItems: 10,
      items: { type: 'string', maxLength: 10, 'x-kubernetes-validations': [rule("self.matches('^a+$')")] },
    }),
  ],
  [
    'rule on unbounded values',
    at({ type: 'object', additionalProperties: { type: 'integer', 'x-kubernetes-validations': [rule('self > 1')] } }),
  ],
  [
    'rule on values of free maps',
    at({ type: 'object', additionalProperties: true, 'x-kubernetes-validations': [rule('self.size() > 1')] }),
  ],
  [
    'rule where type is unknown',
    at({ 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [rule('true')] }),
  ],
  [
    'rule on int-or-string',
    at({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-validations': [rule("self == 'a' || self == 1")] }),
  ],
  ['rule on a string', at({ type: 'string', 'x-kubernetes-validations': [rule("self == 'a'")] })],
  [
    'rule on a list of lists',
    at({
      type: 'array',
      items: {
        type: 'array',
        items: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [rule('self.all(x, x > 1)')] },
      },
    }),
  ],
  [
    'rule at the root',
    baseDefinition({
      ...baseSchema({ type: 'object', properties }),
      'x-kubernetes-validations': [rule("self.metadata.name.startsWith('a') && self.spec.n > 1")],
    }),
  ],
  [
    'rule on other metadata',
    baseDefinition({ ...baseSchema(), 'x-kubernetes-validations': [rule("self.metadata.namespace == 'a'")] }),
  ],
  [
    'rule on kind',
    baseDefinition({
      ...baseSchema(),
      'x-kubernetes-validations': [rule("self.kind == 'A' && self.apiVersion == 'v1'")],
    }),
  ],
  [
    'rule on an embedded resource',
    at({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-validations': [rule("self.kind == 'A' && self.metadata.name == 'a'")],
    }),
  ],
  [
    'rule on metadata of an object',
    at({
      type: 'object',
      properties: {
        metadata: {
          type: 'object',
          properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
        },
      },
      'x-kubernetes-validations': [rule('has(self.metadata.labels)')],
    }),
  ],
  [
    'rules dear together',
    baseDefinition(
      baseSchema({
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 15 }, (_, index) => [
            `f${index}`,
            {
              type: 'string',
              'x-kubernetes-validations': [
                rule("self.contains('abcdefghijabcdefghijabcdefghij') || self.matches('a{3}')"),
                rule("self.matches('^[a-z]{3,5}x$') || self.matches('^[0-9]{3,5}x$') "),
              ],
            },
          ]),
        ),
      }),
    ),
  ],
  [
    'rule and a fault beside',
    baseDefinition(
      baseSchema({
        type: 'object',
        properties: { a: {}, n: { type: 'integer' } },
        'x-kubernetes-validations': [rule('self.missing')],
      }),
    ),
  ],
  [
    'rule above a fault below',
    baseDefinition(
      baseSchema({
        type: 'object',
        properties: { l: { type: 'array', uniqueItems: true, items: { type: 'integer' } } },
        'x-kubernetes-validations': [rule('self.missing')],
      }),
    ),
  ],
];

/** Definitions with rules. */
export const ruleCases: readonly Case[] = [
  ...RULES.map((text): Case => [`rule ${text}`, withRules(rule(text))]),
  ...cases,
];
