import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { isPodReady } from '../pod-control.js';
import { MetricProblem, thousandths, type PodMetric, type PodMetrics } from './metric-source.js';

/** Defaults of --horizontal-pod-autoscaler-cpu-initialization-period and -initial-readiness-delay. */
const [INITIALIZATION_MS, READINESS_DELAY_MS] = [300_000, 30_000];

/** Deviations of the ratio from 1 that do not cause scaling. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/** Input of the replica calculation, besides metrics. */
export interface PodsInView {
  readonly pods: readonly ApiObject[];
  readonly current: number;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
}

type Values = ReadonlyMap<string, number>;

/** Returns the number of replicas for a target utilization of the pods' requests, in percent. */
export function utilizationReplicas(
  metrics: PodMetrics,
  view: PodsInView,
  { resource, container, target }: { resource: string; container: string; target: number },
): { readonly replicas: number; readonly utilization: number; readonly usage: number } {
  const groups = grouped(metrics, view, resource);
  const requests = new Map(view.pods.map((pod) => [pod.metadata.name, requestOf(pod, container, resource)]));
  const shareOf = (values: Values): { utilization: number; usage: number } => {
    const known = [...values].filter(([name]) => requests.has(name));
    const [used, requested] = [
      known.reduce((sum, [, value]) => sum + value, 0),
      known.reduce((sum, [name]) => sum + (requests.get(name) ?? 0), 0),
    ];
    if (requested === 0) throw new MetricProblem('no metrics returned matched known pods');
    return { utilization: Math.trunc((used * 100) / requested), usage: Math.trunc(used / known.length) };
  };
  // A pod without metrics counts with its request, or with the target utilization if that is higher.
  const fallback = (name: string): number => Math.trunc(((requests.get(name) ?? 0) * Math.max(100, target)) / 100);
  const ratioOf = (values: Values): number => shareOf(values).utilization / target;
  return { ...shareOf(groups.values), replicas: adjusted(groups, view, ratioOf, fallback) };
}

/** Returns the number of replicas for a target amount per pod; the readiness of pods matters for CPU only. */
export function usageReplicas(
  metrics: PodMetrics,
  view: PodsInView,
  { resource, target }: { resource: string; target: number },
): { readonly replicas: number; readonly usage: number } {
  const groups = grouped(metrics, view, resource);
  const usageOf = (values: Values): number =>
    Math.trunc([...values.values()].reduce((sum, value) => sum + value, 0) / values.size);
  const replicas = adjusted(
    groups,
    view,
    (values) => usageOf(values) / target,
    () => target,
  );
  return { replicas, usage: usageOf(groups.values) };
}

/** Returns the number of replicas that brings the ratio of the value to its target to 1. */
export function ratioReplicas(ratio: number, { pods, current, tolerances }: PodsInView): number {
  if (current === 0) return Math.ceil(ratio);
  if (isWithin(tolerances, ratio)) return current;
  if (pods.length === 0) throw new MetricProblem(`unable to calculate ready pods: ${NO_PODS}`);
  const ready = pods.filter((pod) => stringAt(pod.status, 'phase') === 'Running' && isPodReady(pod)).length;
  return Math.ceil(ratio * ready);
}

/** Returns the number of replicas for a total and a target average per pod. */
export function sharedReplicas(
  usage: number,
  target: number,
  present: number,
  tolerances: Tolerances,
): { readonly replicas: number; readonly usage: number } {
  const isSettled = isWithin(tolerances, usage / (target * present));
  return { replicas: isSettled ? present : Math.ceil(usage / target), usage: Math.ceil(usage / present) };
}

interface Groups {
  /** Values of the pods that count. */
  readonly values: Values;
  readonly ready: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
}

const NO_PODS = 'no pods returned by selector while calculating replica count';

function grouped(metrics: PodMetrics, { pods, nowMs }: PodsInView, resource: string): Groups {
  if (pods.length === 0) throw new MetricProblem(NO_PODS);
  const names = Map.groupBy(pods, (pod) => stateOf(pod, metrics.get(pod.metadata.name), resource, nowMs));
  const namesOf = (state: PodState): string[] => (names.get(state) ?? []).map(({ metadata }) => metadata.name);
  const unready = namesOf('unready');
  const values = new Map([...metrics].map(([name, { value }]) => [name, value]));
  for (const name of [...namesOf('ignored'), ...unready]) values.delete(name);
  if (values.size === 0) throw new MetricProblem('did not receive metrics for targeted pods (pods might be unready)');
  return { values, ready: namesOf('ready').length, unready, missing: namesOf('missing') };
}

