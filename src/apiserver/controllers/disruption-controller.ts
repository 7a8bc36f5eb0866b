import { objectKey } from '../../api/object-key.js';
import { matchesSelector, type LabelSelector } from '../../api/label-selector.js';
import { controllerOf } from '../../api/owner-reference.js';
import { disruptionConditions } from '../builtin/disruption-allowed.js';
import { numberAt, objectAt, type ApiObject } from '../object.js';
import type { ClusterClient } from './cluster-client.js';
import { follow } from './controller.js';
import { EventRecorder } from './event-recorder.js';
import { OwnerLoop } from './owner-loop.js';
import { isPodActive, isPodFinished, isPodReady } from './pod-control.js';

const NO_PODS = { reason: 'NoPods', message: 'No matching pods found' };

/** Says of each PodDisruptionBudget how many of its pods may be evicted now. */
export class DisruptionController {
  private readonly loop: OwnerLoop;
  private readonly unsubscribe: () => void;
  private readonly budgets;
  private readonly pods;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.budgets = client.resource('policy/v1', 'poddisruptionbudgets');
    this.pods = client.resource('v1', 'pods');
    this.events = new EventRecorder(client, 'controllermanager');
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
      (pod) => selector && !isPodFinished(pod) && matchesSelector(selector, pod.metadata.labels),
    );
    if (pods.length === 0) this.events.record(this.budgets, budget, NO_PODS);
    const { expected, desired } = this.targets(budget, pods);
    const healthy = pods.filter((pod) => isPodActive(pod) && isPodReady(pod)).length;
    const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
    const observedGeneration = budget.metadata.generation ?? 0;
    const observed = { ...objectAt(budget, 'status'), observedGeneration };
    this.client.updateStatus(this.budgets, budget, {
      conditions: disruptionConditions(observed, allowed, this.client.now),
      currentHealthy: healthy,
      desiredHealthy: desired,
      disruptionsAllowed: allowed,
      expectedPods: expected,
      observedGeneration,
    });
  }

  /** Pods there should be, and those of them that must stay; a plain minimum counts the pods there are. */
  private targets({ spec }: ApiObject, pods: readonly ApiObject[]): { expected: number; desired: number } {
    const { minAvailable, maxUnavailable } = objectAt({ spec }, 'spec');
    if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable };
    const expected = this.expectedBy(pods);
    if (maxUnavailable === undefined) return { expected, desired: countOf(minAvailable, expected) };
    return { expected, desired: Math.max(0, expected - countOf(maxUnavailable, expected)) };
  }

  /** The sizes of the controllers of these pods, added up. */
  private expectedBy(pods: readonly ApiObject[]): number {
    const owners = new Map<string, ApiObject[]>();
    for (const pod of pods) {
      const uid = controllerOf(pod)?.uid ?? objectKey(pod);
      owners.set(uid, [...(owners.get(uid) ?? []), pod]);
    }
    return [...owners.values()].reduce((sum, owned) => sum + this.sizeOfOwner(owned), 0);
  }

  private sizeOfOwner(owned: readonly ApiObject[]): number {
    const [pod] = owned;
    const owner = pod && controllerOf(pod);
    const plural = owner && { ReplicaSet: 'replicasets', StatefulSet: 'statefulsets' }[owner.kind];
    if (plural === undefined) return owned.length;
    const key = `${pod?.metadata.namespace ?? ''}/${owner?.name ?? ''}`;
    return numberAt(this.client.get(this.client.resource('apps/v1', plural), key)?.spec, 'replicas') ?? owned.length;
  }
}

/** A count, or a share rounded up. */
function countOf(value: unknown, total: number): number {
  return typeof value === 'string' ? Math.ceil((total * Number.parseInt(value, 10)) / 100) : Number(value ?? 0);
}
