import {
  INTEGER,
  OPEN,
  TEXT,
  object,
  embeddedResources,
  intsOrStrings,
  nullables,
  open,
  rules,
  numbers,
  defaults,
  juncture,
  lists,
  prototypeNames,
  texts,
} from './odd-schemas.js';

/** The parts of a definition that differ from the plain one. */
interface DefinitionOptions {
  readonly kind: string;
  readonly group?: string;
  readonly names?: object;
  readonly isClusterScoped?: boolean;
  /** The schema of `spec`; default: an object with one text. */
  readonly spec?: object;
  /** Members of the root schema, which replace those of the plain one. */
  readonly root?: object;
  /** Members of the version. */
  readonly version?: object;
  /** Members of further versions. */
  readonly others?: readonly object[];
}

function definition(options: DefinitionOptions) {
  const { kind, group = 'docs.example.com', names, isClusterScoped, spec = object({ note: TEXT }), root } = options;
  const schema = { openAPIV3Schema: object({ spec, status: object({ ready: { type: 'boolean' } }) }, root) };
  const { plural = `${kind.toLowerCase()}s` }: { plural?: string } = names ?? {};
  const isKubernetes = group.endsWith('.k8s.io');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(isKubernetes && { annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } }),
    },
    spec: {
      group,
      scope: isClusterScoped === true ? 'Cluster' : 'Namespaced',
      names: { kind, plural, ...names },
      versions: [
        { name: 'v1', served: true, storage: true, schema, ...options.version },
        ...(options.others ?? []).map((other) => ({ served: true, storage: false, schema, ...other })),
      ],
    },
  };
}

const NAMED_ALL = { shortNames: ['od', 'odd'], categories: ['all', 'oddities'], listKind: 'CategorizedItems' };
const STATUS = { subresources: { status: {} } };
const SCALE = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const SELECTABLE = { selectableFields: [{ jsonPath: '.spec.note' }, { jsonPath: '.spec.size' }] };
const COLUMNS = {
  additionalPrinterColumns: [
    { name: 'Note', type: 'string', jsonPath: '.spec.note', priority: 1, description: 'A note.' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
};

/** Definitions that use, between them, every feature that appears in a document for clients. */
export const oddDefinitions = (): readonly object[] => [
  definition({ kind: 'Embedder', spec: embeddedResources }),
  definition({ kind: 'Portish', spec: intsOrStrings }),
  definition({ kind: 'Nullable', spec: nullables }),
  definition({ kind: 'Loose', spec: open }),
  definition({ kind: 'OpenRoot', root: OPEN }),
  definition({ kind: 'Nothing', root: { properties: undefined } }),
  definition({ kind: 'Anything', root: { properties: undefined, ...OPEN } }),
  definition({
    kind: 'Ruled',
    spec: rules,
    root: { 'x-kubernetes-validations': [{ rule: "self.metadata.name != 'a'" }] },
  }),
  definition({ kind: 'Numeric', spec: numbers }),
  definition({ kind: 'Defaulted', spec: defaults }),
  definition({ kind: 'Junctor', spec: juncture }),
  definition({ kind: 'Listed', spec: lists }),
  definition({ kind: 'Prototype', spec: prototypeNames }),
  definition({ kind: 'Texted', spec: texts, root: { description: 'A kind.', title: 'Texted', required: ['spec'] } }),
  definition({ kind: 'Categorized', names: NAMED_ALL, isClusterScoped: true }),
  definition({
    kind: 'Selected',
    names: { listKind: 'SelectedItems' },
    spec: object({ note: TEXT, size: INTEGER }),
    version: SELECTABLE,
    others: [{ name: 'v1beta1', schema: { openAPIV3Schema: object({ spec: object({ size: INTEGER }) }) } }],
  }),
  definition({ kind: 'Stated', version: { ...STATUS, ...COLUMNS } }),
  definition({
    kind: 'Scaled',
    spec: object({ replicas: INTEGER }),
    version: { subresources: { scale: SCALE, status: {} } },
    others: [{ name: 'v1alpha1', ...STATUS }, { name: 'v1beta2' }],
  }),
  definition({
    kind: 'ScaledOnly',
    isClusterScoped: true,
    spec: object({ replicas: INTEGER }),
    version: { subresources: { scale: { ...SCALE, labelSelectorPath: '.status.selector' } } },
  }),
  definition({
    kind: 'Aged',
    version: { name: 'v2' },
    others: [
      { name: 'v1', deprecated: true, deprecationWarning: 'use v2' },
      { name: 'v1beta1', deprecated: true },
      { name: 'v1alpha1', served: false },
      { name: 'foo10' },
      { name: 'v10' },
    ],
  }),
  definition({ kind: 'Unserved', version: { served: false }, others: [{ name: 'v3alpha1' }] }),
  definition({ kind: 'Order', group: 'vowels.example.com' }),
  definition({ kind: 'Image', group: 'vowels.example.com', isClusterScoped: true, version: STATUS }),
  definition({ kind: 'Umbrella', group: 'vowels.example.com', version: { subresources: { scale: SCALE } } }),
  definition({ kind: 'HTTPRoutes', group: 'vowels.example.com', names: { plural: 'httproutes' } }),
  definition({ kind: 'EgressClass', group: 'vowels.example.com', names: { plural: 'egressclasses' } }),
  definition({ kind: 'Lease', group: 'templates.example.com', version: STATUS }),
  definition({
    kind: 'RuntimeClass',
    group: 'templates.example.com',
    names: { plural: 'runtimeclasses' },
    isClusterScoped: true,
  }),
  definition({ kind: 'Pod', group: 'templates.example.com' }),
  definition({ kind: 'Order', group: 'with-dash.example-2.org', version: { name: 'v1alpha1' } }),
  definition({
    kind: 'Order',
    group: 'approved.k8s.io',
    version: { name: 'v1beta1' },
    others: [{ name: 'v1', ...STATUS }],
  }),
  definition({ kind: 'Scale', group: 'approved.k8s.io', version: { subresources: { scale: SCALE } } }),
  definition({ kind: 'Zebra', group: 'a.zz', version: { name: 'odd' } }),
  definition({
    kind: 'Aardvark',
    group: 'z.aa',
    isClusterScoped: true,
    version: { ...STATUS, ...SELECTABLE },
    spec: object({ note: TEXT, size: INTEGER }),
  }),
];
