import * as sdk from '../../src/index.js';
import type { ValidationRule } from '../../src/api/schema/json-schema.js';
import type { KindOptions } from '../../src/resource/decorators/kind.js';
import type { PrintColumn } from '../../src/resource/decorators/print-column.js';
import type { ScaleOptions } from '../../src/resource/decorators/scale.js';
import type { SchemaOptions } from '../../src/resource/decorators/schema.js';
import type { FieldOptions, ValueOptions } from '../../src/resource/decorators/field-options.js';

/** The compiler requires each option of the type. */
type AllOf<T> = Readonly<Record<keyof T, true>>;

const FIELD = {
  description: true,
  type: true,
  items: true,
  values: true,
  intOrString: true,
  preserveUnknownFields: true,
  embeddedResource: true,
  embeddedObjectMeta: true,
  schema: true,
  title: true,
  externalDocs: true,
  maxDescriptionLength: true,
  format: true,
  default: true,
  example: true,
  nullable: true,
  enum: true,
  pattern: true,
  minimum: true,
  maximum: true,
  exclusiveMinimum: true,
  exclusiveMaximum: true,
  multipleOf: true,
  minLength: true,
  maxLength: true,
  minItems: true,
  maxItems: true,
  minProperties: true,
  maxProperties: true,
  listType: true,
  listMapKeys: true,
  mapType: true,
  validations: true,
  allOf: true,
  anyOf: true,
  oneOf: true,
  not: true,
  optional: true,
} satisfies AllOf<Omit<FieldOptions & ValueOptions, 'gate'>>;

const KIND = {
  group: true,
  version: true,
  kind: true,
  plural: true,
  singular: true,
  listKind: true,
  anyNames: true,
  scope: true,
  shortNames: true,
  categories: true,
  annotations: true,
  labels: true,
  maxDescriptionLength: true,
  storage: true,
  served: true,
  deprecated: true,
  versionOrder: true,
  conversion: true,
  commonFields: true,
  subresources: true,
  preserveUnknownFields: true,
} satisfies AllOf<KindOptions>;

const SCHEMA = {
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
} satisfies AllOf<SchemaOptions>;

const PRINT_COLUMN = {
  name: true,
  type: true,
  jsonPath: true,
  description: true,
  format: true,
  priority: true,
  anyPath: true,
} satisfies AllOf<PrintColumn>;

const SCALE = {
  specReplicasPath: true,
  statusReplicasPath: true,
  labelSelectorPath: true,
  anyPath: true,
} satisfies AllOf<ScaleOptions>;

const X_VALIDATION = {
  rule: true,
  message: true,
  messageExpression: true,
  reason: true,
  fieldPath: true,
  optionalOldSelf: true,
} satisfies AllOf<ValidationRule>;

const OPTIONS = {
  Field: FIELD,
  Kind: KIND,
  Schema: SCHEMA,
  PrintColumn: PRINT_COLUMN,
  Scale: SCALE,
  XValidation: X_VALIDATION,
};

/** Decorators that have no effect on definitions. */
const WITHOUT_MANIFESTS = [
  ...['Admission', 'ConvertsTo', 'Daemon', 'Dependent', 'Every', 'Index', 'Inject', 'Mutate', 'Policy'],
  ...['Source', 'Validate'],
];

/** Capitalized functions of the SDK that are not classes and have an effect on manifests. */
function decorators(): string[] {
  return Object.entries(sdk)
    .filter(([name, value]) => typeof value === 'function' && /^[A-Z]/.test(name) && !String(value).startsWith('class'))
    .map(([name]) => name)
    .filter((name) => !WITHOUT_MANIFESTS.includes(name));
}

/** Each decorator that the SDK exports, and each option that changes a definition. */
export function wholeVocabulary(): string[] {
  const options = Object.entries(OPTIONS).flatMap(([decorator, names]) =>
    Object.keys(names).map((name) => `${decorator}.${name}`),
  );
  return [...decorators(), ...options];
}
