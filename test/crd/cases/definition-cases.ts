import { baseDefinition, baseSchema, changed, withProperties, type Json } from './base-definition.ts';
import { set, type Case } from './case.ts';

const VERSION = 'spec/versions/0';
const string = { type: 'string' };

function versions(...lists: Json[][]): Case[] {
  return lists.map((list) => [
    `versions: ${JSON.stringify(list).slice(0, 160)}`,
    changed(baseDefinition(), 'spec/versions', list),
  ]);
}

const v = (name: string, more: Json = {}): Json => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: baseSchema() },
  ...more,
});

const names: Case[] = [
  ...set('metadata/name', 'others.crd.example.com', 'Gadgets.crd.example.com'),
  ...set('spec/group', '', 'nodots', 'Upper.example.com', 'a..b', undefined),
  ...set('spec/scope', '', 'Other', undefined, 'Cluster'),
  ...set('spec/names/plural', '', 'Gadgets', 'a.b', 'x'.repeat(64)),
  ...set('spec/names/singular', 'Gadget', 'gad get', ''),
  ...set('spec/names/kind', '', 'gadget', 'Ga dget', 'G_a', '1Gadget', undefined),
  ...set('spec/names/listKind', 'Gadget', 'gadgets list', 'GadgetList'),
  ...set('spec/names/shortNames', ['g'], ['G'], ['g', ''], ['a b', 'c.d']),
  ...set('spec/names/categories', ['all'], ['All'], ['a_b']),
];

const approval: Case[] = ['k8s.io', 'x.k8s.io', 'kubernetes.io', 'a.kubernetes.io', 'myk8s.io'].flatMap((group) =>
  [undefined, '', 'unapproved, for a test', 'https://github.com/kubernetes/kubernetes/pull/1', 'yes', 'http://'].map(
    (value): Case => {
      let definition = changed(baseDefinition(), 'spec/group', group);
      definition = changed(definition, 'metadata/name', `gadgets.${group}`);
      if (value !== undefined)
        definition = changed(definition, 'metadata/annotations', { 'api-approved.kubernetes.io': value });
      return [`${group} approved by ${value}`, definition];
    },
  ),
);

const versionCases: Case[] = [
  ...versions(
    [],
    [v('v1')],
    [v('v1'), v('v2')],
    [v('v1', { storage: false })],
    [v('v1'), v('v2', { storage: true })],
    [v('v1'), v('v1', { storage: false })],
    [v('V1', { storage: true })],
    [v('1', { storage: true })],
    [v('', { storage: true })],
    [v('v1', { served: false })],
    [v('v1', { schema: undefined })],
    [v('v1', { schema: {} })],
    [v('v1'), v('v2', { schema: undefined })],
    [v('v1'), v('v2', { schema: { openAPIV3Schema: { type: 'string' } } })],
    [v('v1', { deprecated: true })],
    [v('v1', { deprecated: true, deprecationWarning: 'old' })],
    [v('v1', { deprecationWarning: 'old' })],
    [v('v1', { deprecated: true, deprecationWarning: '' })],
    [v('v1', { deprecated: true, deprecationWarning: 'x'.repeat(257) })],
    [v('v1', { deprecated: true, deprecationWarning: 'a\u0007b' })],
    [v('v1', { deprecated: true, deprecationWarning: 'a\nb' })],
    [v('v1', { deprecated: true, deprecationWarning: 'größer 😀' })],
    [v('v1', { selectableFields: [{ jsonPath: '.spec.a' }] }), v('v2')],
    [v('v1', { subresources: { status: {} } }), v('v2')],
    [v('v1', { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: 'x' }] }), v('v2')],
  ),
  ...set('spec/preserveUnknownFields', true, false),
];

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const presentation: Case[] = [
  ...set(
    `${VERSION}/subresources`,
    { status: {} },
    { scale },
    { scale: { ...scale, labelSelectorPath: '.status.selector' } },
    { scale: { ...scale, labelSelectorPath: '.metadata.selector' } },
    { scale: { ...scale, labelSelectorPath: 'status.selector' } },
    { scale: { ...scale, specReplicasPath: 'spec.replicas' } },
    { scale: { ...scale, specReplicasPath: '.status.replicas' } },
    { scale: { ...scale, statusReplicasPath: '.spec.replicas' } },
    { scale: { statusReplicasPath: '.status.replicas' } },
    { scale: { specReplicasPath: '.spec.replicas' } },
    { scale: {} },
  ),
  ...set(
    `${VERSION}/additionalPrinterColumns`,
    [{ name: 'A', type: 'string', jsonPath: '.spec.a' }],
    [{ name: '', type: 'string', jsonPath: '.spec.a' }],
    [{ name: 'A', type: '', jsonPath: '.spec.a' }],
    [{ name: 'A', type: 'text', jsonPath: '.spec.a' }],
    [{ name: 'A', type: 'string', format: 'int64', jsonPath: '.spec.a' }],
    [{ name: 'A', type: 'string', format: 'email', jsonPath: '.spec.a' }],
    [{ name: 'A', type: 'date', jsonPath: '' }],
    [{ name: 'A', type: 'date', jsonPath: 'spec.a' }],
    [{ name: 'A', type: 'date', jsonPath: '.' }],
    [{ name: 'A', type: 'date', jsonPath: '.spec.a[0].b', priority: 1 }],
  ),
];

