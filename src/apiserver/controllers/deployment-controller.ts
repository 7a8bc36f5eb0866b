import { createHash } from 'node:crypto';
import { deepEqual } from '../../base/deep-equal.js';
import { objectKey } from '../../api/object-key.js';
import { controllerOf } from '../../api/owner-reference.js';
import { setCondition, type ConditionLike } from '../../api/condition.js';
import { arrayAt, numberAt, objectAt, type ApiObject, type JsonObject, without } from '../object.js';
import { controlledBy, type ClusterClient } from './cluster-client.js';
import { follow, KeyQueue } from './controller.js';

const REVISION = 'deployment.kubernetes.io/revision';
const HASH = 'pod-template-hash';

/** Keeps one ReplicaSet per pod template of each Deployment, the newest at the wanted size. */
export class DeploymentController {
  private readonly queue: KeyQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly deployments;
  private readonly replicaSets;

  constructor(private readonly client: ClusterClient) {
    this.deployments = client.resource('apps/v1', 'deployments');
    this.replicaSets = client.resource('apps/v1', 'replicasets');
    this.queue = new KeyQueue('deployment', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, this.deployments.storage, ({ current }) => this.queue.add(current.key)),
      follow(client.store, this.replicaSets.storage, ({ current }) => this.enqueueOwner(current.object)),
    ];
  }

  stop(): void {
    this.queue.stop();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private enqueueOwner(object: ApiObject): void {
    const owner = controllerOf(object);
    if (owner?.kind === 'Deployment') this.queue.add(`${object.metadata.namespace ?? ''}/${owner.name}`);
  }

  private reconcile(key: string): void {
    const deployment = this.client.get(this.deployments, key);
    if (!deployment || deployment.metadata.deletionTimestamp !== undefined) return;
    const spec = objectAt(deployment, 'spec');
    const owned = this.client.ownedBy(this.replicaSets, deployment);
    const current = owned.find((set) => sameTemplate(set, spec));
    if (!current) {
      if (spec.paused !== true) this.createReplicaSet(deployment, owned);
      return;
    }
    this.setRevision(deployment, current);
    const replicas = numberAt(spec, 'replicas') ?? 1;
    this.resize(current, replicas);
    for (const set of owned) if (set !== current && isReady(current, replicas)) this.resize(set, 0);
    this.updateStatus(deployment, owned, current, replicas);
  }

  private createReplicaSet(deployment: ApiObject, owned: readonly ApiObject[]): void {
    const spec = objectAt(deployment, 'spec');
    const template = objectAt(spec, 'template');
    const hash = createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 10);
    const metadata = objectAt(template, 'metadata');
    const labels = { ...objectAt(metadata, 'labels'), [HASH]: hash };
    const revision =
      Math.max(0, ...owned.map(({ metadata: { annotations } }) => Number(annotations?.[REVISION] ?? 0))) + 1;
    const { name, namespace } = deployment.metadata;
    const selector = objectAt(spec, 'selector');
    this.client.create(this.replicaSets, {
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: { [REVISION]: String(revision) },
        ownerReferences: [controlledBy(this.deployments, deployment)],
      },
      spec: {
        replicas: numberAt(spec, 'replicas') ?? 1,
        selector: { ...selector, matchLabels: { ...objectAt(selector, 'matchLabels'), [HASH]: hash } },
        template: { ...template, metadata: { ...metadata, labels } },
      },
    });
  }

  private setRevision(deployment: ApiObject, set: ApiObject): void {
    const revision = set.metadata.annotations?.[REVISION] ?? '1';
    if (deployment.metadata.annotations?.[REVISION] === revision) return;
    this.client.update(this.deployments, deployment, (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, [REVISION]: revision } },
    }));
  }

  private resize(set: ApiObject, replicas: number): void {
    if (objectAt(set, 'spec').replicas === replicas) return;
    this.client.update(this.replicaSets, set, (old) => ({ ...old, spec: { ...objectAt(old, 'spec'), replicas } }));
  }

  private updateStatus(deployment: ApiObject, owned: readonly ApiObject[], current: ApiObject, wanted: number): void {
    const latest = this.client.get(this.deployments, objectKey(deployment));
    if (!latest) return;
    const sum = (field: string): number => owned.reduce((total, set) => total + (numberAt(set.status, field) ?? 0), 0);
    const [replicas, ready, available] = [sum('replicas'), sum('readyReplicas'), sum('availableReplicas')];
    const updated = numberAt(current.status, 'replicas') ?? 0;
    const status: JsonObject = {
      observedGeneration: latest.metadata.generation,
      ...positive({ replicas, updatedReplicas: updated, readyReplicas: ready, availableReplicas: available }),
      ...positive({ unavailableReplicas: Math.max(0, wanted - available) }),
      conditions: this.conditions(
        latest,
        available >= wanted,
        updated === wanted && replicas === wanted && available === wanted,
        current,
      ),
    };
    this.client.updateStatus(this.deployments, latest, status);
  }

  private conditions(deployment: ApiObject, isAvailable: boolean, isComplete: boolean, set: ApiObject): JsonObject[] {
    let conditions = arrayAt(deployment.status, 'conditions') as ConditionLike[];
    const availability = isAvailable
      ? { status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
      : {
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        };
    const progress = isComplete
      ? {
          status: 'True',
          reason: 'NewReplicaSetAvailable',
          message: `ReplicaSet "${set.metadata.name}" has successfully progressed.`,
        }
      : { status: 'True', reason: 'ReplicaSetUpdated', message: `ReplicaSet "${set.metadata.name}" is progressing.` };
    for (const condition of [
      { type: 'Available', ...availability },
      { type: 'Progressing', ...progress },
    ]) {
      const present = conditions.find(({ type }) => type === condition.type);
      if (present?.status === condition.status && present.reason === condition.reason) continue;
      conditions = setCondition(conditions, condition, this.client.now).map((other) =>
        other.type === condition.type ? { ...other, lastUpdateTime: this.client.now } : other,
      );
    }
    return conditions as unknown as JsonObject[];
  }
}

/** Members that are not zero: Go leaves these out. */
export function positive(counts: Readonly<Record<string, number>>): JsonObject {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function isReady(set: ApiObject, replicas: number): boolean {
  return (numberAt(set.status, 'availableReplicas') ?? 0) >= replicas;
}

function sameTemplate(set: ApiObject, spec: JsonObject): boolean {
  const own = objectAt(objectAt(set, 'spec'), 'template');
  const metadata = objectAt(own, 'metadata');
  const labels = without(objectAt(metadata, 'labels'), HASH);
  return deepEqual({ ...own, metadata: { ...metadata, labels } }, objectAt(spec, 'template'));
}
