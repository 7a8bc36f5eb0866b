import { invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { invalid, type GroupKind } from '../errors/status-error.js';
import type { ApiObject } from '../objects/api-object.js';
import { groupOf } from '../objects/group-of.js';
import type { Resource } from '../resources/resource.js';
import { dnsSubdomainErrors, pathSegmentErrors } from '../../api/objects/names.js';
import {
  standardFinalizerErrors,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type NameErrors,
} from '../validation/fields/object-meta.js';

/** @throws StatusError when the new object is invalid */
export function assertValidNew(resource: Resource, next: ApiObject): void {
  const { strategy } = resource;
  const unlike = strategy.typeErrors?.(next) ?? [];
  const errors = unlike.length > 0 ? unlike : newObjectErrors(resource, next);
  errors.push(...(strategy.validateLast?.(next, undefined, errors) ?? []));
  if (errors.length > 0) throw invalid({ group: shownGroup(resource), kind: next.kind }, next.metadata.name, errors);
}

/**
 * Returns the errors of the kind's validation and of metadata validation; some kinds leave the latter to
 * rest.BeforeCreate.
 */
function newObjectErrors(resource: Resource, next: ApiObject): FieldError[] {
  const { namespaced, strategy } = resource;
  const own = strategy.validate?.(next) ?? [];
  if (strategy.metadataChecks === 'none' && own.length > 0) return own;
  const errors = [
    ...validateObjectMeta(next, namespaced, nameErrorsOf(resource), allowsAnyFinalizer(resource)),
    ...own,
  ];
  return errors.length > 0 ? errors : placeErrors(next);
}

/** Validates the name as a path segment, for kinds that accept any other name. */
function placeErrors({ metadata: { name } }: ApiObject): FieldError[] {
  return pathSegmentErrors(name).map((why) => invalidValue('metadata.name', name, why));
}

function nameErrorsOf({ strategy }: Resource): NameErrors {
  return (text, isPrefix) => strategy.validateName?.(text, isPrefix) ?? dnsSubdomainErrors(text);
}

/** An update before it is stored. */
interface Change {
  readonly next: ApiObject;
  readonly old: ApiObject;
  readonly subresource: string;
  /** The group and kind for error messages, as the client wrote them. */
  readonly named: GroupKind;
}

/**
 * Returns the group and kind in the object's type metadata; they can differ from the resource's only for custom
 * resources.
 */
export function groupKindOf(resource: Resource, { apiVersion, kind }: ApiObject): GroupKind {
  return { group: resource.isCustom ? groupOf(apiVersion) : shownGroup(resource), kind };
}

/** The group for error messages. Events are served in two groups; errors always use the core group. */
export function shownGroup({ group, storage }: Resource): string {
  return storage === 'events' ? '' : group;
}

/** @throws StatusError when the change is invalid */
export function assertValidChange(resource: Resource, { next, old, subresource, named }: Change): void {
  const errors = [...commonChangeErrors(resource, next, old), ...strategyErrors(resource, next, old, subresource)];
  if (errors.length > 0) throw invalid(named, next.metadata.name, errors);
}

/** Returns the errors of the kind's own update validation. */
function strategyErrors(resource: Resource, next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  const { strategy } = resource;
  const unlike = strategy.typeErrors?.(next) ?? [];
  const errors =
    unlike.length > 0
      ? unlike
      : [
          ...metadataChangeErrors(resource, next, old, subresource),
          ...(strategy.validateUpdate?.(next, old, subresource) ?? strategy.validate?.(next) ?? []),
        ];
  return [...errors, ...(strategy.validateLast?.(next, old, errors) ?? [])];
}

/**
 * Returns metadata errors, with duplicates: every layer of the real server validates metadata, and clients see each
 * error once per layer.
 */
function metadataChangeErrors(resource: Resource, next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  const { namespaced, strategy } = resource;
  const { metadataChecks: checks = 'change' } = strategy;
  if (checks === 'none' || checks === 'own') return [];
  const allowsAny = allowsAnyFinalizer(resource);
  const errors: FieldError[] = [];
  if (checks !== 'generic') {
    errors.push(...validateObjectMetaUpdate(next, old));
    if (!allowsAny) errors.push(...standardFinalizerErrors(next.metadata));
  }
  const isSubresource = subresource !== '' && subresource !== 'scale';
  if (checks === 'change' || isSubresource) return errors;
  return [...errors, ...validateObjectMeta(next, namespaced, nameErrorsOf(resource), allowsAny)];
}

/** Validates like rest.validateCommonFields. */
function commonChangeErrors(resource: Resource, next: ApiObject, old: ApiObject): FieldError[] {
  const { namespaced } = resource;
  return [...validateObjectMeta(next, namespaced, pathSegmentErrors, true), ...validateObjectMetaUpdate(next, old)];
}

function allowsAnyFinalizer({ isCustom, strategy }: Resource): boolean {
  return isCustom || strategy.allowsAnyFinalizer === true;
}
