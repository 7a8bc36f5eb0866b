import { requestInfo } from '../../api/request-info.js';
import type { QueryValue } from '../query.js';

/** What a request needs a right to, in RBAC's terms. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  /** Plural, with its subresource: `pods/log`. Empty for a path that is no resource. */
  readonly resource: string;
  /** Undefined for all namespaces, and for what has none. */
  readonly namespace: string | undefined;
  /** Path that is no resource, such as `/version`. */
  readonly url: string | undefined;
}

/** Told of each access that a client asks for, before it does. */
export type AccessListener = (access: Access) => void;

/** As much of a request as its rights depend on. */
export interface AccessRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly contentType?: string | undefined;
}

/** The rights that a request needs. */
export function accessOf({ method, path, query, contentType }: AccessRequest): Access[] {
  const [pathname = '', ownQuery = ''] = path.split('?', 2);
  const parameters = new URLSearchParams(ownQuery);
  if (query?.['watch'] !== undefined) parameters.set('watch', String(query['watch']));
  const { verb, isResource, group, plural, subresource, namespace } = requestInfo(method, pathname, parameters);
  if (!isResource) return [{ verb, group: '', resource: '', namespace: undefined, url: pathname }];
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  const access = { verb, group, resource, namespace, url: undefined };
  // An apply creates what is not there, which the server asks the right to create for: `withAuthorization` in
  // k8s.io/apiserver/pkg/endpoints/handlers/update.go. A subresource is never created so.
  const isApply = contentType === 'application/apply-patch+yaml' && subresource === '';
  return isApply ? [access, { ...access, verb: 'create' }] : [access];
}
