import { matchesSelector, type LabelSelector } from '../../../api/label-selector.js';
import { controllerOf } from '../../../api/owner-reference.js';
import type { ApiObject } from '../../object.js';
import type { Resource } from '../../resources/resource.js';
import { controlledBy, type ClusterClient } from '../cluster-client.js';
import { isPodActive } from '../pod-control.js';

/** Who owns which pods by its selector, as controller.PodControllerRefManager has it. */
export class PodClaims {
  constructor(
    private readonly client: ClusterClient,
    private readonly pods: Resource,
    private readonly owners: Resource,
    private readonly selectorOf: (owner: ApiObject) => LabelSelector,
  ) {}

  /** Takes in orphans that the owner's selector matches, and lets go of its pods that it matches no more. */
  settle(owner: ApiObject): void {
    if (owner.metadata.deletionTimestamp !== undefined) return;
    for (const pod of [...this.client.list(this.pods, owner.metadata.namespace)]) {
      if (!isPodActive(pod)) continue;
      const { uid } = controllerOf(pod) ?? {};
      const isMatch = matchesSelector(this.selectorOf(owner), pod.metadata.labels);
      if (uid === undefined && isMatch) this.adopt(owner, pod);
      else if (uid === owner.metadata.uid && !isMatch) this.release(owner, pod);
    }
  }

  /** The owners that may want a pod nobody controls. */
  *ownersOf(pod: ApiObject): Generator<ApiObject> {
    if (controllerOf(pod)) return;
    for (const owner of this.client.list(this.owners, pod.metadata.namespace))
      if (matchesSelector(this.selectorOf(owner), pod.metadata.labels)) yield owner;
  }

  private adopt(owner: ApiObject, pod: ApiObject): void {
    const reference = controlledBy(this.owners, owner);
    this.client.update(this.pods, pod, (old) => ({
      ...old,
      metadata: { ...old.metadata, ownerReferences: [...(old.metadata.ownerReferences ?? []), reference] },
    }));
  }

  private release(owner: ApiObject, pod: ApiObject): void {
    this.client.update(this.pods, pod, (old) => ({
      ...old,
      metadata: {
        ...old.metadata,
        ownerReferences: (old.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid),
      },
    }));
  }
}
