export const TEXT = { type: 'string' };
export const INTEGER = { type: 'integer' };
export const OPEN = { 'x-kubernetes-preserve-unknown-fields': true };
const EMBEDDED = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  properties: { data: { type: 'object', additionalProperties: { type: 'string' } } },
};
const INT_OR_STRING = { 'x-kubernetes-int-or-string': true };

/** The schema of an object with these properties. */
export function object(properties: object, more: object = {}): object {
  return { type: 'object', properties, ...more };
}

function list(items: object, more: object = {}): object {
  return { type: 'array', items, ...more };
}

export const embeddedResources = object({
  plain: EMBEDDED,
  described: {
    ...EMBEDDED,
    description: 'The object to create.',
    required: ['kind', 'spec'],
    properties: {
      apiVersion: { type: 'string', enum: ['v1'], description: 'replaced' },
      kind: { type: 'string', maxLength: 9 },
      metadata: object({ name: { type: 'string', maxLength: 9 } }),
      spec: object({ inner: EMBEDDED }),
    },
  },
  open: { type: 'object', 'x-kubernetes-embedded-resource': true, ...OPEN },
  openWithProperties: { ...EMBEDDED, ...OPEN },
  nullable: { ...EMBEDDED, nullable: true },
  listed: list(EMBEDDED),
  listedOpen: list({ ...EMBEDDED, ...OPEN }),
  byName: { type: 'object', additionalProperties: EMBEDDED },
});

