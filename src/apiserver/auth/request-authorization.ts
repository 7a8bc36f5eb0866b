import type { RequestInfo } from '../../api/access/request-info.js';
import { forbidden, StatusError } from '../errors/status-error.js';
import { selectedName } from '../storage/field-query.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import type { RbacAuthorizer } from './rbac-authorizer.js';

/** @throws StatusError 403 when the user lacks the permission for the request */
export function authorizeRequest(authorizer: RbacAuthorizer, request: ApiRequest): void {
  const { user, info, path, method } = request;
  if (info.isResource) {
    const { verb, group, plural, subresource, namespace = '' } = info;
    const resource = subresource === '' ? plural : `${plural}/${subresource}`;
    const name = authorizedName(request);
    if (!authorizer.allows(user, { verb, group, resource, namespace, name }))
      throw forbiddenResource(user.name, { ...info, name }, resource);
    return;
  }
  const verb = method.toLowerCase();
  if (authorizer.allows(user, { verb, group: '', resource: '', namespace: '', name: '', path })) return;
  throw new StatusError(403, 'Forbidden', `forbidden: User "${user.name}" cannot ${verb} path "${path}"`, {});
}

/** Returns the object name to authorize; lists and watches of a single name need only the permission for that name. */
function authorizedName({ info: { verb, name }, query }: ApiRequest): string {
  if (name !== '' || (verb !== 'list' && verb !== 'watch')) return name;
  return selectedName(query.get('fieldSelector') ?? '') ?? '';
}

function forbiddenResource(user: string, info: RequestInfo, resource: string): StatusError {
  const { verb, group, plural, namespace, name } = info;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const why = `User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
  return forbidden({ group, plural }, name, why);
}
