import type { RequestInfo } from '../../../api/request-info.js';
import { methodNotAllowed, methodNotSupported, notFound } from '../../errors/status-error.js';
import type { Resource, Subresource } from '../../resources/resource.js';
import type { ApiRequest } from '../../transport/request/api-request.js';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Refuses a method that a path of the resource does not take. */
export function checkMethod(resource: Resource, request: ApiRequest): void {
  if (resource.isCustom) checkVerb(resource, request);
  else checkRoute(resource, request);
}

/** What go-restful does with built-in resources, each of whose routes has one method. */
function checkRoute(resource: Resource, { method, info }: ApiRequest): void {
  if (info.subresource === 'proxy') return;
  if (!METHODS.has(method) || (method !== 'GET' && isOnlyRead(resource, info))) throw methodNotAllowed();
  if (info.subresource === '' && isMisplaced(info)) throw methodNotAllowed();
  // What can be listed takes a watch for a list, and refuses it then itself.
  const verb = info.verb === 'watch' ? 'list' : info.verb;
  if (servedAt(resource, info)?.verbs.has(verb) !== true) throw methodNotAllowed();
}

/** Whether a path watches, or leads to the objects of all namespaces. */
function isOnlyRead({ namespaced }: Resource, { isWatchPath, name, inNamespace }: RequestInfo): boolean {
  return isWatchPath || (name === '' && namespaced && !inNamespace);
}

/** Whether a verb of objects is asked of a collection, or the other way round. */
function isMisplaced({ verb, name }: RequestInfo): boolean {
  return name === '' ? verb === 'update' || verb === 'patch' : verb === 'create';
}

function servedAt(resource: Resource, { subresource }: RequestInfo): Resource | Subresource | undefined {
  return subresource === '' ? resource : resource.subresources.get(subresource);
}

/** What the handler of custom resources does, which looks at the verb alone. */
function checkVerb(resource: Resource, { info }: ApiRequest): void {
  const served = servedAt(resource, info);
  if (!served) throw notFound(resource, info.name);
  if (!served.verbs.has(info.verb)) throw methodNotSupported(resource, info.verb);
}
