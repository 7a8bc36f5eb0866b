import type { ApiObject, ManagedFieldsEntry } from '../object.js';
import {
  decodeManagedFields,
  encodeManagedFields,
  managerKey,
  parseManagerKey,
  type Managed,
} from './managed-fields.js';
import { PathSet } from './path-set.js';
import type { Managers, OwnedFields } from './updater.js';

const SCALE_VERSION = 'autoscaling/v1';

export interface ScaleChange {
  /** Where the object's replicas stand. */
  readonly path: readonly string[];
  readonly apiVersion: string;
  readonly manager: string;
  readonly isChanged: boolean;
  /** Whether there are replicas afterwards: none is how a scale says 0, and nobody owns it. */
  readonly isSet: boolean;
}

/**
 * `metadata.managedFields` after a write through the scale: who owned the replicas is carried over to the scale's
 * version, written there, and carried back, as scalehandler.go does. What comes back under another key has lost its time.
 */
export function scaleManagedFields({ metadata }: ApiObject, change: ScaleChange): ManagedFieldsEntry[] {
  const parent = decodeManagedFields(metadata.managedFields);
  const replicas = new PathSet();
  replicas.insert(change.path.map((part) => `f:${part}`));
  const owners = ownersOf(parent, replicas);
  if (change.isChanged && owners.size > 0) {
    owners.clear();
    const { manager, apiVersion, isSet } = change;
    const key = managerKey({ manager, operation: 'Update', subresource: 'scale', apiVersion: SCALE_VERSION });
    if (isSet) owners.set(key, { set: replicas, apiVersion, isApplied: false });
  }
  return encodeManagedFields(carriedBack(parent, owners, replicas, change.apiVersion));
}

/** The managers that own the replicas, by the keys they have in the scale's version. */
function ownersOf({ managers }: Managed, replicas: PathSet): Managers {
  const owners: Managers = new Map();
  for (const [key, owned] of managers) {
    if (owned.set.intersection(replicas).isEmpty) continue;
    const identity = parseManagerKey(key);
    const apiVersion = identity.operation === 'Apply' ? '' : SCALE_VERSION;
    owners.set(managerKey({ ...identity, apiVersion }), owned);
  }
  return owners;
}

function carriedBack({ managers, times }: Managed, owners: Managers, replicas: PathSet, apiVersion: string): Managed {
  const result: Managers = new Map();
  const rest = new Map(owners);
  for (const [key, owned] of managers) {
    const kept = rest.delete(key) ? owned : withoutPath(owned, replicas);
    if (!kept.set.isEmpty) result.set(key, kept);
  }
  for (const [key, { isApplied }] of rest) result.set(key, { set: replicas, apiVersion, isApplied });
  return { managers: result, times };
}

function withoutPath(owned: OwnedFields, path: PathSet): OwnedFields {
  return owned.set.intersection(path).isEmpty ? owned : { ...owned, set: owned.set.difference(path) };
}
