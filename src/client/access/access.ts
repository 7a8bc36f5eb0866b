import { requestInfo } from '../../api/access/request-info.js';
import type { QueryValue } from '../query.js';

/** The permission that a request needs, in terms of RBAC. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  /** Plural, with its subresource: `pods/log`. Empty for a non-resource path. */
  readonly resource: string;
  /** Undefined for all namespaces and for cluster scope. */
  readonly namespace: string | undefined;
  /** A non-resource path, such as `/version`. */
  readonly url: string | undefined;
}

/** Called with each access before the client sends the request. */
export type AccessListener = (access: Access) => void;

/** The parts of a request that its permissions depend on. */
export interface AccessRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly contentType?: string | undefined;
  /** The impersonated user of the request. */
  readonly impersonate?: string | undefined;
}

/** The user name of a ServiceAccount, with its namespace. */
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):/;

/** Returns the permissions that the client needs for a request. */
export function accessOf({ method, path, query, contentType, impersonate }: AccessRequest): Access[] {
  if (impersonate !== undefined) return [impersonation(impersonate)];
  const [pathname = '', ownQuery = ''] = path.split('?', 2);
  const parameters = new URLSearchParams(ownQuery);
  if (query?.['watch'] !== undefined) parameters.set('watch', String(query['watch']));
  const { verb, isResource, group, plural, subresource, namespace } = requestInfo(method, pathname, parameters);
  if (!isResource) return [{ verb, group: '', resource: '', namespace: undefined, url: pathname }];
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  const access = { verb, group, resource, namespace, url: undefined };
  // An apply may create the object, so the server also requires the permission to create: `withAuthorization` in
  // k8s.io/apiserver/pkg/endpoints/handlers/update.go. An apply never creates a subresource.
  const isApply = contentType === 'application/apply-patch+yaml' && subresource === '';
  return isApply ? [access, { ...access, verb: 'create' }] : [access];
}

function impersonation(user: string): Access {
  const [, namespace] = SERVICE_ACCOUNT.exec(user) ?? [];
  const resource = namespace === undefined ? 'users' : 'serviceaccounts';
  return { verb: 'impersonate', group: '', resource, namespace, url: undefined };
}
