import type { ManagedFieldsEntry } from '../objects/api-object.js';
import { PathSet } from './path-set.js';
import type { Managers, OwnedFields } from './updater.js';

/** The properties that distinguish the entries of `metadata.managedFields`. */
export interface Identity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource: string;
  /** Part of the identity for updates only. */
  readonly apiVersion: string;
}

/** Decoded `metadata.managedFields`. */
export interface Managed {
  readonly managers: Managers;
  readonly times: Map<string, string>;
}

/** Returns the key of an identity in a map of managers. */
export function managerKey(identity: Identity): string {
  return JSON.stringify(identity);
}

export function parseManagerKey(key: string): Identity {
  return JSON.parse(key) as Identity;
}

export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): Managed {
  const managers: Managers = new Map();
  const times = new Map<string, string>();
  for (const entry of entries ?? []) {
    const { manager = '', operation = 'Update', apiVersion = '', subresource = '' } = entry;
    const isApplied = operation === 'Apply';
    const identity = managerKey({ manager, operation, subresource, apiVersion: isApplied ? '' : apiVersion });
    managers.set(identity, { set: PathSet.fromFieldsV1(entry.fieldsV1), apiVersion, isApplied });
    if (entry.time !== undefined) times.set(identity, entry.time);
  }
  return { managers, times };
}

export function encodeManagedFields({ managers, times }: Managed): ManagedFieldsEntry[] {
  const entries = [...managers].map(([identity, owned]) => encodeEntry(identity, owned, times.get(identity)));
  return entries.sort(compareEntries);
}

function encodeEntry(identity: string, { set, apiVersion }: OwnedFields, time: string | undefined): ManagedFieldsEntry {
  const { manager, operation, subresource } = parseManagerKey(identity);
  return {
    ...(manager !== '' && { manager }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: set.toFieldsV1(),
    ...(subresource !== '' && { subresource }),
  };
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareTexts(a.operation, b.operation) ||
    compareTexts(a.time, b.time) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

export function compareTexts(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const MAX_UPDATE_MANAGERS = 10;

/** Merges the oldest update managers into one entry per version if there are too many. */
export function capManagers({ managers, times }: Managed): Managed {
  const updaters = [...managers.keys()].filter((identity) => managers.get(identity)?.isApplied === false);
  let surplus = updaters.length - MAX_UPDATE_MANAGERS;
  if (surplus <= 0) return { managers, times };
  updaters.sort((a, b) => compareTexts(times.get(a), times.get(b)) || compareTexts(a, b));
  const first = new Map<string, string>();
  for (const identity of updaters) {
    const owned = managers.get(identity);
    if (surplus <= 0 || !owned) break;
    const { apiVersion } = owned;
    const bucket = managerKey({ manager: 'ancient-changes', operation: 'Update', subresource: '', apiVersion });
    const earlier = first.get(apiVersion);
    if (earlier === undefined) {
      first.set(apiVersion, identity);
      continue;
    }
    const base = managers.get(bucket) ?? managers.get(earlier);
    managers.delete(earlier);
    managers.delete(identity);
    managers.set(bucket, { ...owned, set: base ? base.set.union(owned.set) : owned.set });
    times.set(bucket, times.get(identity) ?? '');
    surplus--;
  }
  return { managers, times };
}
