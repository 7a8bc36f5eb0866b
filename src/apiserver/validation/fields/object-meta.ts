import { goQuoted } from '../../../base/go-quoted.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { forbiddenField, invalidValue, required, tooLong, type FieldError } from '../../../api/protocol/field-error.js';
import type { ApiObject, Metadata } from '../../objects/api-object.js';
import { fieldManagerErrors } from './field-manager-validation.js';
import { dnsLabelErrors, labelValueErrors, qualifiedNameErrors } from '../../../api/objects/names.js';

const MAX_SUBRESOURCE = 256;
const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const STANDARD_FINALIZERS = new Set([
  'orphan',
  'foregroundDeletion',
  'kubernetes',
  'customresourcecleanup.apiextensions.k8s.io', // of CRDs, set by the server
]);

export type NameErrors = (name: string, isPrefix: boolean) => string[];

/**
 * Returns the errors of an object's metadata: apimachinery's ValidateObjectMeta, or that of the core API, where
 * finalizers without a domain must be standard ones.
 */
export function validateObjectMeta(
  object: ApiObject,
  namespaced: boolean,
  nameErrors: NameErrors,
  allowsAnyFinalizer: boolean,
): FieldError[] {
  const { metadata } = object;
  const errors: FieldError[] = [];
  if (metadata.generateName) {
    for (const message of nameErrors(maskTrailingDash(metadata.generateName), true)) {
      errors.push(invalidValue('metadata.generateName', metadata.generateName, message));
    }
  }
  if (!metadata.name) errors.push(required('metadata.name', 'name or generateName is required'));
  else
    for (const message of nameErrors(metadata.name, false))
      errors.push(invalidValue('metadata.name', metadata.name, message));
  errors.push(...validateNamespace(metadata, namespaced));
  if ((metadata.generation ?? 0) < 0) {
    errors.push(invalidValue('metadata.generation', metadata.generation, 'must be greater than or equal to 0'));
  }
  errors.push(
    ...validateLabels(metadata.labels, 'metadata.labels'),
    ...validateAnnotations(metadata.annotations, 'metadata.annotations'),
  );
  errors.push(
    ...validateOwners(metadata),
    ...validateFinalizers(metadata.finalizers ?? []),
    ...validateManagedFields(metadata),
    ...(allowsAnyFinalizer ? [] : standardFinalizerErrors(metadata)),
  );
  return errors;
}

function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

function validateNamespace({ namespace }: Metadata, namespaced: boolean): FieldError[] {
  if (!namespaced) return namespace ? [forbiddenField('metadata.namespace', 'not allowed on this type')] : [];
  if (!namespace) return [required('metadata.namespace')];
  return dnsLabelErrors(namespace).map((message) => invalidValue('metadata.namespace', namespace, message));
}

/** Sorts labels by key, as Go prints them. */
export function inOrder(labels: unknown): object | null {
  if (typeof labels !== 'object' || labels === null) return null;
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  return Object.entries(labels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) => [
      ...qualifiedNameErrors(key).map((message) => invalidValue(field, key, message)),
      ...labelValueErrors(value).map((message) => invalidValue(field, value, message)),
    ]);
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  let size = 0;
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(annotations ?? {})) {
    errors.push(...qualifiedNameErrors(key.toLowerCase()).map((message) => invalidValue(field, key, message)));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > MAX_ANNOTATIONS_BYTES) errors.push(tooLong(field, MAX_ANNOTATIONS_BYTES));
  return errors;
}

function versionErrors(apiVersion: string): FieldError[] {
  const parts = apiVersion.split('/');
  const hasVersion = parts.at(-1) !== '' && parts.length <= 2;
  return hasVersion
    ? []
    : [invalidValue('metadata.ownerReferences.apiVersion', apiVersion, 'version must not be empty')];
}

function validateOwners({ ownerReferences = [] }: Metadata): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  ownerReferences.forEach((owner) => {
    errors.push(...versionErrors(owner.apiVersion));
    for (const key of ['kind', 'name', 'uid'] as const) {
      const detail = 'must not be empty';
      if (!owner[key]) errors.push(invalidValue(`metadata.ownerReferences.${key}`, owner[key], detail));
    }
    if (owner.kind === 'Event' && owner.apiVersion === 'v1')
      errors.push(invalidValue('metadata.ownerReferences', owner, `/v1, Kind=Event is disallowed from being an owner`));
    if (owner.controller !== true) return;
    if (controller === undefined) controller = owner.kind;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller}/${ownerReferences.find((other) => other.controller)?.name ?? ''} and ${owner.kind}/${owner.name}`;
      errors.push(invalidValue('metadata.ownerReferences', ownerReferences, detail));
    }
  });
  return errors;
}

function validateFinalizers(finalizers: readonly string[]): FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    qualifiedNameErrors(finalizer).map((message) => invalidValue('metadata.finalizers', finalizer, message)),
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(
      invalidValue('metadata.finalizers', finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'),
    );
  }
  return errors;
}

/** In the core API, finalizers without a domain must be standard ones. */
export function standardFinalizerErrors({ finalizers = [] }: Metadata): FieldError[] {
  return finalizers.flatMap((finalizer, index) =>
    kubernetesFinalizerErrors(`metadata.finalizers[${index}]`, finalizer),
  );
}

export function kubernetesFinalizerErrors(field: string, finalizer: string): FieldError[] {
  if (finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer)) return [];
  return [invalidValue(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];
}

function validateManagedFields({ managedFields = [] }: Metadata): FieldError[] {
  return managedFields.flatMap((entry, index) => {
    const field = `metadata.managedFields[${index}]`;
    const errors: FieldError[] = [];
    const operation: string = entry.operation ?? '';
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalidValue(`${field}.operation`, operation, 'must be `Apply` or `Update`'));
    }
    if (entry.fieldsType !== undefined && entry.fieldsType !== '' && entry.fieldsType !== 'FieldsV1') {
      errors.push(invalidValue(`${field}.fieldsType`, entry.fieldsType, 'must be `FieldsV1`'));
    }
    errors.push(...fieldManagerErrors(entry.manager ?? '', `${field}.manager`));
    if (Buffer.byteLength(entry.subresource ?? '') > MAX_SUBRESOURCE)
      errors.push(tooLong(`${field}.subresource`, MAX_SUBRESOURCE));
    return errors;
  });
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/**
 * Returns the errors of an update of metadata: apimachinery's ValidateObjectMetaUpdate. Fills in the fields that
 * clients may omit.
 */
export function validateObjectMetaUpdate(next: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const [metadata, former] = [next.metadata, old.metadata];
  if (former.deletionTimestamp !== undefined) {
    const present = new Set(former.finalizers);
    const added = [...new Set(metadata.finalizers)].filter((finalizer) => !present.has(finalizer)).sort();
    if (added.length > 0) {
      const list = `[]string{${added.map((finalizer) => goQuoted(finalizer)).join(', ')}}`;
      errors.push(
        forbiddenField(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
        ),
      );
    }
  }
  for (const key of IMMUTABLE) {
    if (!deepEqual(metadata[key], former[key]))
      errors.push(invalidValue(`metadata.${key}`, metadata[key], 'field is immutable'));
  }
  errors.push(
    ...validateLabels(metadata.labels, 'metadata.labels'),
    ...validateAnnotations(metadata.annotations, 'metadata.annotations'),
  );
  errors.push(...validateOwners(metadata), ...validateManagedFields(metadata));
  return errors;
}
