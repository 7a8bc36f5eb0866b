import type { ServerResponse } from 'node:http';
import { createMetrics, type Metrics } from '../../base/metrics.js';
import { kubernetesData } from '../data/data-file.js';
import { healthCheckNames } from '../discovery/health-checks.js';
import { nominalSeats } from '../flowcontrol/flow-schemas.js';
import { stringAt } from '../objects/api-object.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import type { Outcome } from '../transport/response/outcome.js';
import { RequestMetrics } from './request-metrics.js';

const REQUEST_LABELS = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];

/** Serves /metrics, with the metric names of kube-apiserver, and /metrics/slis. */
export class ServerMetrics {
  private readonly requests = new RequestMetrics();
  private main: Promise<Metrics> | undefined;
  private slis: Promise<Metrics> | undefined;

  constructor(
    private readonly store: ObjectStore,
    private readonly resources: ResourceRegistry,
  ) {}

  /** Counts a request for a resource and its response. */
  track(request: ApiRequest, response: ServerResponse): void {
    this.requests.track(request, response);
  }

  answer(path: string): Promise<Outcome> | undefined {
    if (path === '/metrics') return exposed((this.main ??= this.createMain()));
    if (path === '/metrics/slis') return exposed((this.slis ??= createSlis()));
    return undefined;
  }

  private async createMain(): Promise<Metrics> {
    const metrics = await createMetrics();
    const { answered, inFlight, longRunning } = this.requests;
    metrics.counter(
      'apiserver_request_total',
      'Requests by HTTP response code, dry run, verb, resource, scope and component.',
      ['code', 'dry_run', ...REQUEST_LABELS],
      (counter) => {
        counter.reset();
        for (const [labels, count] of answered.entries()) counter.inc(labels, count);
      },
    );
    for (const [name, help, labelNames, counts] of [
      [
        'apiserver_longrunning_requests',
        'Long-running requests that are being served now, by verb, resource, scope and component.',
        REQUEST_LABELS,
        longRunning,
      ],
      [
        'apiserver_current_inflight_requests',
        'Requests that are being served now, per kind.',
        ['request_kind'],
        inFlight,
      ],
    ] as const)
      metrics.gauge(name, help, labelNames, (gauge) => {
        gauge.reset();
        for (const [labels, count] of counts.entries()) gauge.set(labels, count);
      });
    metrics.gauge('apiserver_resource_objects', 'Stored objects by resource.', ['group', 'resource'], (gauge) => {
      gauge.reset();
      for (const { group, plural, storage } of this.resources.distinct())
        gauge.set({ group, resource: plural }, this.store.collection(storage).objects.size);
    });
    metrics.gauge(
      'apiserver_flowcontrol_nominal_limit_seats',
      'Nominal number of execution seats configured for each priority level.',
      ['priority_level'],
      (gauge) => {
        gauge.reset();
        for (const [level, seats] of nominalSeats(this.store)) gauge.set({ priority_level: level }, seats);
      },
    );
    const { version } = kubernetesData.resources;
    const build = { git_version: 'gitVersion', major: 'major', minor: 'minor' };
    metrics
      .gauge('kubernetes_build_info', 'The version of Kubernetes that is served.', Object.keys(build))
      .set(Object.fromEntries(Object.entries(build).map(([label, member]) => [label, stringAt(version, member)])), 1);
    return metrics;
  }
}

async function createSlis(): Promise<Metrics> {
  const metrics = await createMetrics({ ofProcess: false });
  const health = metrics.gauge('kubernetes_healthcheck', 'The result of a single health check.', ['name', 'type']);
  for (const type of ['healthz', 'livez', 'readyz'])
    for (const name of healthCheckNames(type)) health.set({ name, type }, 1);
  return metrics;
}

async function exposed(metrics: Promise<Metrics>): Promise<Outcome> {
  const { text, contentType } = await (await metrics).expose();
  return { type: 'text', code: 200, contentType, body: text };
}
