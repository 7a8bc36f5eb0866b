import { keyOf } from '../../../api/objects/object-key.js';
import { isPodActive } from '../../../api/objects/is-pod-active.js';
import {
  eachObject,
  numberAt,
  objectAt,
  stringAt,
  without,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { retainedBy } from './claim-retention.js';
import { ControllerRevisions } from './controller-revisions.js';
import { ControllerRefManager } from '../controller-ref-manager.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { OwnerLoop } from '../owner-loop.js';
import { reportRejection } from '../write-rejection.js';
import { isPodAvailable, isPodFinished, isPodReady, podFromTemplate, positive } from '../pod-control.js';

const REVISION = 'controller-revision-hash';

/** The current and the update revision of a StatefulSet. */
interface Revisions {
  readonly current: string;
  readonly update: string;
}

/** Runs numbered pods, each with its own claims, in order. */
export class StatefulSetController {
  private readonly loop: OwnerLoop;
  private readonly sets;
  private readonly pods;
  private readonly claims;
  private readonly events;
  private readonly revisions: ControllerRevisions;

  constructor(private readonly client: ClusterClient) {
    this.sets = client.resource('apps/v1', 'statefulsets');
    this.pods = client.resource('v1', 'pods');
    this.claims = client.resource('v1', 'persistentvolumeclaims');
    this.events = new ComponentEventRecorder(client, 'statefulset-controller');
    this.revisions = new ControllerRevisions(client, this.sets, 'controller.kubernetes.io/hash');
    const refs = new ControllerRefManager(client, {
      owners: this.sets,
      dependents: this.pods,
      isMember: ({ metadata }, set) => metadata.name.replace(/-\d+$/, '') === set.metadata.name,
    });
    this.loop = new OwnerLoop(client, this.sets, [this.pods], (set) => this.reconcile(set), { refs });
  }

  stop(): void {
    this.loop.stop();
  }

  private reconcile(set: ApiObject): void {
    const update = this.revisions.current(set).metadata.name;
    const revisions = { current: stringAt(set.status, 'currentRevision') || update, update };
    try {
      this.advance(set, revisions);
    } finally {
      this.revisions.prune(set, this.updateStatus(set, revisions));
    }
  }

  /** Creates, replaces or deletes pods in order, as many at once as the pod management policy allows. */
  private advance(set: ApiObject, revisions: Revisions): void {
    const isParallel = stringAt(set.spec, 'podManagementPolicy') === 'Parallel';
    const [start, end] = ordinals(set);
    const byOrdinal = new Map(this.podsOf(set).map((pod) => [ordinalOf(pod), pod]));
    for (let ordinal = start; ordinal < end; ordinal++) {
      const isSettled = this.ensurePod(set, ordinal, byOrdinal.get(ordinal), revisions);
      if (!isSettled && !isParallel) return;
    }
    const surplus = [...byOrdinal]
      .filter(([ordinal]) => ordinal < start || ordinal >= end)
      .sort(([a], [b]) => b - a)
      .map(([, pod]) => pod);
    for (const pod of surplus) {
      this.settleClaims(set, pod, true);
      if (pod.metadata.deletionTimestamp === undefined) this.deletePod(set, pod);
      if (!isParallel) return;
    }
    if (surplus.length === 0) this.roll(set, byOrdinal, revisions);
  }

  /** Returns whether the pod is active and available, so that the next one may be created. */
  private ensurePod(set: ApiObject, ordinal: number, pod: ApiObject | undefined, revisions: Revisions): boolean {
    if (!pod) {
      this.createClaims(set, ordinal);
      this.createPod(set, ordinal, this.revisionFor(set, ordinal, revisions));
      return false;
    }
    this.settleClaims(set, pod, false);
    if (isPodFinished(pod) && pod.metadata.deletionTimestamp === undefined) this.deletePod(set, pod);
    return isPodActive(pod) && this.isAvailable(set, pod);
  }

  private createPod(set: ApiObject, ordinal: number, revision: string): void {
    const what = `Create Pod ${set.metadata.name}-${ordinal} in StatefulSet ${set.metadata.name}`;
    reportRejection(
      () => this.client.create(this.pods, this.newPod(set, ordinal, revision)),
      ({ message }) => this.recordEvent(set, 'FailedCreate', `${what} failed error: ${message}`, 'Warning'),
    );
    this.recordEvent(set, 'SuccessfulCreate', `${what} successful`);
  }

  /** Returns the revision of a new pod: pods below the partition stay at the current revision. */
  private revisionFor(set: ApiObject, ordinal: number, { current, update }: Revisions): string {
    return ordinal < firstToUpdate(set) ? current : update;
  }

  /** Deletes the highest pod of an old revision once all pods above it are available. */
  private roll(set: ApiObject, byOrdinal: ReadonlyMap<number, ApiObject>, { update }: Revisions): void {
    if (!isRolling(set)) return;
    const [, end] = ordinals(set);
    for (let ordinal = end - 1; ordinal >= firstToUpdate(set); ordinal--) {
      const pod = byOrdinal.get(ordinal);
      if (pod && pod.metadata.labels?.[REVISION] !== update && pod.metadata.deletionTimestamp === undefined) {
        this.deletePod(set, pod);
        return;
      }
      if (!pod || !isPodActive(pod) || !this.isAvailable(set, pod)) return;
    }
  }

  private deletePod(set: ApiObject, pod: ApiObject): void {
    this.client.remove(this.pods, pod);
    const what = `Delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    this.recordEvent(set, 'SuccessfulDelete', `${what} successful`);
  }

  private recordEvent(set: ApiObject, reason: string, message: string, type: 'Normal' | 'Warning' = 'Normal'): void {
    this.events.record(this.sets, set, { reason, message, type });
  }

  private isAvailable(set: ApiObject, pod: ApiObject): boolean {
    const minReadySeconds = numberAt(set.spec, 'minReadySeconds') ?? 0;
    const isAvailable = isPodAvailable(pod, minReadySeconds, this.client.clock.now());
    if (!isAvailable && isPodReady(pod)) this.loop.addAfter(set, minReadySeconds * 1000);
    return isAvailable;
  }

  private newPod(set: ApiObject, ordinal: number, revision: string): JsonObject {
    const name = `${set.metadata.name}-${ordinal}`;
    const labels = {
      'apps.kubernetes.io/pod-index': String(ordinal),
      [REVISION]: revision,
      'statefulset.kubernetes.io/pod-name': name,
    };
    const source = this.withTemplateOf(set, revision);
    const volumes = eachObject(objectAt(objectAt(source.spec, 'template'), 'spec').volumes);
    const claims = claimTemplates(set).map((claim) => stringAt(claim.metadata, 'name'));
    const claimed = claims.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: `${claim}-${name}` } }));
    const others = volumes.filter((volume) => !claims.includes(stringAt(volume, 'name')));
    const spec = {
      hostname: name,
      ...(stringAt(set.spec, 'serviceName') !== '' && { subdomain: stringAt(set.spec, 'serviceName') }),
      ...(claimed.length > 0 && { volumes: [...others, ...claimed] }),
    };
    return podFromTemplate(this.sets, source, { name, labels, spec });
  }

  private withTemplateOf(set: ApiObject, revision: string): ApiObject {
    const kept = this.revisions.list(set).find(({ metadata }) => metadata.name === revision);
    if (!kept) return set;
    const template = without(objectAt(objectAt(objectAt(kept, 'data'), 'spec'), 'template'), '$patch');
    return { ...set, spec: { ...objectAt(set, 'spec'), template } };
  }

  private createClaims(set: ApiObject, ordinal: number): void {
    const { namespace = '', name } = set.metadata;
    const { matchLabels } = objectAt(set.spec, 'selector');
    for (const template of claimTemplates(set)) {
      const own = objectAt(template, 'metadata');
      const claim = claimName(set, template, ordinal);
      if (this.client.get(this.claims, keyOf(claim, namespace))) continue;
      const labels = { ...objectAt(own, 'labels'), ...(matchLabels as object | undefined) };
      const { annotations } = own;
      const object = { metadata: { name: claim, namespace, labels, annotations }, spec: template.spec };
      const what = `Create Claim ${claim}`;
      reportRejection(
        () => this.client.create(this.claims, object),
        ({ message }) => {
          const where = `for Pod ${name}-${ordinal} in StatefulSet ${name}`;
          this.recordEvent(set, 'FailedCreate', `${what} ${where} failed error: ${message}`, 'Warning');
        },
      );
      this.recordEvent(set, 'SuccessfulCreate', `${what} Pod ${name}-${ordinal} in StatefulSet ${name} success`);
    }
  }

  /** Sets the owner references of a pod's claims by the retention policy of the set. */
  private settleClaims(set: ApiObject, pod: ApiObject, isSurplus: boolean): void {
    const owners = { sets: this.sets, set, pods: this.pods, pod, isSurplus };
    for (const template of claimTemplates(set)) {
      const name = claimName(set, template, ordinalOf(pod));
      const claim = this.client.get(this.claims, keyOf(name, set.metadata.namespace));
      const ownerReferences = claim && retainedBy(claim, owners);
      if (ownerReferences)
        this.client.update(this.claims, claim, (old) => ({ ...old, metadata: { ...old.metadata, ownerReferences } }));
    }
  }

  private podsOf(set: ApiObject): ApiObject[] {
    return this.client.ownedBy(this.pods, set).filter((pod) => ordinalOf(pod) >= 0);
  }

  private updateStatus(set: ApiObject, { current, update }: Revisions): Set<string> {
    const pods = this.podsOf(set);
    const of = (revision: string): number =>
      pods.filter(
        ({ metadata }) => metadata.labels?.[REVISION] === revision && metadata.deletionTimestamp === undefined,
      ).length;
    const isUpdated = of(update) === pods.length && pods.length === (numberAt(set.spec, 'replicas') ?? 1);
    const isOver = isUpdated && isRolling(set) && pods.every(isPodReady);
    const currentRevision = isOver ? update : current;
    this.client.updateStatus(this.sets, set, {
      observedGeneration: set.metadata.generation,
      replicas: pods.length,
      ...positive({
        readyReplicas: pods.filter(isPodReady).length,
        currentReplicas: of(currentRevision),
        updatedReplicas: of(update),
      }),
      currentRevision,
      updateRevision: update,
      collisionCount: 0,
      availableReplicas: pods.filter((pod) => this.isAvailable(set, pod)).length,
    });
    return new Set([current, update, ...pods.map(({ metadata }) => metadata.labels?.[REVISION] ?? '')]);
  }
}

function claimTemplates(set: ApiObject): JsonObject[] {
  return eachObject(objectAt(set, 'spec').volumeClaimTemplates);
}

function claimName({ metadata }: ApiObject, template: JsonObject, ordinal: number): string {
  return `${stringAt(template.metadata, 'name')}-${metadata.name}-${ordinal}`;
}

function isRolling({ spec }: ApiObject): boolean {
  return stringAt(objectAt(spec, 'updateStrategy'), 'type') === 'RollingUpdate';
}

/** The first ordinal that is updated to the new revision. */
function firstToUpdate(set: ApiObject): number {
  const [start] = ordinals(set);
  return start + (numberAt(objectAt(objectAt(set.spec, 'updateStrategy'), 'rollingUpdate'), 'partition') ?? 0);
}

/** The first ordinal, and the last one plus one. */
function ordinals({ spec }: ApiObject): [number, number] {
  const start = numberAt(objectAt(spec, 'ordinals'), 'start') ?? 0;
  return [start, start + (numberAt(spec, 'replicas') ?? 1)];
}

function ordinalOf({ metadata }: ApiObject): number {
  const digits = /-(\d+)$/.exec(metadata.name)?.[1];
  return digits === undefined ? -1 : Number(digits);
}
