import type { ApiObject } from '../objects/api-object.js';
import type { UserInfo } from '../objects/user-info.js';
import type { Resource } from '../resources/resource.js';

/** A write to check; resources other than roles and bindings are ignored. */
export interface Grant {
  readonly resource: Resource;
  readonly object: ApiObject;
  /** The stored object; undefined for a new one. */
  readonly old?: ApiObject | undefined;
  readonly user: UserInfo;
  /** The name in the request; empty when an object is created. */
  readonly name: string;
}

/** Guards against privilege escalation through roles and bindings. */
export interface GrantCheck {
  /** @throws StatusError that lists the missing permissions */
  assertAllowed(grant: Grant): void;
}
