import { forbidden, type StatusError } from '../errors/status-error.js';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import type { UserInfo } from '../objects/user-info.js';
import type { Resource } from '../resources/resource.js';
import type { RemoteCalls } from '../remote/remote-calls.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** The attributes of a write that admission decides on. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: Resource;
  /** The object to store or to delete. */
  readonly object: ApiObject;
  /** The stored object; undefined for a new one. */
  readonly old?: ApiObject | undefined;
  readonly subresource: string;
  /** True for the deletion of a collection, which has no object name. */
  readonly isOfCollection?: boolean | undefined;
  readonly user: UserInfo;
  readonly dryRun?: boolean | undefined;
  /** The options of the request as the client sent them. */
  readonly options?: JsonObject | undefined;
  /** Warnings for the client; plugins append to them. */
  readonly warnings?: string[] | undefined;
  /** Annotations of the audit event; plugins add to them. */
  readonly annotations?: Record<string, string> | undefined;
  /** The responses of webhooks; if undefined, webhooks are not called. */
  readonly calls?: RemoteCalls | undefined;
}

/** Mutates and validates writes. */
export interface Admission {
  /** Returns the object to prepare and validate. @throws StatusError to deny the write */
  mutate(request: AdmissionAttributes): ApiObject;
  /** Runs last, on the object to store. @throws StatusError to deny the write */
  validate(request: AdmissionAttributes): void;
}

export const NO_ADMISSION: Admission = { mutate: ({ object }) => object, validate: () => undefined };

/** The namespace of the request; for a Namespace object, its own name. */
export function namespaceOfRequest({ resource, object }: AdmissionAttributes): string {
  const { name, namespace = '' } = object.metadata;
  return resource.storage === 'namespaces' ? name : namespace;
}

/** Reports whether the request creates an object of a collection. */
export function isNew({ operation, resource, subresource }: AdmissionAttributes, storage: string): boolean {
  return operation === 'CREATE' && subresource === '' && resource.storage === storage;
}

/** The name of the object; empty for a collection. */
export function nameOfRequest({ object, isOfCollection = false }: AdmissionAttributes): string {
  return isOfCollection ? '' : object.metadata.name;
}

/** The error of a denied write, like admission.NewForbidden. */
export function refused(request: AdmissionAttributes, why: string): StatusError {
  const { resource, object, isOfCollection = false } = request;
  const { name, generateName = '' } = isOfCollection ? { name: '' } : object.metadata;
  return forbidden(resource, name || generateName || 'Unknown', why);
}
