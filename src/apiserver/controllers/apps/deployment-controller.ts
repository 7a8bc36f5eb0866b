import { createHash } from 'node:crypto';
import { deepEqual } from '../../../base/deep-equal.js';
import { objectKey } from '../../../api/object-key.js';
import { eachObject } from '../../builtin/set-default.js';
import { numberAt, objectAt, type ApiObject, type JsonObject, without } from '../../object.js';
import type { Resource } from '../../resources/resource.js';
import { controlledBy, type ClusterClient } from '../cluster-client.js';
import { ControllerRefManager } from '../controller-ref-manager.js';
import { deploymentConditions, untilDeadline } from './deployment-conditions.js';
import { isRecreated, newSize, oldSizes, rolloutBounds, sizeOf } from './deployment-rollout.js';
import { EventRecorder } from '../event-recorder.js';
import { OwnerLoop } from '../owner-loop.js';
import { isPodFinished, positive } from '../pod-control.js';

const REVISION = 'deployment.kubernetes.io/revision';
/** Which revisions a ReplicaSet was before, while it was brought back. */
const FORMER_REVISIONS = 'deployment.kubernetes.io/revision-history';
const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
const NOT_CARRIED = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  ...[REVISION, FORMER_REVISIONS, DESIRED_REPLICAS, MAX_REPLICAS],
];
/** What of the former revisions is remembered. */
const MAX_HISTORY_LENGTH = 2000;
const HASH = 'pod-template-hash';
const DEFAULT_HISTORY = 10;

