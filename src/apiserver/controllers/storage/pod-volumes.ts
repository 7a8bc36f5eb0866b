import { keyOf } from '../../../api/objects/object-key.js';
import { goQuoted } from '../../../base/go-quoted.js';
import { arrayAt, eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { holdsNodeSelector } from '../node-fit.js';
import { claimsOfPod, ephemeralClaimName } from './claims-of-pod.js';
import { classOf, findMatchingVolume } from './matching-volume.js';
import { BIND_COMPLETED, SELECTED_NODE } from './volume-annotations.js';
import { annotated, VolumeBinding } from './volume-binding.js';

const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/** The scheduler's handling of pod claims, with the messages of its plugin VolumeBinding. */
export class PodVolumes {
  private readonly binding: VolumeBinding;
  private readonly classes;

  constructor(private readonly client: ClusterClient) {
    this.binding = new VolumeBinding(client);
    this.classes = client.resource('storage.k8s.io/v1', 'storageclasses');
  }

  /** Returns why the pod cannot run on any node. */
  problemOf(pod: ApiObject): string | undefined {
    for (const name of claimsOfPod(pod)) {
      const claim = this.claim(pod, name);
      const quoted = goQuoted(name);
      if (!claim)
        return isEphemeral(pod, name)
          ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
          : `persistentvolumeclaim ${quoted} not found`;
      if (stringAt(claim.status, 'phase') === 'Lost') {
        const volume = goQuoted(stringAt(claim.spec, 'volumeName'));
        return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${volume}`;
      }
      if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim ${quoted} is being deleted`;
    }
    const isStuck = this.unbound(pod).some((claim) => !this.isDelayed(claim));
    return isStuck ? 'pod has unbound immediate PersistentVolumeClaims' : undefined;
  }

  /** Returns why the pod cannot run on this node. */
  problemOn(node: ApiObject, pod: ApiObject): string | undefined {
    for (const claim of this.claims(pod).filter(isBound)) {
      const volume = this.binding.volume(stringAt(claim.spec, 'volumeName'));
      if (!volume) return 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
      if (!isReachable(volume, node)) return "node(s) didn't match PersistentVolume's node affinity";
    }
    const isBindable = [...this.choices(node, pod)].every(({ volume, canProvision }) => volume ?? canProvision);
    return isBindable ? undefined : "node(s) didn't find available persistent volumes to bind";
  }

  /** Starts binding the claims of a pod on this node; returns whether all of them are bound. */
  bindOn(node: ApiObject, pod: ApiObject): boolean {
    const choices = [...this.choices(node, pod)];
    for (const { claim, volume } of choices) {
      if (volume) this.binding.reserve(volume, claim);
      else if (claim.metadata.annotations?.[SELECTED_NODE] === undefined) this.requestVolume(claim, node);
    }
    return choices.length === 0;
  }

  private requestVolume(claim: ApiObject, { metadata: { name } }: ApiObject): void {
    this.client.update(this.binding.claims, claim, (old) => annotated(old, { [SELECTED_NODE]: name }));
  }

  /** Returns for each unbound claim a matching volume on the node, or whether one can be provisioned there. */
  private *choices(
    node: ApiObject,
    pod: ApiObject,
  ): Generator<{ claim: ApiObject; volume: ApiObject | undefined; canProvision: boolean }> {
    const taken = new Set<string>();
    for (const claim of this.unbound(pod)) {
      const selected = claim.metadata.annotations?.[SELECTED_NODE];
      const suits = (volume: ApiObject): boolean => !taken.has(volume.metadata.name) && isReachable(volume, node);
      const volume =
        selected === undefined
          ? findMatchingVolume(claim, this.client.list(this.binding.volumes), { suits })
          : undefined;
      if (volume) taken.add(volume.metadata.name);
      const canProvision = selected === undefined ? this.canProvision(claim, node) : selected === node.metadata.name;
      yield { claim, volume, canProvision };
    }
  }

  private canProvision(claim: ApiObject, { metadata }: ApiObject): boolean {
    const storageClass = this.client.get(this.classes, classOf(claim));
    if (!storageClass || stringAt(storageClass, 'provisioner') === NO_PROVISIONER) return false;
    return holdsTopologies(storageClass, metadata.labels);
  }

  private isDelayed(claim: ApiObject): boolean {
    return stringAt(this.client.get(this.classes, classOf(claim)), 'volumeBindingMode') === 'WaitForFirstConsumer';
  }

  private unbound(pod: ApiObject): ApiObject[] {
    return this.claims(pod).filter((claim) => !isBound(claim));
  }

  private claims(pod: ApiObject): ApiObject[] {
    return claimsOfPod(pod)
      .map((name) => this.claim(pod, name))
      .filter((claim) => claim !== undefined);
  }

  private claim({ metadata: { namespace = '' } }: ApiObject, name: string): ApiObject | undefined {
    return this.client.get(this.binding.claims, keyOf(name, namespace));
  }
}

function isBound({ metadata, spec }: ApiObject): boolean {
  return stringAt(spec, 'volumeName') !== '' && metadata.annotations?.[BIND_COMPLETED] !== undefined;
}

function isReachable({ spec }: ApiObject, node: ApiObject): boolean {
  const { required } = objectAt(objectAt({ spec }, 'spec'), 'nodeAffinity');
  return required === undefined || holdsNodeSelector(required, node);
}

function isEphemeral(pod: ApiObject, name: string): boolean {
  const volumes = eachObject(objectAt(pod, 'spec').volumes);
  return volumes.some((volume) => volume.ephemeral !== undefined && ephemeralClaimName(pod, volume) === name);
}

/** Returns whether the node matches one of the class's topologies; a class without topologies matches all nodes. */
function holdsTopologies({ allowedTopologies }: ApiObject, labels: Readonly<Record<string, string>> = {}): boolean {
  const terms = eachObject(allowedTopologies);
  const holds = (term: JsonObject): boolean =>
    eachObject(term.matchLabelExpressions).every((each) =>
      arrayAt(each, 'values').includes(labels[stringAt(each, 'key')]),
    );
  return terms.length === 0 || terms.some(holds);
}