export const intsOrStrings = object({
  bare: INT_OR_STRING,
  anyOf: { ...INT_OR_STRING, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  allOf: { ...INT_OR_STRING, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^a' }] },
  otherAnyOf: { ...INT_OR_STRING, anyOf: [{ minimum: 3 }, { pattern: '^a' }] },
  otherAllOf: { ...INT_OR_STRING, allOf: [{ pattern: '^a' }] },
  limited: { ...INT_OR_STRING, pattern: '^[0-9]+%?$', maxLength: 4, description: 'A share.' },
  defaulted: { ...INT_OR_STRING, default: '25%' },
  nullable: { ...INT_OR_STRING, nullable: true },
  listed: list(INT_OR_STRING),
  byName: { type: 'object', additionalProperties: INT_OR_STRING },
});

export const nullables = object(
  {
    text: { ...TEXT, nullable: true },
    level: { ...TEXT, enum: ['a', 'b'], nullable: true },
    levelOrNull: { ...TEXT, enum: ['a', null], nullable: true },
    whole: { type: 'object', nullable: true, properties: { a: TEXT }, required: ['a'] },
    items: list({ ...TEXT, nullable: true }),
    list: { ...list(TEXT), nullable: true },
    map: { type: 'object', nullable: true, additionalProperties: TEXT },
    nullsByName: object({ a: TEXT }, {}),
    values: { type: 'object', additionalProperties: { ...TEXT, nullable: true } },
    needed: object({ a: { ...TEXT, nullable: true }, b: TEXT }, { required: ['a', 'b'] }),
    onlyNull: object({ a: { ...TEXT, nullable: true } }, { required: ['a'] }),
  },
  { required: ['text', 'items'] },
);

export const open = object({
  anything: OPEN,
  object: { type: 'object', ...OPEN },
  known: { type: 'object', ...OPEN, properties: { a: TEXT, b: object({ c: INTEGER }) }, required: ['a'] },
  text: { type: 'string', ...OPEN },
  listed: list(OPEN),
  listedObjects: list({ type: 'object', ...OPEN }),
  openList: { ...list({ type: 'object', ...OPEN }), ...OPEN },
  byName: { type: 'object', additionalProperties: OPEN },
  anyMap: { type: 'object', additionalProperties: true },
});

export const rules = object(
  {
    fixed: {
      ...TEXT,
      maxLength: 9,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed <is> "immutable" & final' }],
    },
    low: INTEGER,
    high: INTEGER,
    items: list(
      {
        type: 'string',
        maxLength: 5,
        'x-kubernetes-validations': [{ rule: "self != ''", reason: 'FieldValueInvalid' }],
      },
      { maxItems: 4, 'x-kubernetes-validations': [{ rule: 'self.size() < 4', messageExpression: "'too many'" }] },
    ),
    byName: {
      type: 'object',
      maxProperties: 3,
      additionalProperties: { ...INTEGER, 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
    },
    optional: {
      ...TEXT,
      maxLength: 9,
      'x-kubernetes-validations': [{ rule: "oldSelf.orValue('') != self", optionalOldSelf: true }],
    },
  },
  {
    'x-kubernetes-validations': [
      { rule: '!has(self.low) || self.low <= self.high', fieldPath: '.low', reason: 'FieldValueForbidden' },
    ],
  },
);

export const numbers = object({
  zero: { type: 'integer', minimum: 0, maximum: 0, default: 0 },
  exclusive: { type: 'number', minimum: 0.5, exclusiveMinimum: true, maximum: 1e20, exclusiveMaximum: true },
  notExclusive: { type: 'number', minimum: 1, exclusiveMinimum: false },
  step: { type: 'number', multipleOf: 0.25 },
  long: { type: 'integer', format: 'int64', default: 9007199254740993 },
  float: { type: 'number', format: 'float', default: 1.5, enum: [1.5, 2, 2.25] },
  texts: { ...TEXT, minLength: 0, maxLength: 0, pattern: '' },
  lists: list(TEXT, { minItems: 0, maxItems: 0 }),
  maps: { type: 'object', minProperties: 0, maxProperties: 1, additionalProperties: TEXT },
});

export const defaults = object({
  text: { ...TEXT, default: '' },
  truth: { type: 'boolean', default: false },
  list: list(INTEGER, { default: [1, 2] }),
  emptyList: list(INTEGER, { default: [] }),
  nested: object({ a: { ...TEXT, default: 'a' }, b: object({ c: { ...INTEGER, default: 1 } }) }, { default: {} }),
  map: { type: 'object', additionalProperties: object({ a: { ...TEXT, default: 'x' } }), default: { k: { a: 'y' } } },
  nothing: { ...TEXT, nullable: true, default: null },
});

export const juncture = object({
  not: object({ a: TEXT }, { not: { required: ['a'] } }),
  oneOf: object({ a: TEXT, b: TEXT }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  allOf: object({ a: TEXT }, { allOf: [{ properties: { a: { maxLength: 3 } } }, { not: { maxProperties: 0 } }] }),
  anyOf: { ...TEXT, anyOf: [{ pattern: '^a' }, { enum: ['b'] }, { format: 'ipv4' }] },
  items: list(TEXT, { allOf: [{ items: { minLength: 1 } }], uniqueItems: false }),
});

export const lists = object({
  set: list(TEXT, { 'x-kubernetes-list-type': 'set' }),
  atomic: list(object({ a: TEXT }), { 'x-kubernetes-list-type': 'atomic' }),
  map: list(object({ name: TEXT, port: { ...INTEGER, default: 80 } }, { required: ['name'] }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name', 'port'],
  }),
  atomicMap: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: TEXT },
  granular: object({ a: TEXT }, { 'x-kubernetes-map-type': 'granular' }),
  deep: list(list(list(object({ a: list(TEXT) })))),
});

export const prototypeNames = object({
  constructor: TEXT,
  toString: object({ valueOf: TEXT }, { required: ['valueOf'] }),
  hasOwnProperty: list(TEXT),
  isPrototypeOf: { ...TEXT, default: 'x' },
  $ref: TEXT,
  properties: object({ type: TEXT, items: TEXT }),
  additionalProperties: TEXT,
  'x-kubernetes-validations': TEXT,
});

export const texts = object({
  html: { ...TEXT, description: '<b>bold</b> & "quoted" \\ back', title: 'A title', example: '<x>' },
  unicode: { ...TEXT, description: 'Grüße, 世界, 🚀 and \u2028 separators\u2029' },
  lines: { ...TEXT, description: 'first\n\nsecond\n  - indented\n\ttab', externalDocs: { url: 'https://example.com' } },
  example: object({ a: TEXT }, { example: { a: [1, null, { b: true }] } }),
  formats: object(
    Object.fromEntries(
      ['date', 'date-time', 'byte', 'uuid', 'ipv4', 'cidr', 'duration', 'password', 'unknown-format'].map((format) => [
        format,
        { ...TEXT, format },
      ]),
    ),
  ),
});
