import type { ApiObject } from '../object.js';
import type { Resource } from '../resources/resource.js';
import type { UserInfo } from './write-options.js';

/** A write on its way to the store. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: Resource;
  readonly object: ApiObject;
  readonly old?: ApiObject;
  readonly subresource: string;
  readonly user: UserInfo;
  readonly dryRun?: boolean;
  readonly warnings?: string[];
}

/** May change or refuse a write after the resource prepared it. */
export interface Admission {
  /** The object to store; refuses by a StatusError. */
  admit(request: AdmissionRequest): ApiObject;
}

export const NO_ADMISSION: Admission = { admit: ({ object }) => object };
