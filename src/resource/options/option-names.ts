import type { ValidationRule } from '../../api/schema/json-schema.js';
import type { LabelSelector } from '../../api/selection/label-selector.js';
import type { AdmissionOptions } from '../decorators/admission.js';
import type { ControllerCache, ObjectControllerOptions, RateLimit } from '../decorators/controller.js';
import type { DependentOptions } from '../decorators/dependent.js';
import type { EveryOptions } from '../decorators/every.js';
import type { KindOptions } from '../decorators/kind.js';
import type { MutateOptions } from '../decorators/mutate.js';
import type { OwnsOptions } from '../decorators/owns.js';
import type { MutatingPolicyOptions, PolicyOptions } from '../decorators/policy.js';
import type { FieldPrintColumn, PrintColumn } from '../decorators/print-column.js';
import type { RbacOptions, RbacResources, RbacUrls } from '../decorators/rbac.js';
import type { UnionOptions } from '../decorators/rules/class-rule.js';
import type { FeatureGate } from '../feature-gates.js';
import type { ScaleOptions } from '../decorators/scale.js';
import type { SchemaOptions } from '../decorators/schema.js';
import type { SecretText, SourceAuth, SourceOptions } from '../decorators/source.js';
import type { WatchesOptions } from '../decorators/watches.js';
import type { WebhookOptions } from '../decorators/webhook-method.js';

/**
 * Names of options; an option that is itself an object has the names of its own options.
 *
 * Options that every use needs are `required`, and options that hold a list are `list`, unless the decorator has a diagnostic
 * of its own for them: a string would be taken as a list of letters.
 */
export interface OptionNames {
  readonly [name: string]: true | 'required' | 'list' | OptionNames;
}

type KeyOf<T> = T extends unknown ? keyof T : never;

/** The names of all options of a type, or of all types of a union: the compiler rejects any other table. */
type NamesOf<T> = Readonly<Record<KeyOf<T>, OptionNames[string]>>;

const SELECTOR = { matchLabels: true, matchExpressions: true } satisfies NamesOf<LabelSelector>;
const SECRET = { env: true, file: true } satisfies NamesOf<SecretText>;

const GATE = { name: 'required', stage: 'required' } satisfies NamesOf<FeatureGate>;

const WEBHOOK = {
  on: 'list',
  subresources: 'list',
  failurePolicy: true,
  timeoutSeconds: true,
  match: true,
  namespaceSelector: SELECTOR,
  objectSelector: SELECTOR,
  whileDeleting: true,
  sideEffects: true,
  name: true,
  path: true,
  gate: GATE,
} satisfies NamesOf<WebhookOptions>;

const COLUMN = {
  name: true,
  type: true,
  description: true,
  format: true,
  priority: true,
  anyPath: true,
} satisfies NamesOf<FieldPrintColumn>;

const CACHE = {
  labelSelector: SELECTOR,
  fieldSelector: true,
  namespaces: 'list',
  transform: true,
} satisfies NamesOf<ControllerCache>;

