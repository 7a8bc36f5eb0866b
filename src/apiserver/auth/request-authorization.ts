import type { RequestInfo } from '../../api/request-info.js';
import { forbidden, StatusError } from '../errors/status-error.js';
import { selectedName } from '../storage/field-query.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import type { RbacAuthorizer } from './rbac-authorizer.js';

/** Refuses with 403 a request that its user has no right to. */
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

/** Lists and watches of one name need the rights to no others. */
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
