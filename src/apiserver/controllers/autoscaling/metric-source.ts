import { goQuoted } from '../../../base/go-quoted.js';
import { formatSelector, type LabelSelector } from '../../../api/selection/label-selector.js';
import { parseQuantity } from '../../../api/schema/quantity.js';
import { parseDuration } from '../../../crd/formats/duration.js';
import { eachObject, isJsonObject, numberAt, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';
import type { ApiServer } from '../../server/api-server.js';
import { groupOf } from '../../objects/group-of.js';

const CONTROLLER = {
  name: 'system:serviceaccount:kube-system:horizontal-pod-autoscaler',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
};
const CUSTOM_VERSIONS = ['v1beta2', 'v1beta1'];
const USUAL_WINDOW_MS = 60_000;

/** A metric is not available; the message is that of the real controller. */
export class MetricProblem extends Error {}

/** The usage of one pod, in thousandths. */
export interface PodMetric {
  readonly value: number;
  readonly timestamp: number;
  readonly windowMs: number;
}

/** Usage by pod name. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

/** Requests metrics from the aggregated metrics APIs. */
export class MetricSource {
  constructor(
    private readonly api: Pick<ApiServer, 'aggregator' | 'resources'>,
    private readonly namespace: string,
  ) {}

  /** Returns the usage of a resource by pods, or by one container of each. */
  async ofResource(resource: string, selector: string, container: string): Promise<PodMetrics> {
    const query = new URLSearchParams({ labelSelector: selector });
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${this.namespace}/pods?${query.toString()}`;
    const items = await this.items(path, 'pods.metrics.k8s.io', 'resource');
    return new Map(
      items.flatMap((item) => {
        const value = usageOf(item, resource, container);
        const windowMs = Number(parseDuration(stringAt(item, 'window'))?.nanos ?? 0n) / 1e6;
        const timestamp = Date.parse(stringAt(item, 'timestamp'));
        const { name } = objectAt(item, 'metadata');
        return value === undefined ? [] : [[String(name), { value, timestamp, windowMs }] as const];
      }),
    );
  }

  /** Returns a metric of each pod. */
  async ofPods(metric: string, selector: string, metricSelector: unknown): Promise<PodMetrics> {
    const query = new URLSearchParams({ labelSelector: selector, ...metricQuery(metricSelector) });
    const items = await this.customItems(`namespaces/${this.namespace}/pods/*/${metric}?${query.toString()}`, 'pods');
    if (items.length === 0) throw new MetricProblem('no metrics returned from custom metrics API');
    return new Map(
      items.map((item) => [
        stringAt(objectAt(item, 'describedObject'), 'name'),
        {
          value: thousandths(item.value),
          timestamp: Date.parse(stringAt(item, 'timestamp')),
          windowMs: (numberAt(item, 'windowSeconds') ?? USUAL_WINDOW_MS / 1000) * 1000,
        },
      ]),
    );
  }

  /** Returns a metric of one object. */
  async ofObject(metric: string, described: JsonObject, metricSelector: unknown): Promise<number> {
    const [kind, name, apiVersion] = [
      stringAt(described, 'kind'),
      stringAt(described, 'name'),
      stringAt(described, 'apiVersion'),
    ];
    const query = new URLSearchParams(metricQuery(metricSelector));
    const resource = this.resourceName(apiVersion, kind);
    const place =
      resource === 'namespaces'
        ? `${this.namespace}/metrics/${metric}`
        : `${this.namespace}/${resource}/${name}/${metric}`;
    const [item, ...others] = await this.customItems(`namespaces/${place}?${query.toString()}`, resource);
    if (!item || others.length > 0) {
      const count = item ? others.length + 1 : 0;
      const why = `the custom metrics API server returned ${count} results when we asked for exactly one`;
      throw new MetricProblem(`unable to fetch metrics from custom metrics API: ${why}`);
    }
    return thousandths(item.value);
  }

  /** Returns the values of a metric from outside the cluster. */
  async external(metric: string, metricSelector: unknown): Promise<number[]> {
    const query = new URLSearchParams({ labelSelector: selectorText(metricSelector) });
    const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${this.namespace}/${metric}?${query.toString()}`;
    const items = await this.items(path, `${metric}.external.metrics.k8s.io`, 'external');
    return items.map(({ value }) => thousandths(value));
  }

  private async items(path: string, what: string, api: 'resource' | 'external'): Promise<JsonObject[]> {
    const items = await this.request(path, what, api);
    if (items.length === 0) throw new MetricProblem(`no metrics returned from ${api} metrics API`);
    return items;
  }

  private customItems(path: string, resource: string): Promise<JsonObject[]> {
    const group = this.api.aggregator.groups().find((each) => each.group === 'custom.metrics.k8s.io');
    const served = group?.versions.map(({ version }) => String(version)) ?? [];
    const version = served.find((each) => CUSTOM_VERSIONS.includes(each));
    if (version === undefined) {
      const why = 'no custom metrics API (custom.metrics.k8s.io) registered';
      throw new MetricProblem(`unable to fetch metrics from custom metrics API: ${why}`);
    }
    return this.request(
      `/apis/custom.metrics.k8s.io/${version}/${path}`,
      `${resource}.custom.metrics.k8s.io`,
      'custom',
    );
  }

  private async request(path: string, what: string, api: string): Promise<JsonObject[]> {
    const { code, text } = (await this.api.aggregator.ask(path, CONTROLLER)) ?? { code: 404, text: '' };
    const body = parse(text);
    if (code >= 200 && code < 300 && body) return eachObject(body.items);
    const message = stringAt(body, 'kind') === 'Status' ? stringAt(body, 'message') : '';
    const why = message === '' ? `${defaultErrorText(code, text)} (get ${what})` : message;
    throw new MetricProblem(`unable to fetch metrics from ${api} metrics API: ${why}`);
  }

  private resourceName(apiVersion: string, kind: string): string {
    const group = groupOf(apiVersion);
    const resource = this.api.resources.ofKind(apiVersion, kind);
    if (resource) return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
    const why = `unable to map kind ${kind}${group === '' ? '' : `.${group}`} to resource: no matches for kind "${kind}" in group "${group}"`;
    throw new MetricProblem(`unable to fetch metrics from custom metrics API: ${why}`);
  }
}

/** Returns the error text of client-go for a response without a message. */
function defaultErrorText(code: number, text: string): string {
  if (code === 404) return 'the server could not find the requested resource';
  if (code === 503) return 'the server is currently unable to handle the request';
  return `an error on the server (${goQuoted(text)}) has prevented the request from succeeding`;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the usage of a pod, or of one container; undefined unless all containers report it. */
function usageOf(item: JsonObject, resource: string, container: string): number | undefined {
  const containers = eachObject(item.containers).filter(({ name }) => container === '' || name === container);
  const usages = containers.map((one) => objectAt(one, 'usage')[resource]);
  if (usages.length === 0 || usages.includes(undefined)) return undefined;
  return usages.reduce<number>((sum, usage) => sum + thousandths(usage), 0);
}

/** Converts a quantity to thousandths, rounded up. */
export function thousandths(quantity: unknown): number {
  const { nano } = parseQuantity(String(quantity)) ?? { nano: 0n };
  const [whole, rest] = [nano / 1_000_000n, nano % 1_000_000n];
  return Number(rest > 0n ? whole + 1n : whole);
}

function metricQuery(selector: unknown): Record<string, string> {
  const text = selectorText(selector);
  return text === '' ? {} : { metricLabelSelector: text };
}

/** Formats a selector as Go does, sorted by key; a missing selector yields an empty string. */
function selectorText(selector: unknown): string {
  if (!isJsonObject(selector)) return '';
  const { matchLabels = {}, ...rest } = selector as LabelSelector;
  const sorted = Object.entries(matchLabels).sort(([a], [b]) => (a < b ? -1 : 1));
  return formatSelector({ ...rest, matchLabels: Object.fromEntries(sorted) });
}
