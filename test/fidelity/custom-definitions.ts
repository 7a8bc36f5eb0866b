import { widgetDefinition } from './widget-definition.js';

const GROUP = 'fidelity.example.com';

export interface DefinitionOptions {
  readonly plural: string;
  readonly kind: string;
  readonly spec: object;
  readonly status?: object;
  readonly hasNoStatus?: boolean;
  readonly isClusterScoped?: boolean;
  readonly versions?: readonly string[];
}

function definition({
  plural,
  kind,
  spec,
  status,
  hasNoStatus,
  isClusterScoped,
  versions = ['v1'],
}: DefinitionOptions) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: isClusterScoped === true ? 'Cluster' : 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec, status: status ?? { type: 'object', properties: { note: { type: 'string' } } } },
          },
        },
        ...(hasNoStatus !== true && { subresources: { status: {} } }),
      })),
    },
  };
}

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

const defaulted = object({
  size: { type: 'integer', default: 3, minimum: 1, multipleOf: 1 },
  ratio: { type: 'number', default: 0.5, exclusiveMinimum: true, minimum: 0 },
  on: { type: 'boolean', default: true },
  nested: object(
    { mode: { ...text, default: 'a', enum: ['a', 'b'] }, deep: object({ x: { ...text, default: 'y' } }) },
    { default: {} },
  ),
  items: {
    type: 'array',
    maxItems: 2,
    items: object({ name: { ...text, default: 'n' }, hint: { ...text, nullable: true } }),
  },
  maybe: { ...text, nullable: true, default: 'here' },
});

const ruled = object(
  {
    min: { ...integer, 'x-kubernetes-validations': [{ rule: 'self >= 0', message: 'min is not negative' }] },
    max: integer,
    fixed: {
      ...text,
      maxLength: 10,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed is immutable' }],
    },
    names: {
      type: 'array',
      maxItems: 4,
      items: { ...text, maxLength: 10 },
      'x-kubernetes-validations': [{ rule: "self.all(n, n.startsWith('a'))", message: 'names start with a' }],
    },
  },
  {
    'x-kubernetes-validations': [
      {
        rule: '!has(self.min) || !has(self.max) || self.min <= self.max',
        message: 'min is above max',
        reason: 'FieldValueForbidden',
        fieldPath: '.max',
      },
      { rule: '!has(oldSelf.max) || has(self.max)', message: 'max stays once set' },
    ],
  },
);

const pair = object({ key: text, value: text, weight: { ...integer, default: 1 } }, { required: ['key'] });

const listed = object({
  pairs: { type: 'array', items: pair, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'] },
  set: { type: 'array', items: integer, 'x-kubernetes-list-type': 'set' },
  atomic: { type: 'array', items: pair },
  atomicMap: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
  map: { type: 'object', additionalProperties: object({ a: text, b: integer }) },
});

const loose = object({
  port: { 'x-kubernetes-int-or-string': true },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: text } },
  when: { type: 'string', format: 'date-time' },
  pattern: { type: 'string', pattern: '^[a-c]+$', minLength: 1, maxLength: 4 },
  bounded: { type: 'object', additionalProperties: integer, maxProperties: 2, minProperties: 1 },
  choice: { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
});

const plain = object({ size: integer, note: text }, { required: ['size'] });

/** The custom resources of the comparison, which together use all keywords of a schema. */
export const customDefinitions = (): readonly object[] => [
  widgetDefinition(),
  definition({ plural: 'plains', kind: 'Plain', spec: plain, hasNoStatus: true }),
  definition({ plural: 'defaulteds', kind: 'Defaulted', spec: defaulted }),
  definition({ plural: 'ruleds', kind: 'Ruled', spec: ruled }),
  definition({ plural: 'listeds', kind: 'Listed', spec: listed }),
  definition({ plural: 'looses', kind: 'Loose', spec: loose }),
  definition({ plural: 'versioneds', kind: 'Versioned', spec: plain, versions: ['v1', 'v1beta1', 'v2alpha1'] }),
  definition({ plural: 'wides', kind: 'Wide', spec: plain, isClusterScoped: true }),
];
