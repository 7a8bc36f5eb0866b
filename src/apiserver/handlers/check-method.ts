import type { RequestInfo } from '../../api/request-info.js';
import { methodNotAllowed, methodNotSupported, notFound } from '../errors/status-error.js';
import type { Resource } from '../resources/resource.js';
import type { ApiRequest } from '../transport/api-request.js';

const NONE: ReadonlySet<string> = new Set();
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
  if (!verbsOf(resource, info).has(info.verb)) throw methodNotAllowed();
}

/** Whether a path watches, or leads to the objects of all namespaces. */
function isOnlyRead({ namespaced }: Resource, { isWatchPath, name, inNamespace }: RequestInfo): boolean {
  return isWatchPath || (name === '' && namespaced && !inNamespace);
}

/** Whether a verb of objects is asked of a collection, or the other way round. */
function isMisplaced({ verb, name }: RequestInfo): boolean {
  return name === '' ? verb === 'update' || verb === 'patch' : verb === 'create';
}

/** What can be listed takes a watch for a list, and refuses it then itself. */
function verbsOf({ verbs, subresources }: Resource, { subresource }: RequestInfo): ReadonlySet<string> {
  if (subresource !== '') return subresources.get(subresource)?.verbs ?? NONE;
  return verbs.has('list') ? new Set([...verbs, 'watch']) : verbs;
}

/** What the handler of custom resources does, which looks at the verb alone. */
function checkVerb(resource: Resource, { info: { verb, name, subresource } }: ApiRequest): void {
  const known = subresource === '' ? resource : resource.subresources.get(subresource);
  if (!known) throw notFound(resource, name);
  if (!known.verbs.has(verb)) throw methodNotSupported(resource, verb);
}
