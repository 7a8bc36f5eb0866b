import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';

const GROUP = 'tried.example.com';
/** Definitions that random requests try to change. */
const TRIED_DEFINITIONS = ['ones', 'twos', 'threes'].map((plural) => `${plural}.${GROUP}`);

const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'odd', ''];
const PATHS = ['.spec.replicas', '.status.replicas', 'spec.size', '.spec.a[0]', '', '.metadata.name', '.spec..a'];

/** A schema, structural more often than not. */
function schema(choose: Chooser, depth: number): object {
  const type = depth === 0 ? choose.pick(TYPES.slice(0, 4)) : choose.pick([...TYPES, 'object', 'object', 'object']);
  return {
    ...choose.maybe(0.97, { type }),
    ...(type === 'object' && depth > 0 ? objectParts(choose, depth) : {}),
    ...(type === 'array' ? arrayParts(choose, depth) : {}),
    ...choose.maybe(0.15, scalarPart(choose, type)),
    ...choose.maybe(0.12, oddPart(choose, depth)),
  };
}

function objectParts(choose: Chooser, depth: number): object {
  return choose.pick<() => object>([
    () => ({ properties: { a: schema(choose, depth - 1), ...choose.maybe(0.5, { b: schema(choose, depth - 1) }) } }),
    () => ({ properties: { a: schema(choose, depth - 1) }, required: choose.pick([['a'], ['c'], []]) }),
    () => ({ additionalProperties: choose.pick<unknown>([schema(choose, depth - 1), true, false]) }),
    () => ({ 'x-kubernetes-preserve-unknown-fields': choose.pick([true, true, false]) }),
    () => ({ 'x-kubernetes-map-type': choose.pick(['atomic', 'granular', 'odd']) }),
    () => ({ 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
    () => ({ minProperties: 1, maxProperties: choose.pick([0, 3, -1]) }),
  ])();
}

function arrayParts(choose: Chooser, depth: number): object {
  const items = choose.pick<() => object>([
    () => schema(choose, Math.max(0, depth - 1)),
    () => ({ type: 'object', properties: { key: { type: 'string' }, n: schema(choose, 0) }, required: ['key'] }),
    () => ({ type: 'object', properties: { key: { type: 'string', default: 'd' } } }),
  ])();
  return {
    ...choose.maybe(0.95, { items }),
    ...choose.maybe(0.5, { 'x-kubernetes-list-type': choose.pick(['set', 'map', 'map', 'atomic', 'odd']) }),
    ...choose.maybe(0.4, { 'x-kubernetes-list-map-keys': choose.pick([['key'], ['key', 'key'], ['none'], []]) }),
    ...choose.maybe(0.2, { maxItems: choose.pick([3, -1]) }),
    ...choose.maybe(0.05, { uniqueItems: true }),
  };
}

function scalarPart(choose: Chooser, type: string): object {
  const fitting = { string: 'x', integer: 1, number: 1.5, boolean: true, object: {}, array: [] }[type];
  return choose.pick<object>([
    { default: choose.pick([fitting, fitting, 'x', 1, null]) },
    { enum: choose.pick([[fitting], ['a', 'b'], [1, 'a', null], []]) },
    { nullable: true },
    { pattern: choose.pick(['^a+$', '(']) },
    { minLength: 1, maxLength: choose.pick([0, 5]) },
    { minimum: 1, maximum: choose.pick([0, 5]), exclusiveMinimum: true },
    { multipleOf: choose.pick([2, 0, -1]) },
    { format: choose.pick(['date-time', 'int32', 'int-or-string', 'odd']) },
    { description: 'text', title: 'title' },
    { example: choose.pick([1, { a: 1 }]) },
  ]);
}

function oddPart(choose: Chooser, depth: number): object {
  return choose.pick<() => object>([
    () => ({ 'x-kubernetes-int-or-string': true }),
    () => ({ 'x-kubernetes-validations': [rule(choose)] }),
    () => ({ 'x-kubernetes-validations': [rule(choose), rule(choose)] }),
    () => ({
      [choose.pick(['allOf', 'anyOf', 'oneOf'])]: [choose.pick<object>([{ required: ['a'] }, schema(choose, 0)])],
    }),
    () => ({ not: schema(choose, Math.max(0, depth - 1)) }),
    () => ({ $ref: '#/definitions/a' }),
    () => ({ additionalItems: false, patternProperties: { a: { type: 'string' } } }),
    () => ({ 'x-odd': 1 }),
    () => ({ externalDocs: { url: 'odd' } }),
  ])();
}

function rule(choose: Chooser): object {
  return {
    rule: choose.pick([
      'true',
      'self == oldSelf',
      'self.a == 1',
      'has(self.a)',
      'self >',
      '1',
      '',
      'self.all(x, x > 1)',
    ]),
    ...choose.maybe(0.4, { message: choose.pick(['wrong', '', 'a\nb']) }),
    ...choose.maybe(0.2, { messageExpression: choose.pick(["'a'", '1', 'self', 'oldSelf']) }),
    ...choose.maybe(0.2, { reason: choose.pick(['FieldValueInvalid', 'Odd']) }),
    ...choose.maybe(0.2, { fieldPath: choose.pick(['.a', '.b', 'a', '.a.b']) }),
    ...choose.maybe(0.2, { optionalOldSelf: choose.pick([true, false]) }),
  };
}

function version(choose: Chooser, name: string, isFirst: boolean): object {
  const root = choose.pick([
    { type: 'object', properties: { spec: schema(choose, 3) } },
    { type: 'object', properties: { spec: schema(choose, 3), status: schema(choose, 2) } },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    {
      type: 'object',
      properties: { metadata: choose.pick([{ type: 'object' }, { type: 'object', required: ['a'] }]) },
    },
    schema(choose, 2),
  ]);
  return {
    name: choose.chance(0.95) ? name : choose.pick(['V1', '', 'v1']),
    served: choose.chance(0.9),
    storage: choose.chance(0.95) ? isFirst : !isFirst,
    ...choose.maybe(0.97, { schema: { openAPIV3Schema: root } }),
    ...choose.maybe(0.3, { subresources: subresources(choose) }),
    ...choose.maybe(0.2, {
      additionalPrinterColumns: [column(choose), ...(choose.chance(0.3) ? [column(choose)] : [])],
    }),
    ...choose.maybe(0.1, { deprecated: choose.chance(0.7), deprecationWarning: choose.pick(['old', '', 'a\nb']) }),
  };
}

function subresources(choose: Chooser): object {
  return choose.pick<object>([
    { status: {} },
    { status: {}, scale: { specReplicasPath: choose.pick(PATHS), statusReplicasPath: choose.pick(PATHS) } },
    {
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: choose.pick(PATHS),
      },
    },
    {},
  ]);
}

function column(choose: Chooser): object {
  return {
    name: choose.pick(['A', 'B', '']),
    type: choose.pick(['string', 'integer', 'date', 'odd', '']),
    jsonPath: choose.pick(['.spec.a', '.metadata.creationTimestamp', 'odd', '', '.spec[0']),
    ...choose.maybe(0.3, { format: choose.pick(['int32', 'odd']) }),
    ...choose.maybe(0.3, { priority: choose.pick([0, 1, -1]) }),
  };
}

function conversion(choose: Chooser): object {
  const clientConfig = choose.pick<object>([
    { url: choose.pick(['https://example.com/a', 'http://example.com', 'odd', 'https://u:p@example.com?a=b#c']) },
    { service: { namespace: 'n', name: 's', ...choose.maybe(0.5, { path: choose.pick(['/a', 'a', '/a//b']) }) } },
    { service: { namespace: '', name: '', port: choose.pick([443, 0, 70000]) } },
    { url: 'https://example.com', service: { namespace: 'n', name: 's' } },
    { url: 'https://example.com', caBundle: choose.pick(['b2Rk', '']) },
    {},
  ]);
  return choose.pick<object>([
    { strategy: 'None' },
    { strategy: 'Odd' },
    { strategy: 'None', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    { strategy: 'Webhook' },
    {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: choose.pick([['v1'], ['v1', 'v1'], ['odd'], []]), clientConfig },
    },
  ]);
}

function spec(choose: Chooser): object {
  const plural = choose.chance(0.9) ? 'ones' : choose.pick(['twos', 'Ones', 'o', '']);
  return {
    group: choose.chance(0.95) ? GROUP : choose.pick(['Odd_', 'odd', 'k8s.io', 'other.example.com', '']),
    scope: choose.pick(['Namespaced', 'Namespaced', 'Cluster', 'Odd']),
    names: {
      plural,
      ...choose.maybe(0.95, { kind: choose.pick(['One', 'One', 'One', 'one_', 'OneList']) }),
      ...choose.maybe(0.5, { singular: choose.pick(['one', 'One', 'bad_']) }),
      ...choose.maybe(0.3, { shortNames: choose.pick([['o'], ['O'], ['o', 'o'], ['ones']]) }),
      ...choose.maybe(0.3, { listKind: choose.pick(['OneList', 'One', 'bad_']) }),
      ...choose.maybe(0.3, { categories: choose.pick([['all'], ['All_']]) }),
    },
    versions: [version(choose, 'v1', true), ...(choose.chance(0.25) ? [version(choose, 'v2', false)] : [])],
    ...choose.maybe(0.15, { conversion: conversion(choose) }),
    ...choose.maybe(0.03, { preserveUnknownFields: choose.pick([true, false]) }),
  };
}

/** CustomResourceDefinitions that are sent as dry runs only, because the server changes stored ones asynchronously. */
export const DEFINITION_KINDS: readonly RandomKind[] = [
  {
    title: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    isClusterScoped: true,
    isTried: true,
    names: TRIED_DEFINITIONS,
    subresources: ['status'],
    body: (choose) => ({ spec: spec(choose) }),
    change: (choose) =>
      choose.pick<object>([
        { spec: spec(choose) },
        { spec: { versions: [version(choose, 'v1', true)] } },
        { spec: { names: { shortNames: choose.pick([['x'], null]), kind: choose.pick(['One', 'Other']) } } },
        { spec: { scope: choose.pick(['Cluster', 'Namespaced']) } },
        { spec: { conversion: conversion(choose) } },
      ]),
    operations: (choose) => [
      { op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: schema(choose, 2) },
    ],
    status: (choose) => ({
      ...choose.maybe(0.5, { storedVersions: choose.pick([['v1'], ['v2'], []]) }),
      ...choose.maybe(0.5, { conditions: [{ type: choose.pick(['Odd', 'Established']), status: 'True' }] }),
      ...choose.maybe(0.3, { acceptedNames: { plural: 'ones', kind: choose.pick(['One', '']) } }),
    }),
  },
];

/** The existing objects. */
export const triedDefinitions = (): readonly object[] =>
  TRIED_DEFINITIONS.map((name) => {
    const [plural = ''] = name.split('.');
    const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
    const root = {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: { type: 'string' }, replicas: { type: 'integer' } } },
        status: { type: 'object', properties: { replicas: { type: 'integer' } } },
      },
    };
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural, kind },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: root } }],
      },
    };
  });