/** The options of each decorator that has any, other than `@Field`, of which the values are checked too. */
export const OPTION_NAMES = {
  Admission: {
    match: true,
    namespaceSelector: SELECTOR,
    objectSelector: SELECTOR,
    failurePolicy: true,
    timeoutSeconds: true,
    allow: true,
  } satisfies NamesOf<AdmissionOptions>,
  Controller: {
    name: true,
    namespace: true,
    maxConcurrentReconciles: true,
    reconcileTimeout: true,
    predicate: true,
    pausedDeletion: true,
    sharding: true,
    maxAttempts: true,
    debounce: true,
    featureGates: 'list',
    fieldManager: true,
    formerFinalizers: 'list',
    formerFieldManagers: 'list',
    // The last three have a diagnostic of their own.
    cache: { ...CACHE, fields: true, metadataOnly: true, transform: true },
    clusters: true,
    impersonate: true,
    cacheSyncTimeout: true,
    baseDelay: true,
    maxDelay: true,
    delayFactor: true,
    delayJitter: true,
    rateLimit: { total: true, perObject: true, within: 'required' } satisfies NamesOf<RateLimit>,
    for: true,
    writesStatus: true,
  } satisfies NamesOf<ObjectControllerOptions>,
  Dependent: {
    dependsOn: 'list',
    ready: true,
    when: true,
    deleteWhen: true,
    createOnly: true,
    optional: true,
    recreate: true,
    observeOnly: true,
    onDelete: true,
    configHash: true,
    gate: GATE,
  } satisfies NamesOf<DependentOptions>,
  Every: { jitter: true, timeZone: true } satisfies NamesOf<EveryOptions>,
  Kind: {
    group: true,
    version: true,
    kind: true,
    plural: true,
    singular: true,
    listKind: true,
    anyNames: true,
    scope: true,
    shortNames: 'list',
    categories: 'list',
    annotations: true,
    labels: true,
    maxDescriptionLength: true,
    storage: true,
    served: true,
    deprecated: true,
    versionOrder: true,
    conversion: true,
    commonFields: true,
    subresources: { status: true } satisfies NamesOf<NonNullable<KindOptions['subresources']>>,
    preserveUnknownFields: true,
  } satisfies NamesOf<KindOptions>,
  Mutate: { ...WEBHOOK, reinvocation: true } satisfies NamesOf<MutateOptions>,
  Owns: { predicate: true, anyOwner: true, verbs: 'list', gate: GATE } satisfies NamesOf<OwnsOptions>,
  Policy: {
    on: 'list',
    subresources: 'list',
    match: true,
    namespaceSelector: SELECTOR,
    objectSelector: SELECTOR,
    failurePolicy: true,
    whileDeleting: true,
    name: true,
    message: true,
    messageExpression: true,
    reason: true,
    actions: 'list',
    apply: true,
    patch: true,
    reinvocation: true,
    gate: GATE,
  } satisfies NamesOf<PolicyOptions | MutatingPolicyOptions>,
  PrintColumn: { ...COLUMN, name: 'required', type: 'required', jsonPath: 'required' } satisfies NamesOf<PrintColumn>,
  FieldPrintColumn: COLUMN,
  Rbac: {
    groups: 'list',
    resources: 'list',
    subresource: true,
    resourceNames: 'list',
    namespace: true,
    roleName: true,
    allow: 'list',
    allowUnused: true,
    clusters: true,
    urls: 'list',
    gate: GATE,
  } satisfies NamesOf<RbacOptions | RbacResources | RbacUrls>,
  Scale: {
    specReplicasPath: 'required',
    statusReplicasPath: 'required',
    labelSelectorPath: true,
    anyPath: true,
  } satisfies NamesOf<ScaleOptions>,
  Schema: {
    title: true,
    default: true,
    example: true,
    externalDocs: true,
    nullable: true,
    minProperties: true,
    maxProperties: true,
    mapType: true,
    preserveUnknownFields: true,
    embeddedResource: true,
    maxDescriptionLength: true,
    allOf: true,
    anyOf: true,
    oneOf: true,
    not: true,
    required: true,
    properties: true,
  } satisfies NamesOf<SchemaOptions>,
  Source: {
    every: true,
    path: true,
    auth: { bearer: SECRET, hmac: SECRET, header: true } satisfies NamesOf<SourceAuth>,
    maxBodyBytes: true,
  } satisfies NamesOf<SourceOptions>,
  Union: { discriminator: 'required', members: 'required' } satisfies NamesOf<UnionOptions>,
  Validate: WEBHOOK,
  Watches: { predicate: true, gate: GATE } satisfies NamesOf<WatchesOptions>,
  XValidation: {
    rule: 'required',
    message: true,
    messageExpression: true,
    reason: true,
    fieldPath: true,
    optionalOldSelf: true,
  } satisfies NamesOf<ValidationRule>,
} satisfies Readonly<Record<string, OptionNames>>;
