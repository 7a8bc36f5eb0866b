import type { ManagedFieldsEntry } from '../objects/api-object.js';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.js';
import { PathSet } from './path-set.js';
import type { Managers, OwnedFields } from './updater.js';

/** Returns the path of the replicas in a version: null if objects have no scale, undefined for an unknown version. */
export type ReplicasIn = (apiVersion: string) => readonly string[] | null | undefined;

const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS_OF_SCALE = pathSet(['spec', 'replicas']);

/**
 * Returns the `metadata.managedFields` of a scale, with the owners of the replicas, as scalehandler.go converts them.
 */
export function scaleManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  replicasIn: ReplicasIn,
): ManagedFieldsEntry[] {
  const { managers, times } = decodeManagedFields(entries);
  const owners: Managers = new Map();
  for (const [key, owned] of managers)
    if (ownedReplicas(owned, replicasIn))
      owners.set(key, { set: REPLICAS_OF_SCALE, apiVersion: SCALE_VERSION, isApplied: owned.isApplied });
  return encodeManagedFields({ managers: owners, times });
}

/**
 * Returns the `metadata.managedFields` of an object after a write through its scale. `ofScale` are the entries of the
 * scale. An entry loses its time if its key changes, because the version is part of an update's key.
 * @param apiVersion of the object
 */
export function scaledManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  ofScale: readonly ManagedFieldsEntry[] | undefined,
  { replicasIn, apiVersion }: { readonly replicasIn: ReplicasIn; readonly apiVersion: string },
): ManagedFieldsEntry[] {
  const { managers, times } = decodeManagedFields(entries);
  const owners = decodeManagedFields(ofScale).managers;
  const result: Managers = new Map();
  for (const [key, owned] of managers) {
    if (replicasIn(owned.apiVersion) === undefined) continue;
    const replicas = ownedReplicas(owned, replicasIn);
    const kept = replicas && !owners.delete(key) ? { ...owned, set: owned.set.difference(replicas) } : owned;
    if (!kept.set.isEmpty) result.set(key, kept);
  }
  const set = pathSet(replicasIn(apiVersion) ?? []);
  for (const [key, owned] of owners)
    if (!owned.set.intersection(REPLICAS_OF_SCALE).isEmpty)
      result.set(key, { set, apiVersion, isApplied: owned.isApplied });
  return encodeManagedFields({ managers: result, times });
}

/** Returns the replicas path if it is owned. */
function ownedReplicas({ set, apiVersion }: OwnedFields, replicasIn: ReplicasIn): PathSet | undefined {
  const replicas = pathSet(replicasIn(apiVersion) ?? []);
  return set.intersection(replicas).isEmpty ? undefined : replicas;
}

function pathSet(path: readonly string[]): PathSet {
  const set = new PathSet();
  if (path.length > 0) set.insert(path.map((part) => `f:${part}`));
  return set;
}
