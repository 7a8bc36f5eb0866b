import { forbidden, type StatusError } from '../errors/status-error.js';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import type { UserInfo } from '../objects/user-info.js';
import type { Resource } from '../resources/resource.js';
import type { RemoteCalls } from '../remote/remote-calls.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** A write on its way to the store: what the real server calls admission attributes. */
export interface AdmissionRequest {
  readonly operation: Operation;
  readonly resource: Resource;
  /** What is to be stored, or what is to go. */
  readonly object: ApiObject;
  /** The object as it is, unless it is new. */
  readonly old?: ApiObject | undefined;
  readonly subresource: string;
  /** Whether it was for a collection, so that it names no object. */
  readonly isOfCollection?: boolean | undefined;
  readonly user: UserInfo;
  readonly dryRun?: boolean | undefined;
  /** The options of the request as the client gave them. */
  readonly options?: JsonObject | undefined;
  /** Warnings for the client, added to. */
  readonly warnings?: string[] | undefined;
  /** Noted in the audit event; added to. */
  readonly annotations?: Record<string, string> | undefined;
  /** Where webhooks may be waited for; without, none is asked. */
  readonly calls?: RemoteCalls | undefined;
}

/** Changes and refuses writes. */
export interface Admission {
  /** The object as it is to be prepared and checked; refuses by a StatusError. */
  mutate(request: AdmissionRequest): ApiObject;
  /** Refuses an object that is otherwise ready to be stored. */
  validate(request: AdmissionRequest): void;
}

export const NO_ADMISSION: Admission = { mutate: ({ object }) => object, validate: () => undefined };

/** The namespace of the request; a Namespace counts as in itself. */
export function namespaceOfRequest({ resource, object }: AdmissionRequest): string {
  const { name, namespace = '' } = object.metadata;
  return resource.storage === 'namespaces' ? name : namespace;
}

/** Whether the request makes an object of a collection, of the main endpoint. */
export function isNew({ operation, resource, subresource }: AdmissionRequest, storage: string): boolean {
  return operation === 'CREATE' && subresource === '' && resource.storage === storage;
}

/** The name that the request is about. */
export function nameOfRequest({ object, isOfCollection = false }: AdmissionRequest): string {
  return isOfCollection ? '' : object.metadata.name;
}

/** A refusal, as admission.NewForbidden words it. */
export function refused(request: AdmissionRequest, why: string): StatusError {
  const { resource, object, isOfCollection = false } = request;
  const { name, generateName = '' } = isOfCollection ? { name: '' } : object.metadata;
  return forbidden(resource, name || generateName || 'Unknown', why);
}