/** Keeps one ReplicaSet per pod template of each Deployment, and rolls from the old ones to the newest. */
export class DeploymentController {
  private readonly loop: OwnerLoop;
  private readonly deployments;
  private readonly replicaSets;
  private readonly pods;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.deployments = client.resource('apps/v1', 'deployments');
    this.replicaSets = client.resource('apps/v1', 'replicasets');
    this.pods = client.resource('v1', 'pods');
    this.events = new EventRecorder(client, 'deployment-controller');
    const refs = new ControllerRefManager(client, {
      owners: this.deployments,
      dependents: this.replicaSets,
    });
    this.loop = new OwnerLoop(client, this.deployments, [this.replicaSets], (one) => this.reconcile(one), { refs });
  }

  stop(): void {
    this.loop.stop();
  }

  private reconcile(deployment: ApiObject): void {
    const owned = this.client.ownedBy(this.replicaSets, deployment).sort(byRevision);
    const present = owned.find((set) => sameTemplate(set, objectAt(deployment, 'spec')));
    const old = owned.filter((set) => set !== present);
    if (objectAt(deployment, 'spec').paused === true) this.scaleOnly(deployment, owned);
    else this.roll(deployment, present, old);
    const current = present && this.client.get(this.replicaSets, objectKey(present));
    this.updateStatus(objectKey(deployment), current, old);
  }

  /** A paused Deployment keeps its templates and still follows its size. */
  private scaleOnly(deployment: ApiObject, owned: readonly ApiObject[]): void {
    const active = owned.filter((set) => sizeOf(set) > 0);
    const [only] = active.length === 0 ? owned.slice(-1) : active;
    if (only && active.length <= 1) this.resize(deployment, only, numberAt(deployment.spec, 'replicas') ?? 1);
  }

  private roll(deployment: ApiObject, present: ApiObject | undefined, old: readonly ApiObject[]): void {
    const bounds = rolloutBounds(deployment);
    const others = old.reduce((sum, set) => sum + sizeOf(set), 0);
    if (isRecreated(deployment)) {
      for (const set of old) this.resize(deployment, set, 0);
      if (old.some((set) => this.hasPods(set))) return;
    }
    if (!present) {
      this.createReplicaSet(deployment, old, newSize(bounds, 0, isRecreated(deployment) ? 0 : others));
      return;
    }
    this.promote(deployment, present, old);
    this.resize(deployment, present, newSize(bounds, sizeOf(present), isRecreated(deployment) ? 0 : others));
    const current = this.client.get(this.replicaSets, objectKey(present)) ?? present;
    for (const [set, size] of oldSizes(bounds, current, old)) this.resize(deployment, set, size);
    if (others === 0) this.prune(deployment, old);
  }

  private hasPods(set: ApiObject): boolean {
    return this.client.ownedBy(this.pods, set).some((pod) => !isPodFinished(pod));
  }

  private createReplicaSet(deployment: ApiObject, old: readonly ApiObject[], replicas: number): void {
    const spec = objectAt(deployment, 'spec');
    const template = objectAt(spec, 'template');
    const hash = createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 10);
    const metadata = objectAt(template, 'metadata');
    const labels = { ...objectAt(metadata, 'labels'), [HASH]: hash };
    const { name, namespace } = deployment.metadata;
    const selector = objectAt(spec, 'selector');
    const { minReadySeconds } = spec;
    const created = this.client.create(this.replicaSets, {
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: { ...carried(deployment), [REVISION]: String(revisionOf(old.at(-1)) + 1) },
        ownerReferences: [controlledBy(this.deployments, deployment)],
      },
      spec: {
        replicas,
        ...(minReadySeconds !== undefined && { minReadySeconds }),
        selector: { ...selector, matchLabels: { ...objectAt(selector, 'matchLabels'), [HASH]: hash } },
        template: { ...template, metadata: { ...metadata, labels } },
      },
    });
    if (replicas > 0) this.tellScaled(deployment, created, 0, replicas);
  }

  private tellScaled(deployment: ApiObject, { metadata }: ApiObject, from: number, to: number): void {
    const direction = to > from ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${metadata.name} from ${from} to ${to}`;
    this.events.record(this.deployments, deployment, { reason: 'ScalingReplicaSet', message });
  }

  /** Makes the ReplicaSet of the present template the newest revision, as after an undo. */
  private promote(deployment: ApiObject, set: ApiObject, old: readonly ApiObject[]): void {
    const newest = revisionOf(old.at(-1));
    const isNewest = revisionOf(set) > newest;
    const revision = String(isNewest ? revisionOf(set) : newest + 1);
    const history = isNewest ? {} : { [FORMER_REVISIONS]: formerRevisions(set) };
    this.annotate(this.replicaSets, set, { ...carried(deployment), ...history, [REVISION]: revision });
    // By its status: an annotation set on the main endpoint would move the generation.
    this.annotate(this.deployments, deployment, { [REVISION]: revision }, 'status');
  }

  private annotate(
    resource: Resource,
    object: ApiObject,
    wanted: Readonly<Record<string, string>>,
    subresource = '',
  ): void {
    const { annotations } = object.metadata;
    if (Object.entries(wanted).every(([key, value]) => annotations?.[key] === value)) return;
    const change = (old: ApiObject): ApiObject => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, ...wanted } },
    });
    this.client.update(resource, object, change, subresource);
  }

  private resize(deployment: ApiObject, set: ApiObject, replicas: number): void {
    if (replicas > 0 || sizeOf(set) > 0) this.annotate(this.replicaSets, set, sizesOf(deployment));
    if (sizeOf(set) === replicas) return;
    this.client.update(this.replicaSets, set, (old) => ({ ...old, spec: { ...objectAt(old, 'spec'), replicas } }));
    this.tellScaled(deployment, set, sizeOf(set), replicas);
  }

  /** Deletes the oldest ReplicaSets beyond the history limit. */
  private prune(deployment: ApiObject, old: readonly ApiObject[]): void {
    const limit = numberAt(deployment.spec, 'revisionHistoryLimit') ?? DEFAULT_HISTORY;
    const empty = old.filter((set) => numberAt(set.status, 'replicas') === 0);
    for (const set of empty.slice(0, Math.max(0, empty.length - limit))) this.client.remove(this.replicaSets, set);
  }

  private updateStatus(key: string, current: ApiObject | undefined, old: readonly ApiObject[]): void {
    const deployment = this.client.get(this.deployments, key);
    if (!deployment) return;
    const owned = current ? [current, ...old] : old;
    const sum = (field: string): number => owned.reduce((total, set) => total + (numberAt(set.status, field) ?? 0), 0);
    const [replicas, available] = [sum('replicas'), sum('availableReplicas')];
    const counts = {
      observedGeneration: deployment.metadata.generation,
      ...positive({
        replicas,
        updatedReplicas: numberAt(current?.status, 'replicas') ?? 0,
        readyReplicas: sum('readyReplicas'),
        availableReplicas: available,
        unavailableReplicas: Math.max(0, owned.reduce((total, set) => total + sizeOf(set), 0) - available),
      }),
      terminatingReplicas: sum('terminatingReplicas'),
    };
    const isAvailable = available >= rolloutBounds(deployment).minAvailable;
    const { now } = this.client;
    const replicaSet = current?.metadata.name;
    const failure = failureOf([...(current ? [current] : []), ...owned]);
    const conditions = deploymentConditions({ deployment, status: counts, replicaSet, isAvailable, failure, now });
    this.client.updateStatus(this.deployments, deployment, { ...counts, conditions });
    this.watchDeadline(key);
  }

  private watchDeadline(key: string): void {
    const deployment = this.client.get(this.deployments, key);
    if (!deployment) return;
    const left = untilDeadline(deployment, this.client.clock.now());
    if (left !== undefined && left > 0) this.loop.addAfter(deployment, left);
  }
}

/** Annotations a ReplicaSet has of its Deployment, e.g. the cause of a change. */
function carried({ metadata }: ApiObject): Record<string, string> {
  return without(metadata.annotations ?? {}, ...NOT_CARRIED);
}

function sizesOf(deployment: ApiObject): Record<string, string> {
  const { replicas, maxReplicas } = rolloutBounds(deployment);
  return {
    [DESIRED_REPLICAS]: String(replicas),
    [MAX_REPLICAS]: String(maxReplicas),
  };
}

/** The first of these that cannot have its pods says why. */
function failureOf(sets: readonly ApiObject[]): JsonObject | undefined {
  const conditions = sets.flatMap(({ status }) => eachObject(objectAt({ status }, 'status').conditions));
  return conditions.find(({ type }) => type === 'ReplicaFailure');
}

function revisionOf(set: ApiObject | undefined): number {
  return Number(set?.metadata.annotations?.[REVISION] ?? 0);
}

/** With the revision it is to give up; the oldest are forgotten. */
function formerRevisions(set: ApiObject): string {
  const { [FORMER_REVISIONS]: history = '', [REVISION]: last = '' } = set.metadata.annotations ?? {};
  const revisions = [...history.split(','), last].filter((revision) => revision !== '');
  while (revisions.join(',').length > MAX_HISTORY_LENGTH) revisions.shift();
  return revisions.join(',');
}

function byRevision(a: ApiObject, b: ApiObject): number {
  return revisionOf(a) - revisionOf(b);
}

function sameTemplate(set: ApiObject, spec: JsonObject): boolean {
  const own = objectAt(objectAt(set, 'spec'), 'template');
  const metadata = objectAt(own, 'metadata');
  const labels = without(objectAt(metadata, 'labels'), HASH);
  return deepEqual({ ...own, metadata: { ...metadata, labels } }, objectAt(spec, 'template'));
}