const selectable: Case[] = [
  [
    '.a',
    '.spec.a',
    'spec.a',
    '.spec.missing',
    '.metadata.name',
    '.spec.n',
    '.spec.list',
    '.spec',
    '',
    '.spec.flag',
    '.spec.free.x',
    '.spec.num',
    ".spec['a']",
    '.',
    '..',
    '.spec.a.',
  ].map((jsonPath): Case => [`selectable ${jsonPath}`, selecting([{ jsonPath }])]),
  [
    ['twice', selecting([{ jsonPath: '.spec.a' }, { jsonPath: '.spec.a' }])] as Case,
    ['nine', selecting(Array.from({ length: 9 }, (_, index) => ({ jsonPath: `.spec.f${index}` })))] as Case,
    ['eight', selecting(Array.from({ length: 8 }, (_, index) => ({ jsonPath: `.spec.f${index}` })))] as Case,
  ],
].flat();

function selecting(fields: Json[]): Json {
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}`, string]));
  const definition = withProperties({
    a: string,
    n: { type: 'integer' },
    num: { type: 'number' },
    flag: { type: 'boolean' },
    list: { type: 'array', items: string },
    free: { type: 'object', additionalProperties: string },
    ...many,
  });
  return changed(definition, `${VERSION}/selectableFields`, fields);
}

const service = { name: 'hook', namespace: 'default', path: '/convert' };
const webhook = (clientConfig: unknown, conversionReviewVersions: unknown = ['v1']): Json => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions },
});
const conversion: Case[] = set(
  'spec/conversion',
  { strategy: 'None' },
  { strategy: '' },
  { strategy: 'Other' },
  { strategy: 'Webhook' },
  { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } },
  { strategy: 'None', webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] } },
  webhook({ service }),
  webhook({}),
  webhook({ service, url: 'https://example.com' }),
  webhook({ url: 'https://example.com/convert' }),
  webhook({ url: 'http://example.com' }),
  webhook({ url: 'https://' }),
  webhook({ url: 'https://u:p@example.com' }),
  webhook({ url: 'https://example.com?x=1' }),
  webhook({ url: 'https://example.com#x' }),
  webhook({ url: 'example' }),
  webhook({ service: { ...service, port: 0 } }),
  webhook({ service: { ...service, port: 70000 } }),
  webhook({ service: { ...service, path: 'convert' } }),
  webhook({ service: { ...service, path: '/a//b' } }),
  webhook({ service: { ...service, path: '/A' } }),
  webhook({ service: { ...service, path: '//' } }),
  webhook({ service: { name: '', namespace: 'x' } }),
  webhook({ service: { name: 'x', namespace: '' } }),
  webhook({ service }, []),
  webhook({ service }, ['v1', 'v1']),
  webhook({ service }, ['v2']),
  webhook({ service }, ['V1', 'v1beta1']),
  webhook({ service, caBundle: 'bm9uZQ==' }),
);

/** Definitions, each with its own virtue or fault. */
export const definitionCases: readonly Case[] = [
  ...names,
  ...approval,
  ...versionCases,
  ...presentation,
  ...selectable,
  ...conversion,
];
