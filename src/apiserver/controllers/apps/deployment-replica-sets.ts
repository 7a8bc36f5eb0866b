import { deepEqual } from '../../../base/deep-equal.js';
import type { StatusError } from '../../errors/status-error.js';
import { numberAt, objectAt, type ApiObject, type JsonObject, without } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { controlledBy, type ClusterClient } from '../cluster-client.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { reportRejection } from '../write-rejection.js';
import { conditionsOf, hasDeadline, progressing, progressOf, withCondition } from './deployment-conditions.js';
import { rolloutBounds, desiredReplicas } from './deployment-rollout.js';
import { DESIRED_REPLICAS, MAX_REPLICAS } from './deployment-scaling.js';
import { templateHash } from './template-hash.js';

const REVISION = 'deployment.kubernetes.io/revision';
/** Revisions that a reused ReplicaSet had before. */
const FORMER_REVISIONS = 'deployment.kubernetes.io/revision-history';
const NOT_CARRIED = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  ...[REVISION, FORMER_REVISIONS, DESIRED_REPLICAS, MAX_REPLICAS],
];
/** Maximum length of the annotation with the former revisions. */
const MAX_HISTORY_LENGTH = 2000;
const HASH = 'pod-template-hash';
const NOT_CREATED = 'ReplicaSetCreateError';

/** The ReplicaSets of Deployments: one per pod template, numbered by revision. */
export class DeploymentReplicaSets {
  readonly resource;
  private readonly events;

  constructor(
    private readonly client: ClusterClient,
    private readonly deployments: Resource,
  ) {
    this.resource = client.resource('apps/v1', 'replicasets');
    this.events = new ComponentEventRecorder(client, 'deployment-controller');
  }

  /** Returns the ReplicaSet of the present template, and the others, oldest first. */
  of(deployment: ApiObject): { readonly current: ApiObject | undefined; readonly old: readonly ApiObject[] } {
    const owned = this.client.ownedBy(this.resource, deployment).sort((a, b) => Number(revisionOf(a) - revisionOf(b)));
    const current = owned.find((set) => sameTemplate(set, objectAt(deployment, 'spec')));
    return { current, old: owned.filter((set) => set !== current) };
  }

  /** Makes the ReplicaSet of the present template the newest revision, for example after an undo. */
  promote(deployment: ApiObject): void {
    const { current, old } = this.of(deployment);
    if (!current) return;
    const newest = revisionOf(old.at(-1));
    const isNewest = revisionOf(current) > newest;
    const revision = String(isNewest ? revisionOf(current) : newest + 1n);
    const history = isNewest ? {} : { [FORMER_REVISIONS]: formerRevisions(current) };
    const annotations = {
      ...current.metadata.annotations,
      ...carried(deployment),
      ...history,
      [REVISION]: revision,
    };
    const { minReadySeconds } = objectAt(deployment, 'spec');
    const { minReadySeconds: _former, ...others } = objectAt(current, 'spec');
    const spec = { ...others, ...(minReadySeconds !== undefined && { minReadySeconds }) };
    if (!deepEqual(annotations, current.metadata.annotations) || !deepEqual(spec, current.spec))
      this.client.update(this.resource, current, (set) => ({
        ...set,
        metadata: { ...set.metadata, annotations },
        spec,
      }));
    const found = progressing('True', 'FoundNewReplicaSet', `Found new replica set "${current.metadata.name}"`);
    this.writeRevision(deployment, revision, progressOf(deployment) ? undefined : found);
  }

  /** Creates the ReplicaSet of the present template; reports a rejection in an Event and a condition. */
  create(deployment: ApiObject, old: readonly ApiObject[], replicas: number): ApiObject {
    const revision = String(revisionOf(old.at(-1)) + 1n);
    const set = this.newSet(deployment, revision, replicas);
    const created = reportRejection(
      () => this.client.create(this.resource, set),
      (rejection) => this.reportCreateFailure(deployment, String(objectAt(set, 'metadata').name), rejection),
    );
    if (replicas > 0) this.recordScaling(deployment, created, 0, replicas);
    const detail = `Created new replica set "${created.metadata.name}"`;
    this.writeRevision(deployment, revision, progressing('True', 'NewReplicaSetCreated', detail));
    return created;
  }

