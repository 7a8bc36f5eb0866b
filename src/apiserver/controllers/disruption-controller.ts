import { matchesSelector, type LabelSelector } from '../../api/selection/label-selector.js';
import { disruptionConditions, failedConditions } from '../builtin/disruption-allowed.js';
import { objectAt, type ApiObject } from '../objects/api-object.js';
import type { ClusterClient } from './cluster-client.js';
import { follow } from './follow.js';
import { ComponentEventRecorder, type Occurrence } from './component-event-recorder.js';
import { expectedPods, UnknownScaleError } from './expected-pods.js';
import { OwnerLoop } from './owner-loop.js';
import { isPodReady } from './pod-control.js';

/** Time for which a pod with an allowed eviction counts as deleted. */
const DELETION_TIMEOUT_MS = 120_000;
const NO_PODS = { reason: 'NoPods', message: 'No matching pods found' };

/** Computes for each PodDisruptionBudget how many of its pods may be evicted. */
export class DisruptionController {
  private readonly loop: OwnerLoop;
  private readonly unsubscribe: () => void;
  private readonly budgets;
  private readonly pods;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.budgets = client.resource('policy/v1', 'poddisruptionbudgets');
    this.pods = client.resource('v1', 'pods');
    this.events = new ComponentEventRecorder(client, 'controllermanager');
    this.loop = new OwnerLoop(client, this.budgets, [], (budget) => this.reconcile(budget));
    this.unsubscribe = follow(client.store, this.pods.storage, ({ current }) => this.enqueueFor(current.object));
  }

  stop(): void {
    this.loop.stop();
    this.unsubscribe();
  }

  private enqueueFor({ metadata }: ApiObject): void {
    for (const budget of this.client.list(this.budgets, metadata.namespace)) this.loop.add(budget);
  }

  private reconcile(budget: ApiObject): void {
    const selector = objectAt(budget, 'spec').selector as LabelSelector | undefined;
    const pods = [...this.client.list(this.pods, budget.metadata.namespace)].filter(
      (pod) => selector && matchesSelector(selector, pod.metadata.labels),
    );
    if (pods.length === 0) this.events.record(this.budgets, budget, NO_PODS);
    try {
      this.settle(budget, pods, this.targets(budget, pods));
    } catch (error) {
      if (!(error instanceof UnknownScaleError)) throw error;
      this.failSafe(budget, error.message);
    }
  }

  private settle(budget: ApiObject, pods: readonly ApiObject[], { expected, desired }: Targets): void {
    const disrupted = this.disruptedPods(budget, pods);
    const isStaying = ({ metadata }: ApiObject): boolean =>
      metadata.deletionTimestamp === undefined && disrupted[metadata.name] === undefined;
    const healthy = pods.filter((pod) => isStaying(pod) && isPodReady(pod)).length;
    const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
    const observedGeneration = budget.metadata.generation ?? 0;
    const observed = { ...objectAt(budget, 'status'), observedGeneration };
    this.client.updateStatus(this.budgets, budget, {
      conditions: disruptionConditions(observed, allowed, this.client.now),
      currentHealthy: healthy,
      desiredHealthy: desired,
      ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
      disruptionsAllowed: allowed,
      expectedPods: expected,
      observedGeneration,
    });
    this.recheck(budget, disrupted);
  }

  /** Returns the pods with an allowed eviction that has not timed out, with the time it was allowed. */
  private disruptedPods({ status }: ApiObject, pods: readonly ApiObject[]): Record<string, string> {
    const since = objectAt(objectAt({ status }, 'status'), 'disruptedPods');
    const awaited = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined && since[metadata.name]);
    const disrupted: Record<string, string> = {};
    for (const pod of awaited) {
      const { name, namespace = '' } = pod.metadata;
      const at = String(since[name]);
      if (this.timeLeft(at) >= 0) disrupted[name] = at;
      else this.events.record(this.pods, pod, notDeleted(namespace));
    }
    return disrupted;
  }

  private timeLeft(since: string): number {
    return Date.parse(since) + DELETION_TIMEOUT_MS - this.client.clock.now();
  }

  private recheck(budget: ApiObject, disrupted: Record<string, string>): void {
    const waits = Object.values(disrupted).map((since) => this.timeLeft(since));
    if (waits.length > 0) this.loop.addAfter(budget, Math.min(...waits) + 1);
  }

  /** Allows no evictions if the expected pods cannot be counted. */
  private failSafe(budget: ApiObject, message: string): void {
    const failed = `Failed to calculate the number of expected pods: ${message}`;
    this.events.record(this.budgets, budget, {
      ...{ type: 'Warning', reason: 'CalculateExpectedPodCountFailed' },
      message: failed,
    });
    const status = objectAt(budget, 'status');
    const conditions = failedConditions(status, message, this.client.now);
    this.client.updateStatus(this.budgets, budget, { ...status, disruptionsAllowed: 0, conditions });
  }

  /**
   * Returns the expected number of pods and the number that must stay healthy. An integer minimum counts existing pods.
   */
  private targets(budget: ApiObject, pods: readonly ApiObject[]): Targets {
    const { minAvailable, maxUnavailable, selector } = objectAt(budget, 'spec');
    if (maxUnavailable === undefined && typeof minAvailable === 'number')
      return { expected: pods.length, desired: minAvailable };
    const { expected, hasUnmanaged } = expectedPods(this.client, pods);
    if (hasUnmanaged) this.events.record(this.budgets, budget, unmanaged(selector as LabelSelector | undefined));
    if (maxUnavailable === undefined) return { expected, desired: countOf(minAvailable, expected) };
    return { expected, desired: Math.max(0, expected - countOf(maxUnavailable, expected)) };
  }
}

interface Targets {
  readonly expected: number;
  readonly desired: number;
}

/** Converts a count or a percentage, rounded up. */
function countOf(value: unknown, total: number): number {
  return typeof value === 'string' ? Math.ceil((total * Number.parseInt(value, 10)) / 100) : Number(value ?? 0);
}

/** The event of the real controller, which repeats the namespace instead of the name. */
function notDeleted(namespace: string): Occurrence {
  const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
  return { type: 'Warning', reason: 'NotDeleted', message };
}

function unmanaged(selector: LabelSelector | undefined): Occurrence {
  const message =
    `Pods selected by this PodDisruptionBudget (selector: ${goSelector(selector)}) were found to be unmanaged. ` +
    'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
  return { type: 'Warning', reason: 'UnmanagedPods', message };
}

/** Formats a selector as Go prints it. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): string {
  const labels = Object.entries(matchLabels).sort(([a], [b]) => (a < b ? -1 : 1));
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.map(([key, value]) => `${key}: ${value},`).join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
