import { invalidTyped, invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { arrayAt, eachObject, isJsonObject, objectAt, stringAt, type JsonObject } from '../../base/json-object.js';
import { APPROVED, apiApproval, needsApproval } from './api-approval.js';
import { nameProblems } from './name-problems.js';
import { specProblems } from './spec-problems.js';

/** A CustomResourceDefinition of apiextensions.k8s.io/v1, with its defaults. */
export interface Definition {
  readonly metadata: {
    readonly name: string;
    readonly generateName?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/**
 * Returns the errors of a CustomResourceDefinition, or of its update from `old`:
 * apiextensions/validation/validation.go.
 *
 * Metadata is checked as far as it depends on the definition. Kubernetes lets updates keep values that only older
 * servers accepted; such values cannot exist here, so updates are checked like creations.
 */
export function crdProblems(definition: Definition, old?: Definition): FieldError[] {
  const [spec, former] = [objectAt(definition, 'spec'), old && objectAt(old, 'spec')];
  const isEstablished = old !== undefined && hasTrueCondition(old, 'Established');
  return [
    ...(old ? [] : identityProblems(definition, spec)),
    ...specProblems(spec, {
      allowInvalidCaBundle: !isEstablished || (former !== undefined && hasSameBundle(spec, former)),
    }),
    ...(former ? changeProblems(spec, former, isEstablished) : []),
    ...nameProblems(objectAt(definition.status, 'acceptedNames'), 'status.acceptedNames'),
    ...storedVersionProblems(definition, spec),
    ...approvalProblems(definition, old),
    ...(spec.preserveUnknownFields === true
      ? [
          invalidTyped(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
  ];
}

/** Returns the errors of a status update of a definition. */
export function crdStatusProblems(definition: Definition): FieldError[] {
  return nameProblems(objectAt(definition.status, 'acceptedNames'), 'status.acceptedNames');
}

function hasTrueCondition({ status }: Definition, type: string): boolean {
  return eachObject(arrayAt(status, 'conditions')).some((one) => one.type === type && one.status === 'True');
}

/**
 * Reports whether the CA bundle is unchanged; an invalid bundle from before the definition was established is
 * accepted.
 */
function hasSameBundle(spec: JsonObject, former: JsonObject): boolean {
  const bundle = (one: JsonObject): unknown => {
    const { webhook } = objectAt(one, 'conversion');
    return isJsonObject(webhook) ? objectAt(webhook, 'clientConfig').caBundle : undefined;
  };
  return bundle(spec) === bundle(former);
}

function identityProblems({ metadata }: Definition, spec: JsonObject): FieldError[] {
  const expected = `${stringAt(spec.names, 'plural')}.${stringAt(spec, 'group')}`;
  return (['generateName', 'name'] as const).flatMap((field) => {
    const given = metadata[field] ?? '';
    const isFine = given === '' || given === expected;
    return isFine ? [] : [invalidValue(`metadata.${field}`, given, 'must be spec.names.plural+"."+spec.group')];
  });
}

/** Returns errors for changed immutable fields. */
function changeProblems(spec: JsonObject, former: JsonObject, isEstablished: boolean): FieldError[] {
  const immutable = (field: string, value: unknown, before: unknown): FieldError[] =>
    value === before ? [] : [invalidValue(`spec.${field}`, value ?? '', 'field is immutable')];
  const [names, oldNames] = [objectAt(spec, 'names'), objectAt(former, 'names')];
  return [
    ...(isEstablished
      ? [...immutable('scope', spec.scope, former.scope), ...immutable('names.kind', names.kind, oldNames.kind)]
      : []),
    ...immutable('group', spec.group, former.group),
    ...immutable('names.plural', names.plural, oldNames.plural),
  ];
}

/**
 * The versions in status.storedVersions must remain; a definition without a status is stored in its storage version.
 */
function storedVersionProblems({ status }: Definition, spec: JsonObject): FieldError[] {
  const versions = eachObject(spec.versions);
  const storage = versions.filter((version) => version.storage === true).map((version) => stringAt(version, 'name'));
  const stored = isJsonObject(status) ? arrayAt(status, 'storedVersions').map(String) : storage.slice(0, 1);
  const field = 'status.storedVersions';
  if (stored.length === 0) return [invalidTyped(field, null, 'must have at least one stored version')];
  const missing = storage.filter((name) => !stored.includes(name));
  const gone = stored.filter((name) => !versions.some((version) => version.name === name));
  return [
    ...missing.map((name) => invalidTyped(field, stored, `must have the storage version ${name}`)),
    ...gone.map((name) =>
      invalidValue(
        `${field}[${stored.lastIndexOf(name)}]`,
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    ),
  ];
}

function approvalProblems(definition: Definition, old: Definition | undefined): FieldError[] {
  if (!needsApproval(definition)) return [];
  const approval = apiApproval(definition);
  if (approval.state === 'approved' || approval.state === 'bypassed') return [];
  if (old && apiApproval(old).state === approval.state) return [];
  const field = `metadata.annotations[${APPROVED}]`;
  return approval.state === 'missing'
    ? [required(field, approval.message)]
    : [invalidValue(field, definition.metadata.annotations?.[APPROVED], approval.message)];
}
