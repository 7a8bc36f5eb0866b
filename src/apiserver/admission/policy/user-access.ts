import type { UserAccess } from '../../../crd/cel/evaluate/authorizer.js';
import { serviceAccountUser } from '../../auth/service-account-user.js';
import { RbacAuthorizer } from '../../auth/rbac-authorizer.js';
import type { UserInfo } from '../../registry/write-options.js';
import type { ObjectStore } from '../../storage/object-store.js';

/** What a user may do, for the `authorizer` of expressions. */
export function userAccess(store: ObjectStore, user: UserInfo): UserAccess {
  return {
    allows: ({ resource, subresource, ...question }) =>
      new RbacAuthorizer(store).allows(user, {
        ...question,
        resource: subresource === '' ? resource : `${resource}/${subresource}`,
      }),
    of: (namespace, name) => userAccess(store, serviceAccountUser(namespace, name)),
  };
}
