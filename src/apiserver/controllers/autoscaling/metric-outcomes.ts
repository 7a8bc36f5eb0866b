import { formatQuantity } from '../../../api/schema/quantity.js';
import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { MetricProblem, thousandths, type MetricSource } from './metric-source.js';
import {
  ratioReplicas,
  sharedReplicas,
  usageReplicas,
  utilizationReplicas,
  type PodsInView,
} from './replica-calculator.js';

/** The number of replicas that one metric requires, or the reason it is unknown. */
export type MetricOutcome =
  | { readonly replicas: number; readonly name: string; readonly status: JsonObject }
  | { readonly reason: string; readonly message: string; readonly error: string };

/** The scale target, as required by the metrics. */
export interface MetricView extends PodsInView {
  readonly namespace: string;
  readonly selector: string;
  /** `status.replicas` of the scale. */
  readonly present: number;
}

type Proposal = Extract<MetricOutcome, { name: string }>;

/** Evaluates all metrics of an autoscaler. */
export function metricOutcomes({ spec }: ApiObject, source: MetricSource, view: MetricView): Promise<MetricOutcome[]> {
  return Promise.all(eachObject(objectAt({ spec }, 'spec').metrics).map((metric) => outcomeOf(metric, source, view)));
}

async function outcomeOf(spec: JsonObject, source: MetricSource, view: MetricView): Promise<MetricOutcome> {
  const type = stringAt(spec, 'type');
  const field = type.charAt(0).toLowerCase() + type.slice(1);
  const own = objectAt(spec, field);
  try {
    const { current, ...rest } = await EVALUATORS[type as keyof typeof EVALUATORS](own, source, view);
    return { ...rest, status: { type, [field]: { ...identityOf(type, own), current } } };
  } catch (error) {
    if (!(error instanceof MetricProblem)) throw error;
    const { message } = error;
    const outerPrefix = OUTER_PREFIXES[type as keyof typeof OUTER_PREFIXES](own);
    return {
      reason: `FailedGet${type}Metric`,
      message: error.message,
      error: `${outerPrefix}: ${errorPrefix(type, own)}${message}`,
    };
  }
}

type Evaluate = (
  own: JsonObject,
  source: MetricSource,
  view: MetricView,
) => Promise<Omit<Proposal, 'status'> & { current: JsonObject }>;

const EVALUATORS: Readonly<Record<'Resource' | 'ContainerResource' | 'Pods' | 'Object' | 'External', Evaluate>> = {
  Resource: evaluateResource,
  ContainerResource: evaluateResource,
  async Pods(own, source, view) {
    const { name, selector } = metricOf(own);
    const metrics = await withErrorPrefix(
      `unable to get metric ${name}: `,
      source.ofPods(name, view.selector, selector),
    );
    const target = thousandths(objectAt(own, 'target').averageValue);
    const { replicas, usage } = usageReplicas(metrics, view, { resource: '', target });
    return { replicas, name: `pods metric ${name}`, current: { averageValue: decimal(usage) } };
  },
  async Object(own, source, view) {
    const { name, selector } = metricOf(own);
    const described = objectAt(own, 'describedObject');
    const { kind, name: object } = described as Record<string, string>;
    // Kubernetes' message has the same word order.
    const prefix = `unable to get metric ${name}: ${kind ?? ''} on ${view.namespace} ${object ?? ''}/`;
    const usage = await withErrorPrefix(prefix, source.ofObject(name, described, selector));
    return ofWhole(own, usage, view, `${kind ?? ''} metric ${name}`);
  },
  async External(own, source, view) {
    const { name, selector } = metricOf(own);
    const prefix = `unable to get external metric ${view.namespace}/${name}/${goSelector(selector)}: `;
    const values = await withErrorPrefix(prefix, source.external(name, selector));
    const usage = values.reduce((sum, value) => sum + value, 0);
    return ofWhole(own, usage, view, `external metric ${name}(${goSelector(selector)})`);
  },
};