  /**
   * Returns whether the size of the ReplicaSet changed. The annotations with the sizes of the Deployment are updated
   * with the size, or always if forced.
   */
  scale(deployment: ApiObject, set: ApiObject, replicas: number, isForced = false): boolean {
    const isResized = desiredReplicas(set) !== replicas;
    const annotations = { ...set.metadata.annotations, ...sizesOf(deployment) };
    if (isResized || (isForced && !deepEqual(annotations, set.metadata.annotations)))
      this.client.update(this.resource, set, ({ metadata, spec, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, annotations },
        spec: { ...objectAt({ spec }, 'spec'), replicas },
      }));
    if (isResized) this.recordScaling(deployment, set, desiredReplicas(set), replicas);
    return isResized;
  }

  /** Deletes the oldest ReplicaSets beyond the history limit, except those with pods. */
  prune(deployment: ApiObject, old: readonly ApiObject[]): void {
    const limit = numberAt(deployment.spec, 'revisionHistoryLimit');
    if (limit === undefined) return;
    const live = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    for (const set of live.slice(0, Math.max(0, live.length - limit))) {
      const isSeen = (numberAt(set.status, 'observedGeneration') ?? 0) >= (set.metadata.generation ?? 0);
      const isEmpty = desiredReplicas(set) === 0 && (numberAt(set.status, 'replicas') ?? 0) === 0;
      if (isSeen && isEmpty) this.client.remove(this.resource, set);
    }
  }

  private newSet(deployment: ApiObject, revision: string, replicas: number): JsonObject {
    const spec = objectAt(deployment, 'spec');
    const template = objectAt(spec, 'template');
    const seed = [JSON.stringify(template), numberAt(deployment.status, 'collisionCount') ?? 0].join(' ');
    const hash = templateHash(seed);
    const metadata = objectAt(template, 'metadata');
    const labels = { ...objectAt(metadata, 'labels'), [HASH]: hash };
    const { name, namespace } = deployment.metadata;
    const selector = objectAt(spec, 'selector');
    const { minReadySeconds } = spec;
    return {
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: { ...carried(deployment), ...sizesOf(deployment), [REVISION]: revision },
        ownerReferences: [controlledBy(this.deployments, deployment)],
      },
      spec: {
        replicas,
        ...(minReadySeconds !== undefined && { minReadySeconds }),
        selector: { ...selector, matchLabels: { ...objectAt(selector, 'matchLabels'), [HASH]: hash } },
        template: { ...template, metadata: { ...metadata, labels } },
      },
    };
  }

  /** Increments the collision count if the name is taken, so that the next attempt uses another name. */
  private reportCreateFailure(deployment: ApiObject, name: string, { code, message }: StatusError): void {
    const status = objectAt(deployment, 'status');
    if (code === 409) {
      const collisionCount = (numberAt(status, 'collisionCount') ?? 0) + 1;
      this.client.updateStatus(this.deployments, deployment, { ...status, collisionCount });
      return;
    }
    const detail = `Failed to create new replica set "${name}": ${message}`;
    if (hasDeadline(deployment)) {
      const condition = progressing('False', NOT_CREATED, detail);
      const conditions = withCondition(conditionsOf(deployment), condition, this.client.now);
      this.client.updateStatus(this.deployments, deployment, { ...status, conditions });
    }
    this.events.record(this.deployments, deployment, { type: 'Warning', reason: NOT_CREATED, message: detail });
  }

  private recordScaling(deployment: ApiObject, { metadata }: ApiObject, from: number, to: number): void {
    const direction = to > from ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${metadata.name} from ${from} to ${to}`;
    this.events.record(this.deployments, deployment, { reason: 'ScalingReplicaSet', message });
  }

  /** Uses the status subresource: an annotation set through the main endpoint would increment the generation. */
  private writeRevision(
    deployment: ApiObject,
    revision: string,
    progress: ReturnType<typeof progressing> | undefined,
  ): void {
    const present = conditionsOf(deployment);
    const { annotations } = deployment.metadata;
    const conditions =
      progress && hasDeadline(deployment) ? withCondition(present, progress, this.client.now) : present;
    if (annotations?.[REVISION] === revision && deepEqual(conditions, present)) return;
    const change = (old: ApiObject): ApiObject => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...annotations, [REVISION]: revision } },
      ...(conditions.length > 0 && { status: { ...objectAt(old, 'status'), conditions } }),
    });
    this.client.update(this.deployments, deployment, change, 'status');
  }
}

/** Returns the annotations that a ReplicaSet copies from its Deployment, for example the change cause. */
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

/** Returns the revision, 0 if missing or invalid; it may exceed the safe integer range. */
function revisionOf(set: ApiObject | undefined): bigint {
  const text = set?.metadata.annotations?.[REVISION] ?? '';
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
}

/** Returns the former revisions including the last one; the oldest are dropped beyond the maximum length. */
function formerRevisions(set: ApiObject): string {
  const { [FORMER_REVISIONS]: history = '', [REVISION]: last = '' } = set.metadata.annotations ?? {};
  const revisions = [...history.split(','), last].filter((revision) => revision !== '');
  while (revisions.join(',').length > MAX_HISTORY_LENGTH) revisions.shift();
  return revisions.join(',');
}

function sameTemplate(set: ApiObject, spec: JsonObject): boolean {
  const own = objectAt(objectAt(set, 'spec'), 'template');
  const metadata = objectAt(own, 'metadata');
  const labels = without(objectAt(metadata, 'labels'), HASH);
  return deepEqual({ ...own, metadata: { ...metadata, labels } }, objectAt(spec, 'template'));
}
