import { keyOf } from '../../api/objects/object-key.js';
import { goQuoted } from '../../base/go-quoted.js';
import { controllerOf } from '../../api/kinds/owner-reference.js';
import type { OwnerReference } from '../../api/objects/kube-object.js';
import { valueAt, type ApiObject } from '../objects/api-object.js';
import type { ClusterClient } from './cluster-client.js';

/** The number of pods expected by the controllers of a set of pods. */
export interface ExpectedPods {
  readonly expected: number;
  readonly hasUnmanaged: boolean;
}

/** The expected number of pods cannot be determined. */
export class UnknownScaleError extends Error {}

/**
 * Returns the sum of the scales of the pods' controllers.
 *
 * @throws UnknownScaleError if a controller has no scale or is missing.
 */
export function expectedPods(client: ClusterClient, pods: readonly ApiObject[]): ExpectedPods {
  const scales = new Map<string, number>();
  const known = new Set<string>();
  let hasUnmanaged = false;
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (!owner) hasUnmanaged = true;
    else if (!known.has(owner.uid)) {
      known.add(owner.uid);
      const { uid, scale } = scaleOf(client, owner, pod);
      scales.set(uid, scale);
    }
  }
  return { expected: [...scales.values()].reduce((sum, scale) => sum + scale, 0), hasUnmanaged };
}

/** Returns the controller and its scale: the Deployment if the owner is one of its ReplicaSets. */
function scaleOf(client: ClusterClient, owner: OwnerReference, pod: ApiObject): { uid: string; scale: number } {
  const { namespace = '', name } = pod.metadata;
  const controller = controllerIn(client, owner, namespace);
  if (!controller) throw new UnknownScaleError(`found no controllers for pod ${goQuoted(name)}`);
  const above = owner.kind === 'ReplicaSet' ? controllerOf(controller.object) : undefined;
  const deployment = above?.kind === 'Deployment' ? controllerIn(client, above, namespace) : undefined;
  const { object, replicas } = deployment ?? controller;
  return { uid: object.metadata.uid ?? '', scale: replicas };
}

interface Controller {
  readonly object: ApiObject;
  readonly replicas: number;
}

function controllerIn(client: ClusterClient, owner: OwnerReference, namespace: string): Controller | undefined {
  const { apiVersion, kind, name, uid } = owner;
  const resource = client.api.resources.ofKind(apiVersion, kind);
  if (!resource)
    throw new UnknownScaleError(`no matches for kind ${goQuoted(kind)} in version ${goQuoted(apiVersion)}`);
  const { group, plural, scale } = resource;
  if (!scale)
    throw new UnknownScaleError(
      `${group === '' ? plural : `${plural}.${group}`} does not implement the scale subresource`,
    );
  const object = client.get(resource, resource.namespaced ? keyOf(name, namespace) : name);
  if (object?.metadata.uid !== uid) return undefined;
  return { object, replicas: Number(valueAt(object, scale.specReplicas) ?? 0) };
}
