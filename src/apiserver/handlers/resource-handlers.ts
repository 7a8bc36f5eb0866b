import { evaluateReview, isReview, type ReviewDependencies } from './reviews.js';
import { badRequest, methodNotAllowed, notAcceptable, StatusError } from '../errors/status-error.js';
import type { Registry } from '../registry/registry.js';
import type { Remover } from '../registry/remover.js';
import type { Resource } from '../resources/resource.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import { BodyStream } from '../transport/stream/event-stream.js';
import { negotiate } from '../transport/response/negotiate.js';
import type { Outcome } from '../transport/response/outcome.js';
import { includeObject, acceptOptionsOf } from '../transport/response/responder.js';
import { isWebSocketRequest } from '../transport/stream/web-socket-handshake.js';
import { WebSocketStream } from '../transport/stream/web-socket-stream.js';
import { assertMethod } from './request/assert-method.js';
import { assertMediaTypes, STREAMS, warnOfVersion } from './request/content-negotiation.js';
import { componentStatuses, isComponentStatus } from './read/component-statuses.js';
import { list, selectionOf } from './read/list.js';
import { podLog, type PodLogSource } from './subresource/pods/pod-log.js';
import { bind, createBinding, isBinding } from './subresource/pods/pod-binding.js';
import { evict } from './subresource/pods/pod-eviction.js';
import { decorateOutcome } from './read/decorate.js';
import { isSet, listQuery, parseResourceVersion } from './request/query-options.js';
import { remove, removeCollection } from './write/remove.js';
import { serveScale } from './subresource/scale.js';
import { requestToken } from './subresource/token-request.js';
import { waitForRevision } from './read/wait-for-revision.js';
import { WatchEncoder } from './read/watch-encoder.js';
import { Watch } from './read/watch.js';
import { patch } from './write/patch.js';
import { namespaceOf } from './request/request-namespace.js';
import { create, update } from './write/write.js';
import { goQuoted } from '../../base/go-quoted.js';

export interface HandlerDependencies {
  readonly registry: Registry;
  readonly remover: Remover;
  readonly resources: ResourceRegistry;
  readonly reviews: ReviewDependencies;
  readonly podLogs: PodLogSource;
  /** True if controllers run; ComponentStatus shows it. */
  readonly runsControllers: boolean;
}

const OBJECT_SUBRESOURCES = new Set(['status', 'ephemeralcontainers', 'resize', 'finalize', 'approval']);

/** Handles requests for resources, by verb and subresource. */
export class ResourceHandlers {
  private readonly watches = new Set<Watch>();

  constructor(private readonly dependencies: HandlerDependencies) {
    dependencies.resources.subscribe((change, resource) => {
      if (change === 'REMOVED') this.closeWatches(resource);
    });
  }

  async serve(resource: Resource, request: ApiRequest): Promise<Outcome> {
    if (resource.isCustom) warnOfVersion(resource, request);
    assertMethod(resource, request);
    if (request.info.subresource !== '') return this.serveSubresource(resource, request);
    assertMediaTypes(resource, request);
    assertNamed(request);
    if (isComponentStatus(resource)) return componentStatuses(resource, request, this.dependencies.runsControllers);
    const outcome = await this.serveVerb(resource, request);
    return request.info.verb === 'delete' ? outcome : decorateOutcome(outcome);
  }

  /** Closes the watches of a resource, or of all resources. */
  closeWatches(of?: Resource): void {
    for (const watch of [...this.watches]) if (!of || watch.resource === of) watch.close();
  }

  /** Ends the watches of some resources, with an error as the last event if there is one; returns their number. */
  endWatches(isOf: (resource: Resource) => boolean, error: StatusError | undefined): number {
    const ended = [...this.watches].filter(({ resource }) => isOf(resource));
    for (const watch of ended) {
      if (error) watch.fail(error);
      else watch.close();
    }
    return ended.length;
  }

  private async serveVerb(resource: Resource, request: ApiRequest): Promise<Outcome> {
    const { registry, remover } = this.dependencies;
    switch (request.info.verb) {
      case 'get':
        return this.get(resource, request);
      case 'list': {
        const query = listQuery(request);
        const selection = selectionOf(resource, request.info.namespace, query);
        // A continue token contains its own resource version.
        if (query.continueToken === '')
          await waitForRevision(registry, parseResourceVersion(query.resourceVersion, 'invalid resource version: '));
        return list(registry, resource, selection, query);
      }
      case 'watch':
        return this.watch(resource, request);
      case 'create':
        return this.create(resource, request);
      case 'update':
        return update(registry, resource, request);
      case 'patch':
        return patch(registry, resource, request);
      case 'delete':
        return remove(remover, resource, request);
      case 'deletecollection':
        return removeCollection(remover, registry, resource, request);
      default:
        throw methodNotAllowed();
    }
  }

