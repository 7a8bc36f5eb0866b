import type { OwnerReference } from '../../../api/objects/kube-object.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { objectAt, type ApiObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { controlledBy } from '../cluster-client.js';

/** A StatefulSet and one of its pods, the possible owners of the pod's claims. */
export interface ClaimOwners {
  readonly sets: Resource;
  readonly set: ApiObject;
  readonly pods: Resource;
  readonly pod: ApiObject;
  /** The pod exceeds the set's desired number of replicas. */
  readonly isSurplus: boolean;
}

/**
 * Returns the owner references of a claim by its set's `persistentVolumeClaimRetentionPolicy`; undefined when
 * unchanged.
 */
export function retainedBy(claim: ApiObject, owners: ClaimOwners): OwnerReference[] | undefined {
  const { sets, set, pods, pod, isSurplus } = owners;
  const { whenDeleted, whenScaled } = objectAt(set.spec, 'persistentVolumeClaimRetentionPolicy');
  const references = claim.metadata.ownerReferences ?? [];
  const isTo = (resource: Resource, object: ApiObject, { kind, apiVersion, name }: OwnerReference): boolean =>
    kind === resource.kind && apiVersion === resource.apiVersion && name === object.metadata.name;
  const isSetOrPod = (reference: OwnerReference): boolean => isTo(sets, set, reference) || isTo(pods, pod, reference);
  const isOfFormer = ({ uid }: OwnerReference): boolean => uid !== set.metadata.uid && uid !== pod.metadata.uid;
  if (references.some((reference) => isSetOrPod(reference) && isOfFormer(reference))) return undefined;
  const others = references.filter((reference) => !isSetOrPod(reference));
  const hasController = others.some(({ controller }) => controller === true);
  const isPods = whenScaled === 'Delete' && isSurplus;
  const isSets = whenDeleted === 'Delete' && !isPods;
  const own = [...(isPods ? [controlledBy(pods, pod)] : []), ...(isSets ? [controlledBy(sets, set)] : [])];
  const wanted = hasController ? others : [...others, ...own];
  return deepEqual(wanted, references) ? undefined : wanted;
}
