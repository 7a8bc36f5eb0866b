import type { ServerResponse } from 'node:http';
import type { Gauge, Registry } from 'prom-client';
import { kubernetesData } from '../data/data-file.js';
import { healthCheckNames } from '../discovery/health-checks.js';
import { stringAt } from '../object.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { ApiRequest } from '../transport/api-request.js';
import type { Outcome } from '../transport/outcome.js';
import type { LabelCounts } from './label-counts.js';
import { RequestMetrics } from './request-metrics.js';

const REQUEST_LABELS = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];

/** Serves /metrics, under the names kube-apiserver has for what there is to tell, and /metrics/slis. */
export class ServerMetrics {
  private readonly requests = new RequestMetrics();
  private registries: Promise<{ readonly metrics: Registry; readonly slis: Registry }> | undefined;

  constructor(
    private readonly store: ObjectStore,
    private readonly resources: ResourceRegistry,
  ) {}

  /** Counts a request of a resource, and how it was answered. */
  track(request: ApiRequest, response: ServerResponse): void {
    this.requests.track(request, response);
  }

  answer(path: string): Promise<Outcome> | undefined {
    if (path === '/metrics') return this.exposed('metrics');
    if (path === '/metrics/slis') return this.exposed('slis');
    return undefined;
  }

  private async exposed(name: 'metrics' | 'slis'): Promise<Outcome> {
    this.registries ??= this.register();
    const registry = (await this.registries)[name];
    return { k: 'text', code: 200, contentType: registry.contentType, body: await registry.metrics() };
  }

  /** Loads prom-client, which a server that nobody asks for metrics need not pay for. */
  private async register(): Promise<{ metrics: Registry; slis: Registry }> {
    const { collectDefaultMetrics, Counter, Gauge, Registry } = (await import('prom-client')).default;
    const { answered, inFlight, longRunning } = this.requests;
    const [metrics, slis] = [new Registry(), new Registry()];
    collectDefaultMetrics({ register: metrics });
    new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by HTTP response code, dry run, verb, resource, scope and component.',
      labelNames: ['code', 'dry_run', ...REQUEST_LABELS],
      registers: [metrics],
      collect() {
        this.reset();
        for (const [labels, count] of answered.entries()) this.inc(labels, count);
      },
    });
    new Gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Long-running requests that are being served now, by verb, resource, scope and component.',
      labelNames: REQUEST_LABELS,
      registers: [metrics],
      collect() {
        setCounts(this, longRunning);
      },
    });
    new Gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests that are being served now, per kind.',
      labelNames: ['request_kind'],
      registers: [metrics],
      collect() {
        setCounts(this, inFlight);
      },
    });
    const setObjects = (gauge: Gauge): void => {
      for (const { group, plural, storage } of this.resources.distinct())
        gauge.set({ group, resource: plural }, this.store.collection(storage).objects.size);
    };
    new Gauge({
      name: 'apiserver_resource_objects',
      help: 'Stored objects by resource.',
      labelNames: ['group', 'resource'],
      registers: [metrics],
      collect() {
        this.reset();
        setObjects(this);
      },
    });
    const { version } = kubernetesData.resources;
    new Gauge({
      name: 'kubernetes_build_info',
      help: 'The version of Kubernetes that is served.',
      labelNames: ['git_version', 'major', 'minor'],
      registers: [metrics],
    }).set(
      {
        git_version: stringAt(version, 'gitVersion'),
        major: stringAt(version, 'major'),
        minor: stringAt(version, 'minor'),
      },
      1,
    );
    const health = new Gauge({
      name: 'kubernetes_healthcheck',
      help: 'The result of a single health check.',
      labelNames: ['name', 'type'],
      registers: [slis],
    });
    for (const type of ['healthz', 'livez', 'readyz'])
      for (const name of healthCheckNames(type)) health.set({ name, type }, 1);
    return { metrics, slis };
  }
}

function setCounts(gauge: Gauge, counts: LabelCounts): void {
  gauge.reset();
  for (const [labels, count] of counts.entries()) gauge.set(labels, count);
}
