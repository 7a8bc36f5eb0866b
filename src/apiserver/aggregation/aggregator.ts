import type { RemoteGroup } from '../discovery/discovery.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { ConditionLike } from '../../api/objects/condition.js';
import { objectAt, arrayAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { Registry } from '../registry/registry.js';
import type { UserInfo } from '../objects/user-info.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import type { Outcome } from '../transport/response/outcome.js';
import { ServiceResolver } from '../remote/service-resolver.js';
import { AvailabilityController } from './availability-controller.js';
import type { FrontProxy } from './front-proxy.js';
import { proxyRequest, unavailable } from './proxy-request.js';
import { RemoteClient, type RemoteAnswer } from './remote-client.js';
import { RemoteDiscovery } from './remote-discovery.js';
import { API_SERVICES, serviceOf } from './service-reference.js';

/** A path below a group version, or the OpenAPI v3 document of one. */
const OF_VERSION = /^(?:\/openapi\/v3)?\/apis\/([^/]+)\/([^/]+)(?=\/|$)/;

/** Forwards requests for group versions that an APIService delegates to a Service: Kubernetes' aggregation layer. */
export class Aggregator {
  /** APIServices with a Service, by name. */
  private readonly remote = new Map<string, ApiObject>();
  private readonly client: RemoteClient;
  private readonly discovery: RemoteDiscovery;
  private readonly availability: AvailabilityController;
  private readonly unsubscribe: (() => void)[];

  constructor(registry: Registry, resources: ResourceRegistry, frontProxy: FrontProxy, clock: Clock, logger: Logger) {
    const { store } = registry;
    this.client = new RemoteClient(new ServiceResolver(store), frontProxy);
    this.discovery = new RemoteDiscovery(this.client);
    this.availability = new AvailabilityController(registry, resources, this.client, clock, logger, (apiService) => {
      void this.refresh(apiService);
    });
    const apiServices = store.collection(API_SERVICES);
    for (const { key, object } of apiServices.range('')) this.take(key, object); // persisted before a restart
    this.unsubscribe = [
      apiServices.subscribe(({ type, current }) => {
        if (type === 'DELETED') this.forget(current.key);
        else this.take(current.key, current.object);
      }),
      store.collection('services').subscribe(({ current }) => {
        this.checkServedBy(current.key);
      }),
      store.collection('endpointslices.discovery.k8s.io').subscribe(({ current: { object } }) => {
        const service = object.metadata.labels?.['kubernetes.io/service-name'] ?? '';
        this.checkServedBy(`${object.metadata.namespace ?? ''}/${service}`);
      }),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    this.availability.stop();
  }

  /** Returns the response to a request for a group version of another server; undefined for other requests. */
  answer(request: ApiRequest): Outcome | undefined {
    if (this.remote.size === 0) return undefined;
    const [, group = '', version = ''] = OF_VERSION.exec(request.path) ?? [];
    const apiService = this.remote.get(`${version}.${group}`);
    if (!apiService) return undefined;
    return isAvailable(apiService) ? proxyRequest(this.client, apiService, request) : unavailable();
  }

  /**
   * Requests a path from another server for a controller; undefined for a group version that no other server serves.
   */
  async ask(path: string, user: UserInfo): Promise<Pick<RemoteAnswer, 'code' | 'text'> | undefined> {
    const [, group = '', version = ''] = OF_VERSION.exec(path) ?? [];
    const apiService = this.remote.get(`${version}.${group}`);
    if (!apiService) return undefined;
    if (!isAvailable(apiService)) return { code: 503, text: '' };
    try {
      return await this.client.get(apiService, path, 'application/json', user);
    } catch {
      return { code: 503, text: '' };
    }
  }

  /** The entries of other servers in the OpenAPI v3 index. */
  openApiPaths(): Readonly<Record<string, JsonObject>> {
    return this.discovery.openApiPaths();
  }

  /** The groups of other servers in discovery order. */
  groups(): RemoteGroup[] {
    const byGroup = Map.groupBy(this.remote.values(), ({ spec }) => (spec as { group: string }).group);
    return [...byGroup]
      .map(([group, apiServices]) => ({
        group,
        priority: Math.max(...apiServices.map((each) => priorityOf(each, 'groupPriorityMinimum'))),
        versions: apiServices
          .toSorted((a, b) => priorityOf(b, 'versionPriority') - priorityOf(a, 'versionPriority'))
          .map((apiService) => this.discovery.version(apiService)),
      }))
      .sort((a, b) => b.priority - a.priority || (a.group < b.group ? -1 : 1));
  }

  private take(name: string, apiService: ApiObject): void {
    if (!serviceOf(apiService)) {
      this.forget(name);
      return;
    }
    this.remote.set(name, apiService);
    this.availability.check(name);
  }

  private async refresh(apiService: ApiObject): Promise<void> {
    await this.discovery.refresh(apiService);
    const { name } = apiService.metadata;
    if (!this.remote.has(name)) this.discovery.forget(name); // deleted meanwhile
  }

  private forget(name: string): void {
    this.remote.delete(name);
    this.discovery.forget(name);
  }

  private checkServedBy(service: string): void {
    for (const [name, apiService] of this.remote) {
      const { namespace, name: behind } = serviceOf(apiService) ?? {};
      if (`${namespace ?? ''}/${behind ?? ''}` === service) this.availability.check(name);
    }
  }
}

function isAvailable({ status }: ApiObject): boolean {
  const conditions = arrayAt(status, 'conditions') as ConditionLike[];
  return conditions.some((condition) => condition.type === 'Available' && condition.status === 'True');
}

function priorityOf(apiService: ApiObject, kind: 'groupPriorityMinimum' | 'versionPriority'): number {
  return Number(objectAt(apiService, 'spec')[kind]);
}