async function evaluateResource(own: JsonObject, source: MetricSource, view: MetricView): ReturnType<Evaluate> {
  const [resource, container] = [stringAt(own, 'name'), stringAt(own, 'container')];
  const { averageValue, averageUtilization } = objectAt(own, 'target');
  const kind = averageValue === undefined ? 'utilization' : 'usage';
  const prefix = `failed to get ${resource} ${kind}: `;
  const why = `${prefix}unable to get metrics for resource ${resource}: `;
  const metrics = await withErrorPrefix(why, source.ofResource(resource, view.selector, container));
  const amount = (usage: number): string => (resource === 'memory' ? binary(usage) : decimal(usage));
  return withErrorPrefix(prefix, () => {
    if (averageValue !== undefined) {
      const { replicas, usage } = usageReplicas(metrics, view, { resource, target: thousandths(averageValue) });
      return { replicas, name: `${resource} resource`, current: { averageValue: amount(usage) } };
    }
    const target = Number(averageUtilization);
    const { replicas, utilization, usage } = utilizationReplicas(metrics, view, { resource, container, target });
    const of = container === '' ? 'resource' : 'container resource';
    const name = `${resource} ${of} utilization (percentage of request)`;
    return { replicas, name, current: { averageUtilization: utilization, averageValue: amount(usage) } };
  });
}

/** Evaluates a metric with one value for all pods: the value itself, or the average per pod. */
function ofWhole(own: JsonObject, usage: number, view: MetricView, name: string): Awaited<ReturnType<Evaluate>> {
  const { averageValue, value } = objectAt(own, 'target');
  if (averageValue === undefined) {
    const replicas = ratioReplicas(usage / thousandths(value), view);
    return { replicas, name, current: { value: decimal(usage) } };
  }
  const { name: metric, selector } = metricOf(own);
  const share = sharedReplicas(usage, thousandths(averageValue), view.present, view.tolerances);
  const shared = `external metric ${metric}(${goSelector(selector)})`;
  return { replicas: share.replicas, name: shared, current: { averageValue: decimal(share.usage) } };
}

/** Prefixes of an error in the event of the autoscaler, by metric type. */
const OUTER_PREFIXES: Readonly<Record<keyof typeof EVALUATORS, (own: JsonObject) => string>> = {
  Resource: (own) => `failed to get ${stringAt(own, 'name')} resource metric value`,
  ContainerResource: (own) => `failed to get ${stringAt(own, 'container')} container metric value`,
  Pods: () => 'failed to get pods metric value',
  Object: () => 'failed to get object metric value',
  External: (own) => `failed to get ${metricOf(own).name} external metric value`,
};

function errorPrefix(type: string, own: JsonObject): string {
  const isAverage = objectAt(own, 'target').averageValue !== undefined;
  const { name } = metricOf(own);
  if (type === 'External')
    return isAverage ? `failed to get ${name} external metric: ` : `failed to get external metric ${name}: `;
  return type === 'Object' && isAverage ? `failed to get ${name} object metric: ` : '';
}

function identityOf(type: string, own: JsonObject): JsonObject {
  if (type === 'Resource') return { name: own.name };
  if (type === 'ContainerResource') return { name: own.name, container: own.container };
  const { metric, describedObject } = own;
  return { metric, ...(describedObject !== undefined && { describedObject }) };
}

function metricOf(own: JsonObject): { name: string; selector: unknown } {
  const metric = objectAt(own, 'metric');
  return { name: stringAt(metric, 'name'), selector: metric.selector };
}

/** Adds a prefix to the message of a metric error. */
async function withErrorPrefix<T>(prefix: string, attempt: Promise<T> | (() => T)): Promise<T> {
  try {
    return await (typeof attempt === 'function' ? attempt() : attempt);
  } catch (error) {
    throw error instanceof MetricProblem ? new MetricProblem(`${prefix}${error.message}`) : error;
  }
}

function decimal(value: number): string {
  return formatQuantity({ nano: BigInt(value) * 1_000_000n, format: 'DecimalSI' });
}

function binary(value: number): string {
  return formatQuantity({ nano: BigInt(value) * 1_000_000n, format: 'BinarySI' });
}

/** Formats a label selector as Go prints it. */
function goSelector(selector: unknown): string {
  if (selector === undefined) return 'nil';
  const { matchLabels } = objectAt({ selector }, 'selector');
  const labels = Object.entries((matchLabels ?? {}) as Record<string, string>).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = labels.map(([key, value]) => `${key}: ${value},`).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${text}},MatchExpressions:[]LabelSelectorRequirement{},}`;
}
