import type { ServerResponse } from 'node:http';
import type { ApiRequest } from '../transport/request/api-request.js';

type Labels = Readonly<Record<string, string>>;

/** Counters by their labels. */
class LabelCounts {
  private readonly counts = new Map<string, { readonly labels: Labels; count: number }>();

  add(labels: Labels, difference: number): void {
    const key = Object.values(labels).join('\n');
    const present = this.counts.get(key);
    if (present) present.count += difference;
    else this.counts.set(key, { labels, count: difference });
  }

  entries(): (readonly [Labels, number])[] {
    return [...this.counts.values()].map(({ labels, count }) => [labels, count]);
  }
}

const READ_VERBS = new Set(['get', 'list', 'watch']);
const CONNECTIONS = new Set(['attach', 'exec', 'portforward', 'proxy']);

/** Counts requests for resources like kube-apiserver. */
export class RequestMetrics {
  readonly answered = new LabelCounts();
  readonly longRunning = new LabelCounts();
  readonly inFlight = new LabelCounts();

  constructor() {
    for (const kind of ['mutating', 'readOnly']) this.inFlight.add({ request_kind: kind }, 0);
  }

  /** Counts a request, and its response once that has ended. */
  track(request: ApiRequest, response: ServerResponse): void {
    const verb = verbOf(request);
    const labels = labelsOf(request, verb);
    const isLongRunning = verb === 'WATCH' || verb === 'CONNECT';
    const kind = READ_VERBS.has(request.info.verb) ? 'readOnly' : 'mutating';
    const count = (difference: 1 | -1): void => {
      if (isLongRunning) this.longRunning.add(labels, difference);
      else this.inFlight.add({ request_kind: kind }, difference);
    };
    count(1);
    response.once('close', () => {
      count(-1);
      const { component, ...rest } = labels;
      const dryRun = request.query.get('dryRun') ?? '';
      this.answered.add({ code: String(response.statusCode), component, dry_run: dryRun, ...rest }, 1);
    });
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
  if (CONNECTIONS.has(info.subresource)) return 'CONNECT';
  if (READ_VERBS.has(info.verb)) return info.verb.toUpperCase();
  const isApply = message.headers['content-type']?.startsWith('application/apply-patch+') === true;
  return method === 'PATCH' && isApply ? 'APPLY' : method;
}
