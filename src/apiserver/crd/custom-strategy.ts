import { invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { without, type ApiObject } from '../objects/api-object.js';
import { forbidden, type GroupResource } from '../errors/status-error.js';
import type { ScalePaths, Strategy } from '../resources/resource.js';
import { compileRules } from '../../crd/cel/compile-rules.js';
import { EmbeddedResources } from './embedded-resources.js';
import { ratchet } from './ratchet.js';
import { scaleStatusErrors, specReplicasErrors } from './scale-validation.js';
import { listTypeErrors, SchemaValidator } from '../../crd/schema/schema-validator.js';
import type { Check } from '../../crd/schema/compiled-check.js';
import type { StructuralSchema } from '../../crd/schema/structural-schema.js';

/** Errors after which validation rules are not evaluated. */
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const RULES_NOT_CHECKED: FieldError = {
  type: 'FieldValueInvalid',
  field: '<nil>',
  body: 'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

/** The kind of a served version. */
interface ServedKind extends GroupResource {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The validation and defaulting of a version's objects. */
export interface ObjectRules {
  readonly schema: StructuralSchema;
  readonly scale: ScalePaths | undefined;
  readonly check?: Check | undefined;
}

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/** The strategy of custom resources: customresource/strategy.go. */
export function customStrategy({ kind, apiVersion, group, plural }: ServedKind, rules: ObjectRules): Strategy {
  const { schema } = rules;
  const validator = new CustomValidator(rules);
  return {
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    prepareForCreate: ({ metadata: { name } }, { store }) => {
      const definition = store.get(DEFINITIONS, `${plural}.${group}`)?.object;
      if (definition?.metadata.deletionTimestamp === undefined) return;
      throw forbidden({ group, plural }, name, 'create not allowed while custom resource definition is terminating');
    },
    typeErrors: (object) => {
      const errors = [
        ...(object.kind === kind ? [] : [invalidValue('kind', object.kind, `must be ${kind}`)]),
        ...(object.apiVersion === apiVersion
          ? []
          : [invalidValue('apiVersion', object.apiVersion, `must be ${apiVersion}`)]),
      ];
      return errors.length === 0 ? [] : [...errors, ...listTypeErrors(schema, without(object, 'metadata'), '')];
    },
    validate: (object) => validator.validate(object, undefined, ''),
    warnings: ({ metadata }, old) => {
      const former = old?.metadata.finalizers ?? [];
      const added = (metadata.finalizers ?? []).filter((name) => !former.includes(name));
      return [...new Set(added)].sort().filter(isUnqualified).map(unqualifiedFinalizer);
    },
    validateUpdate: (next, old, subresource) => validator.validate(next, old, subresource),
    validateLast: (next, old, errors) => validator.validateRules(next, old, errors),
  };
}

class CustomValidator {
  private readonly whole: SchemaValidator;
  private readonly status: SchemaValidator;
  private readonly embedded: EmbeddedResources;
  private readonly rules: ReturnType<typeof compileRules>;

  private readonly schema: StructuralSchema;
  private readonly scale: ScalePaths | undefined;
  private readonly check: Check;

  constructor({ schema, scale, check = () => false }: ObjectRules) {
    this.schema = schema;
    this.scale = scale;
    this.check = check;
    this.whole = new SchemaValidator(schema);
    this.status = new SchemaValidator(schema.properties?.status ?? {});
    this.embedded = EmbeddedResources.of(schema);
    this.rules = compileRules(schema, true);
  }

  validate(object: ApiObject, old: ApiObject | undefined, subresource: string): FieldError[] {
    const isStatus = subresource === 'status';
    const found = isStatus ? this.statusErrors(object, old) : this.wholeErrors(object);
    const errors = [...(old ? ratchet(found, this.schema, object, old) : found), ...this.scaleErrors(object, isStatus)];
    errors.push(...this.embedded.validate(object));
    const oldListErrors = old ? listTypeErrors(this.schema, without(old, 'metadata'), '') : [];
    if (oldListErrors.length === 0) errors.push(...listTypeErrors(this.schema, without(object, 'metadata'), ''));
    return errors;
  }

  private wholeErrors(object: ApiObject): FieldError[] {
    return this.check(object) ? [] : this.whole.validate(object);
  }

  validateRules(object: ApiObject, old: ApiObject | undefined, errors: readonly FieldError[]): FieldError[] {
    if (this.rules.isEmpty) return [];
    if (errors.some(({ type }) => BLOCKING.has(type))) return [RULES_NOT_CHECKED];
    return this.rules.validate(object, old);
  }

  private scaleErrors(object: ApiObject, isStatus: boolean): FieldError[] {
    if (!this.scale) return [];
    return [...(isStatus ? [] : specReplicasErrors(this.scale, object)), ...scaleStatusErrors(this.scale, object)];
  }

  /** Validates the status alone, with paths relative to it; null is valid if the old object had no status. */
  private statusErrors({ status }: ApiObject, old: ApiObject | undefined): FieldError[] {
    const found = (status ?? old?.status ?? undefined) === undefined ? [] : this.status.validate(status);
    return found.map((error) => ({ ...error, field: below('status', error.field) }));
  }
}

function below(parent: string, field: string): string {
  return field === '' || field === '<nil>' ? parent : `${parent}.${field}`;
}

const STANDARD_FINALIZERS = ['orphan', 'foregroundDeletion', 'kubernetes'];

function isUnqualified(finalizer: string): boolean {
  return !finalizer.includes('/') && !STANDARD_FINALIZERS.includes(finalizer);
}

/** Returns the warning of an unqualified finalizer; one with a domain lacks only the path. */
function unqualifiedFinalizer(name: string): string {
  const how = name.includes('.') ? ' including a path (/)' : '';
  return `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name${how} to avoid accidental conflicts with other finalizer writers`;
}
