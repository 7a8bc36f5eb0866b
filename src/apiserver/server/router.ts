import type { ServerResponse } from 'node:http';
import type { RequestInfo } from '../../api/access/request-info.js';
import { goQuoted } from '../../base/go-quoted.js';
import type { Aggregator } from '../aggregation/aggregator.js';
import { notServed } from '../errors/status-error.js';
import type { Documents } from '../handlers/read/documents.js';
import type { ResourceHandlers } from '../handlers/resource-handlers.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { Resource } from '../resources/resource.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import { type Outcome, textNotFound } from '../transport/response/outcome.js';

interface RouterDependencies {
  readonly resources: ResourceRegistry;
  readonly aggregator: Aggregator;
  readonly documents: Documents;
  readonly handlers: ResourceHandlers;
  readonly metrics: ServerMetrics;
}

/** Routes a request to the server of an APIService, a document, or the handlers of a resource. */
export class Router {
  constructor(private readonly dependencies: RouterDependencies) {}

  /** @throws StatusError for a path that is not served */
  async route(request: ApiRequest, response: ServerResponse): Promise<Outcome> {
    const { info, path } = request;
    const { aggregator, documents, resources, metrics, handlers } = this.dependencies;
    const remote = aggregator.answer(request);
    if (remote) return remote;
    if (path.startsWith('//')) return textNotFound();
    if (!info.isResource) return documents.answer(request);
    if (info.plural === '') return withoutKind(path);
    if (path.includes('//')) throw notServed();
    const resource = resources.find(info.apiVersion, info.plural);
    if (!resource || !hasRoute(resource, info)) {
      if (resource ? !resource.isCustom : resources.isInstalled(info.group)) throw notServed();
      return textNotFound();
    }
    metrics.track(request, response);
    return handlers.serve(resource, request);
  }
}

/** The response to a watch path without a resource: apiserver/pkg/endpoints/request/requestinfo.go. */
function withoutKind(path: string): Outcome {
  const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`;
  const body = `Internal Server Error: ${goQuoted(path)}: ${why}\n`;
  return { type: 'text', code: 500, contentType: 'text/plain; charset=utf-8', body };
}

const OF_OBJECTS = ['get', 'update', 'patch', 'delete'];
const ACROSS_NAMESPACES = new Set(['list', 'watch']);

/**
 * Returns whether a resource is served at a path. Built-in resources have the routes of Kubernetes' installer
 * (apiserver/pkg/endpoints/installer.go), custom ones those that their scope allows (crdHandler).
 */
function hasRoute(resource: Resource, info: RequestInfo): boolean {
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
