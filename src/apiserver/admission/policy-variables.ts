import { CelAuthorizer, CelCheck, type UserAccess } from '../../crd/cel/values/authorizer.js';
import { dynamicValue } from '../../crd/cel/evaluate/dynamic-value.js';
import type { RbacAuthorizer } from '../auth/rbac-authorizer.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import type { ObjectStore } from '../storage/object-store.js';
import { nameOfRequest, namespaceOfRequest, type AdmissionAttributes } from '../registry/admission.js';
import { admissionRequest, type ReviewedRequest } from './webhook/admission-review.js';
import type { Variables } from '../expressions/expressions.js';
import { serviceAccountUser } from '../auth/service-account-user.js';
import type { UserInfo } from '../objects/user-info.js';

/** The sources of policy variables besides the request. */
export interface PolicySources {
  readonly store: ObjectStore;
  readonly authorizer: RbacAuthorizer;
}

/** Returns the variables of a webhook's match conditions, which do not include the namespace. */
export function requestVariables(authorizer: RbacAuthorizer, request: ReviewedRequest): Variables {
  const { resource, subresource, user } = request;
  const access = userAccess(authorizer, user);
  return {
    object: dynamicValue(request.asObject),
    oldObject: dynamicValue(request.asOld),
    request: dynamicValue(admissionRequest(request)),
    namespaceObject: null,
    authorizer: new CelAuthorizer(access),
    'authorizer.requestResource': new CelCheck('ResourceCheck', access, {
      group: resource.group,
      resource: resource.plural,
      subresource,
      namespace: namespaceOfRequest(request),
      name: nameOfRequest(request),
    }),
  };
}

/** Returns the variables of a policy for one parameter, in the version that its rules match. */
export function policyVariables(
  { store, authorizer }: PolicySources,
  request: AdmissionAttributes,
  as: Resource,
  params: ApiObject | undefined,
): Variables {
  const asObject = request.operation === 'DELETE' ? undefined : inVersion(request.object, request.resource, as);
  const asOld = request.old && inVersion(request.old, request.resource, as);
  const namespace = request.resource.storage === 'namespaces' ? '' : namespaceOfRequest(request);
  return {
    ...requestVariables(authorizer, { ...request, as, asObject, asOld }),
    params: dynamicValue(params),
    namespaceObject: dynamicValue(namespace === '' ? undefined : store.get('namespaces', namespace)?.object),
  };
}

/** Converts an object; one that only a webhook could convert is returned unchanged. */
function inVersion(object: ApiObject, from: Resource, to: Resource): ApiObject {
  const encoded = from.codec.encode(object);
  return from === to || to.codec.prepare ? encoded : to.codec.fromStorage(from.codec.toStorage(encoded));
}

/** Returns the permission checks of a user, for the `authorizer` variable of expressions. */
function userAccess(authorizer: RbacAuthorizer, user: UserInfo): UserAccess {
  return {
    allows: ({ resource, subresource, ...question }) =>
      authorizer.allows(user, {
        ...question,
        resource: subresource === '' ? resource : `${resource}/${subresource}`,
      }),
    of: (namespace, name) => userAccess(authorizer, serviceAccountUser(namespace, name)),
  };
}
