import { objectKey } from '../../../api/objects/object-key.js';
import { eachObject, numberAt, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { ControllerRefManager } from '../controller-ref-manager.js';
import {
  availability,
  conditionsOf,
  isComplete,
  pauseCondition,
  rolloutConditions,
  untilDeadline,
  withCondition,
} from './deployment-conditions.js';
import { DeploymentReplicaSets } from './deployment-replica-sets.js';
import { isRecreated, newSize, oldSizes, rolloutBounds, desiredReplicas } from './deployment-rollout.js';
import { isScaled, scaledSizes } from './deployment-scaling.js';
import { OwnerLoop } from '../owner-loop.js';
import { isPodFinished, positive } from '../pod-control.js';

/** Maintains one ReplicaSet per pod template of each Deployment, and rolls from the old ones to the newest. */
export class DeploymentController {
  private readonly loop: OwnerLoop;
  private readonly deployments;
  private readonly pods;
  private readonly sets: DeploymentReplicaSets;

  constructor(private readonly client: ClusterClient) {
    this.deployments = client.resource('apps/v1', 'deployments');
    this.pods = client.resource('v1', 'pods');
    this.sets = new DeploymentReplicaSets(client, this.deployments);
    const refs = new ControllerRefManager(client, {
      owners: this.deployments,
      dependents: this.sets.resource,
    });
    this.loop = new OwnerLoop(client, this.deployments, [this.sets.resource], (one) => this.reconcile(one), { refs });
  }

  stop(): void {
    this.loop.stop();
  }

  private reconcile(deployment: ApiObject): void {
    const key = objectKey(deployment);
    const pause = pauseCondition(deployment);
    if (pause) {
      const conditions = withCondition(conditionsOf(deployment), pause, this.client.now);
      this.client.updateStatus(this.deployments, deployment, { ...objectAt(deployment, 'status'), conditions });
    }
    this.sets.promote(this.fresh(key));
    const { current, old } = this.sets.of(deployment);
    const all = current ? [current, ...old] : old;
    const isPaused = objectAt(deployment, 'spec').paused === true;
    const isRolling = !isPaused && !isScaled(deployment, all);
    if (isRolling && isRecreated(deployment)) this.recreate(this.fresh(key), current, old);
    else if (isRolling) this.roll(this.fresh(key), current, old);
    else this.resize(deployment, scaledSizes(deployment, current, old), true);
    if (isPaused) this.sets.prune(deployment, old);
    this.updateStatus(this.fresh(key), isRolling);
  }

  /** Reads the Deployment again, with the last write included. */
  private fresh(key: string): ApiObject {
    const deployment = this.client.get(this.deployments, key);
    if (!deployment) throw new Error(`deployment ${key} was deleted during reconciliation`);
    return deployment;
  }

  private roll(deployment: ApiObject, present: ApiObject | undefined, old: readonly ApiObject[]): void {
    const bounds = rolloutBounds(deployment);
    const others = old.reduce((sum, set) => sum + desiredReplicas(set), 0);
    const size = newSize(bounds, present ? desiredReplicas(present) : 0, others);
    const current = present ?? this.sets.create(deployment, old, size);
    if (this.sets.scale(deployment, current, size)) return;
    const isShrunk = this.resize(deployment, oldSizes(bounds, current, old));
    if (!isShrunk && isComplete(deployment, deployment.status)) this.sets.prune(deployment, old);
  }

  /** Creates new pods only after all old ones are deleted. */
  private recreate(deployment: ApiObject, present: ApiObject | undefined, old: readonly ApiObject[]): void {
    const isShrunk = this.resize(deployment, new Map(old.map((set) => [set, 0])));
    if (isShrunk || old.some((set) => this.hasPods(set))) return;
    const replicas = numberAt(deployment.spec, 'replicas') ?? 1;
    const current = present ?? this.sets.create(deployment, old, replicas);
    this.sets.scale(deployment, current, replicas);
    if (isComplete(deployment, deployment.status)) this.sets.prune(deployment, old);
  }

  private hasPods(set: ApiObject): boolean {
    if ((numberAt(set.status, 'replicas') ?? 0) > 0) return true;
    return this.client.ownedBy(this.pods, set).some((pod) => !isPodFinished(pod));
  }

  /** Returns whether the size of a ReplicaSet changed. */
  private resize(deployment: ApiObject, sizes: ReadonlyMap<ApiObject, number>, isForced = false): boolean {
    return [...sizes].map(([set, size]) => this.sets.scale(deployment, set, size, isForced)).includes(true);
  }

  private updateStatus(deployment: ApiObject, isRolling: boolean): void {
    const { current, old } = this.sets.of(deployment);
    const owned = current ? [current, ...old] : old;
    const sum = (field: string): number => owned.reduce((total, set) => total + (numberAt(set.status, field) ?? 0), 0);
    const [replicas, available] = [sum('replicas'), sum('availableReplicas')];
    const { collisionCount } = objectAt(deployment, 'status');
    const counts = {
      observedGeneration: deployment.metadata.generation,
      ...positive({
        replicas,
        updatedReplicas: numberAt(current?.status, 'replicas') ?? 0,
        readyReplicas: sum('readyReplicas'),
        availableReplicas: available,
        unavailableReplicas: Math.max(0, owned.reduce((total, set) => total + desiredReplicas(set), 0) - available),
      }),
      terminatingReplicas: sum('terminatingReplicas'),
      ...(collisionCount !== undefined && { collisionCount }),
    };
    const { now } = this.client;
    const isAvailable = available >= rolloutBounds(deployment).minAvailable;
    const withAvailability = withCondition(conditionsOf(deployment), availability(isAvailable), now);
    const [replicaSet, failure] = [current?.metadata.name, failureOf(owned)];
    const conditions = isRolling
      ? rolloutConditions(withAvailability, { deployment, status: counts, replicaSet, failure, now })
      : withAvailability;
    this.client.updateStatus(this.deployments, deployment, { ...counts, conditions });
    const left = untilDeadline(this.fresh(objectKey(deployment)), this.client.clock.now());
    if (isRolling && left !== undefined) this.loop.addAfter(deployment, left);
  }
}

/** Returns the first ReplicaFailure condition. */
function failureOf(sets: readonly ApiObject[]): JsonObject | undefined {
  const conditions = sets.flatMap(({ status }) => eachObject(objectAt({ status }, 'status').conditions));
  return conditions.find(({ type }) => type === 'ReplicaFailure');
}
