import type { RequestInfo } from '../../../api/request-info.js';
import type { Resource } from '../../resources/resource.js';

const OF_OBJECTS = ['get', 'update', 'patch', 'delete'];
const ACROSS_NAMESPACES = new Set(['list', 'watch']);

/**
 * Returns whether a resource is served at a path. Built-in resources have the routes of Kubernetes' installer
 * (apiserver/pkg/endpoints/installer.go), custom ones those that their scope allows (crdHandler).
 */
export function hasRoute(resource: Resource, info: RequestInfo): boolean {
  const { verb, name, inNamespace } = info;
  const isInScope = resource.namespaced === inNamespace;
  if (resource.isCustom) return isInScope || (!inNamespace && ACROSS_NAMESPACES.has(verb));
  if (info.isWatchPath && !isWatched(resource, info)) return false;
  if (name === '') return isInScope || (!inNamespace && resource.verbs.has('list'));
  return isInScope && hasObjectRoute(resource, info);
}

function isWatched({ verbs }: Resource, { subresource }: RequestInfo): boolean {
  return subresource === '' && verbs.has('watch');
}

function hasObjectRoute({ verbs, subresources }: Resource, { subresource, hasMore }: RequestInfo): boolean {
  if (hasMore) return false;
  return subresource === '' ? OF_OBJECTS.some((verb) => verbs.has(verb)) : subresources.has(subresource);
}
