import type { UserAccess } from '../../../crd/cel/evaluate/authorizer.js';
import { serviceAccountUser } from '../../auth/service-account-user.js';
import type { RbacAuthorizer } from '../../auth/rbac-authorizer.js';
import type { UserInfo } from '../../objects/user-info.js';

/** What a user may do, for the `authorizer` of expressions. */
export function userAccess(authorizer: RbacAuthorizer, user: UserInfo): UserAccess {
  return {
    allows: ({ resource, subresource, ...question }) =>
      authorizer.allows(user, {
        ...question,
        resource: subresource === '' ? resource : `${resource}/${subresource}`,
      }),
    of: (namespace, name) => userAccess(authorizer, serviceAccountUser(namespace, name)),
  };
}