  private async create(resource: Resource, request: ApiRequest): Promise<Outcome> {
    const { registry, resources, reviews } = this.dependencies;
    if (isReview(resource)) return evaluateReview(reviews, resource, request);
    const pods = isBinding(resource) ? resources.find('v1', 'pods') : undefined;
    return pods ? createBinding(registry, { bindings: resource, pods }, request) : create(registry, resource, request);
  }

  private async get(resource: Resource, request: ApiRequest): Promise<Outcome> {
    const { name, namespace } = request.info;
    const { registry } = this.dependencies;
    if (isSet(request.query, 'export'))
      throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
    // Events are not served from the watch cache, which has other messages.
    const prefix = resource.storage === 'events' ? 'invalid resource version: ' : '';
    await waitForRevision(registry, parseResourceVersion(request.query.get('resourceVersion') ?? '', prefix));
    return {
      type: 'object',
      code: 200,
      resource,
      stored: registry.get(resource, name, namespaceOf(resource, namespace)),
    };
  }

  private watch(resource: Resource, request: ApiRequest): Outcome {
    const query = listQuery(request);
    const representation = negotiate(acceptOptionsOf(request), { hasProtobuf: !resource.isCustom, hasTable: true });
    if (representation.format === 'yaml') throw notAcceptable(STREAMS);
    const { registry } = this.dependencies;
    const now = (): number => registry.clock.now();
    const named = request.info.name === '' ? query : { ...query, fieldSelector: `metadata.name=${request.info.name}` };
    const selection = selectionOf(resource, request.info.namespace, named);
    parseResourceVersion(query.resourceVersion);
    const options = {
      registry,
      resource,
      selection,
      query,
      encoder: new WatchEncoder(resource, representation, includeObject(request.query), now),
      onClose: (watch: Watch) => this.watches.delete(watch),
    };
    return {
      type: 'stream',
      start: (response) => {
        const { message } = request;
        const stream = isWebSocketRequest(message) ? new WebSocketStream(message, response) : new BodyStream(response);
        const watch = new Watch(options, stream);
        this.watches.add(watch);
        watch.start();
      },
    };
  }

  private async serveSubresource(resource: Resource, request: ApiRequest): Promise<Outcome> {
    const { subresource } = request.info;
    assertMediaTypes(resource, request);
    if (OBJECT_SUBRESOURCES.has(subresource)) return this.serveVerb(resource, request);
    if (subresource === 'scale' && resource.scale)
      return serveScale(this.dependencies.registry, resource, resource.scale, request);
    return this.serveAction(resource, request);
  }

  /** Handles subresources that perform an action instead of showing a part of the object. */
  private async serveAction(resource: Resource, request: ApiRequest): Promise<Outcome> {
    const { registry, remover, resources, reviews } = this.dependencies;
    switch (request.info.subresource) {
      case 'binding':
        return bind(registry, resource, request);
      case 'eviction':
        return evict({ registry, remover, resources, pods: resource }, request);
      case 'token':
        return requestToken(reviews, resource, request);
      case 'log':
        return podLog(registry, this.dependencies.podLogs, resource, request);
      default:
        throw this.notPlayed(resource, request);
    }
  }

  /** Returns the error of subresources that need real containers or a network. */
  private notPlayed(resource: Resource, { info: { name, namespace, subresource } }: ApiRequest): StatusError {
    const { plural } = resource;
    const target = subresource === 'proxy' ? proxiedName(plural, name) : name;
    this.dependencies.registry.get(resource, target, namespaceOf(resource, namespace));
    const why = 'its pods are simulated: they have no processes and no network';
    return new StatusError(501, 'NotImplemented', `the embedded server cannot serve ${plural}/${subresource}: ${why}`);
  }
}

/** @throws StatusError for a missing name of a custom resource; for built-in resources, routing has failed before */
function assertNamed({ info: { verb, name } }: ApiRequest): void {
  if (name === '' && (verb === 'update' || verb === 'patch')) throw badRequest('name must be provided');
}

/**
 * Returns the name in a proxy path: `name`, `name:port` or `scheme:name:port`.
 * @throws StatusError when the path has another form
 */
function proxiedName(plural: string, text: string): string {
  const parts = text.split(':');
  const [scheme = '', name] = parts.length === 3 ? parts : ['', parts[0]];
  if (parts.length <= 3 && name && /^(https?)?$/.test(scheme)) return name;
  throw badRequest(`invalid ${plural.slice(0, -1)} request ${goQuoted(text)}`);
}
