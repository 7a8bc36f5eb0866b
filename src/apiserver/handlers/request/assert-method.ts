import type { RequestInfo } from '../../../api/access/request-info.js';
import { methodNotAllowed, methodNotSupported, notFound } from '../../errors/status-error.js';
import type { Resource, Subresource } from '../../resources/resource.js';
import type { ApiRequest } from '../../transport/request/api-request.js';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** @throws StatusError when the path does not support the method */
export function assertMethod(resource: Resource, request: ApiRequest): void {
  if (resource.isCustom) assertVerb(resource, request);
  else assertRoute(resource, request);
}

/** Applies go-restful's rules for built-in resources: each of their routes has one method. */
function assertRoute(resource: Resource, { method, info }: ApiRequest): void {
  if (info.subresource === 'proxy') return;
  if (!METHODS.has(method) || (method !== 'GET' && isOnlyRead(resource, info))) throw methodNotAllowed();
  if (info.subresource === '' && isMisplaced(info)) throw methodNotAllowed();
  // Routes that list also accept watches; the list handler checks these itself.
  const verb = info.verb === 'watch' ? 'list' : info.verb;
  if (servedAt(resource, info)?.verbs.has(verb) !== true) throw methodNotAllowed();
}

/** Returns whether a path only supports reads: watch paths and lists over all namespaces. */
function isOnlyRead({ namespaced }: Resource, { isWatchPath, name, inNamespace }: RequestInfo): boolean {
  return isWatchPath || (name === '' && namespaced && !inNamespace);
}

/** Returns whether a verb for objects is used on a collection or vice versa. */
function isMisplaced({ verb, name }: RequestInfo): boolean {
  return name === '' ? verb === 'update' || verb === 'patch' : verb === 'create';
}

function servedAt(resource: Resource, { subresource }: RequestInfo): Resource | Subresource | undefined {
  return subresource === '' ? resource : resource.subresources.get(subresource);
}

/** Applies the rules of the handler of custom resources, which checks only the verb. */
function assertVerb(resource: Resource, { info }: ApiRequest): void {
  const served = servedAt(resource, info);
  if (!served) throw notFound(resource, info.name);
  if (!served.verbs.has(info.verb)) throw methodNotSupported(resource, info.verb);
}
