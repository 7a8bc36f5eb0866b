import type { ServerResponse } from 'node:http';
import type { ApiRequest } from '../transport/api-request.js';
import { labelsText, metricFamily } from './metric-family.js';

const READ_VERBS = new Set(['get', 'list', 'watch']);
const CONNECTIONS = new Set(['attach', 'exec', 'portforward', 'proxy']);
const LABELS = 'group, version, resource, scope and component';

/** Counts the requests of resources as kube-apiserver does. */
export class RequestMetrics {
  private readonly answered = new Map<string, number>();
  private readonly longRunning = new Map<string, number>();
  private readonly inFlight = { mutating: 0, readOnly: 0 };

  /** Counts a request now, and its answer once that has ended. */
  track(request: ApiRequest, response: ServerResponse): void {
    const verb = verbOf(request);
    const labels = labelsOf(request, verb);
    const isLongRunning = verb === 'WATCH' || verb === 'CONNECT';
    const kind = READ_VERBS.has(request.info.verb) ? 'readOnly' : 'mutating';
    const count = (difference: 1 | -1): void => {
      if (isLongRunning) add(this.longRunning, labelsText(labels), difference);
      else this.inFlight[kind] += difference;
    };
    count(1);
    response.once('close', () => {
      count(-1);
      const { component, ...rest } = labels;
      const dryRun = request.query.get('dryRun') ?? '';
      const code = String(response.statusCode);
      add(this.answered, labelsText({ code, component, dry_run: dryRun, ...rest }), 1);
    });
  }

  /** In Prometheus' text format. */
  text(): string {
    const inFlight = Object.entries(this.inFlight).map(([kind, count]) => [`request_kind="${kind}"`, count] as const);
    return [
      metricFamily(
        'apiserver_current_inflight_requests',
        'gauge',
        'Requests that are being served now, per kind.',
        inFlight,
      ),
      metricFamily(
        'apiserver_longrunning_requests',
        'gauge',
        `Long-running requests that are being served now, by verb, ${LABELS}.`,
        this.longRunning,
      ),
      metricFamily(
        'apiserver_request_total',
        'counter',
        `Requests by verb, dry run value, ${LABELS}, and HTTP response code.`,
        this.answered,
      ),
    ].join('');
  }
}

function labelsOf({ info }: ApiRequest, verb: string) {
  const { group, plural: resource, subresource, apiVersion } = info;
  const version = apiVersion.split('/').at(-1) ?? '';
  return { component: 'apiserver', group, resource, scope: scopeOf(info), subresource, verb, version };
}

function scopeOf({ name, verb, namespace }: ApiRequest['info']): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === undefined ? 'cluster' : 'namespace';
}

function verbOf({ method, info, message }: ApiRequest): string {
  if (CONNECTIONS.has(info.subresource.split('/', 1)[0] ?? '')) return 'CONNECT';
  if (READ_VERBS.has(info.verb)) return info.verb.toUpperCase();
  const isApply = message.headers['content-type']?.startsWith('application/apply-patch+') === true;
  return method === 'PATCH' && isApply ? 'APPLY' : method;
}

function add(counts: Map<string, number>, labels: string, difference: number): void {
  counts.set(labels, (counts.get(labels) ?? 0) + difference);
}
