import type { ServerResponse } from 'node:http';
import { kubernetesData } from '../data/data-file.js';
import { healthCheckNames } from '../discovery/health-checks.js';
import { stringAt } from '../object.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { ApiRequest } from '../transport/api-request.js';
import type { Outcome } from '../transport/outcome.js';
import { labelsText, metricFamily, type Sample } from './metric-family.js';
import { RequestMetrics } from './request-metrics.js';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Serves /metrics, under the names kube-apiserver has for what there is to tell, and /metrics/slis. */
export class ServerMetrics {
  private readonly requests = new RequestMetrics();

  constructor(
    private readonly store: ObjectStore,
    private readonly resources: ResourceRegistry,
  ) {}

  /** Counts a request of a resource, and how it was answered. */
  track(request: ApiRequest, response: ServerResponse): void {
    this.requests.track(request, response);
  }

  answer(path: string): Outcome | undefined {
    if (path === '/metrics/slis') return text(healthText());
    if (path !== '/metrics') return undefined;
    return text([this.requests.text(), this.objectsText(), buildText(), processText()].join(''));
  }

  private objectsText(): string {
    const samples = [...this.resources.distinct()].map(({ group, plural, storage }): Sample => [
      labelsText({ group, resource: plural }),
      this.store.collection(storage).objects.size,
    ]);
    return metricFamily('apiserver_resource_objects', 'gauge', 'Stored objects by resource.', samples);
  }
}

function healthText(): string {
  const samples = ['healthz', 'livez', 'readyz'].flatMap((type) =>
    healthCheckNames(type).map((name): Sample => [labelsText({ name, type }), 1]),
  );
  return metricFamily('kubernetes_healthcheck', 'gauge', 'The result of a single health check.', samples);
}

function buildText(): string {
  const { version } = kubernetesData.resources;
  const labels = labelsText({
    git_version: stringAt(version, 'gitVersion'),
    major: stringAt(version, 'major'),
    minor: stringAt(version, 'minor'),
  });
  return metricFamily('kubernetes_build_info', 'gauge', 'The version of Kubernetes that is served.', [[labels, 1]]);
}

function processText(): string {
  const { user, system } = process.cpuUsage();
  return [
    metricFamily('process_cpu_seconds_total', 'counter', 'User and system CPU time spent in seconds.', [
      ['', (user + system) / 1e6],
    ]),
    metricFamily('process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', [
      ['', process.memoryUsage.rss()],
    ]),
    metricFamily('process_start_time_seconds', 'gauge', 'Start time of the process in seconds since 1970.', [
      ['', performance.timeOrigin / 1000],
    ]),
  ].join('');
}

function text(body: string): Outcome {
  return { k: 'text', code: 200, contentType: CONTENT_TYPE, body };
}