type PodState = 'ignored' | 'unready' | 'missing' | 'ready';

function stateOf(pod: ApiObject, metric: PodMetric | undefined, resource: string, nowMs: number): PodState {
  const phase = stringAt(pod.status, 'phase');
  if (pod.metadata.deletionTimestamp !== undefined || phase === 'Failed') return 'ignored';
  if (phase === 'Pending') return 'unready';
  if (!metric) return 'missing';
  return resource === 'cpu' && isStarting(pod, metric, nowMs) ? 'unready' : 'ready';
}

/** Returns whether the CPU usage of a pod is not yet representative. */
function isStarting({ status }: ApiObject, metric: PodMetric, nowMs: number): boolean {
  const startTime = stringAt(status, 'startTime');
  const condition = eachObject(objectAt({ status }, 'status').conditions).find(({ type }) => type === 'Ready');
  if (!condition || startTime === '') return true;
  const [started, changed] = [Date.parse(startTime), Date.parse(stringAt(condition, 'lastTransitionTime'))];
  const isUnready = stringAt(condition, 'status') === 'False';
  if (started + INITIALIZATION_MS > nowMs) return isUnready || metric.timestamp < changed + metric.windowMs;
  return isUnready && started + READINESS_DELAY_MS > changed;
}

function requestOf({ metadata, spec }: ApiObject, container: string, resource: string): number {
  const { containers, initContainers, resources } = objectAt({ spec }, 'spec');
  const own = objectAt(objectAt({ resources }, 'resources'), 'requests');
  if (container === '' && Object.keys(own).length > 0) {
    if (own[resource] !== undefined) return thousandths(own[resource]);
    throw new MetricProblem(`missing pod-level request for ${resource} in Pod ${metadata.name}`);
  }
  const sidecars = eachObject(initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const requesting = [...eachObject(containers), ...sidecars].filter(
    ({ name }) => container === '' || name === container,
  );
  if (requesting.length === 0) throw new MetricProblem(`container ${container} not found in Pod ${metadata.name}`);
  return requesting.reduce((sum, one) => sum + containerRequest(one, resource, metadata.name), 0);
}

function containerRequest(container: JsonObject, resource: string, pod: string): number {
  const request = objectAt(objectAt(container, 'resources'), 'requests')[resource];
  if (request !== undefined) return thousandths(request);
  throw new MetricProblem(`missing request for ${resource} in container ${stringAt(container, 'name')} of Pod ${pod}`);
}

/**
 * Returns the number of replicas. Pods without metrics reduce the change; no scaling occurs if they would reverse it.
 */
function adjusted(
  groups: Groups,
  { current, tolerances }: PodsInView,
  ratioOf: (values: Values) => number,
  fallback: (pod: string) => number,
): number {
  const ratio = ratioOf(groups.values);
  if (groups.missing.length === 0 && (groups.unready.length === 0 || ratio <= 1))
    return isWithin(tolerances, ratio) ? current : Math.ceil(ratio * groups.ready);
  const filled = filledUp(groups, ratio, fallback);
  const next = ratioOf(filled);
  const replicas = Math.ceil(next * filled.size);
  const direction = Math.sign(next - 1);
  const isTurned = Math.sign(ratio - 1) * direction < 0 || Math.sign(replicas - current) * direction < 0;
  return isTurned || isWithin(tolerances, next) ? current : replicas;
}

/** Returns the values, with estimates for the pods without metrics. */
function filledUp(
  { values, unready, missing }: Groups,
  ratio: number,
  fallback: (pod: string) => number,
): Map<string, number> {
  const filled = new Map(values);
  if (ratio !== 1) for (const pod of missing) filled.set(pod, ratio < 1 ? fallback(pod) : 0);
  if (ratio > 1) for (const pod of unready) filled.set(pod, 0);
  return filled;
}

function isWithin({ up, down }: Tolerances, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}
