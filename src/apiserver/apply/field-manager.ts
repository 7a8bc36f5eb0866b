import { StatusError } from '../errors/status-error.js';
import { without, type ApiObject, type JsonObject, type ManagedFieldsEntry } from '../object.js';
import type { MergeType } from '../schema/merge-type.js';
import { formatPath, PathSet } from './path-set.js';
import { ApplyConflicts, Updater, type Managers, type OwnedFields, type ResetFields } from './updater.js';

const MAX_UPDATE_MANAGERS = 10;
const SELF = 'current-operation';

const STRIPPED = PathSet.fromFieldsV1({
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': {
    '.': {},
    'f:name': {},
    'f:namespace': {},
    'f:creationTimestamp': {},
    'f:selfLink': {},
    'f:uid': {},
    'f:clusterName': {},
    'f:generation': {},
    'f:managedFields': {},
    'f:resourceVersion': {},
  },
});

interface Identity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource: string;
  /** Part of the identity of updates only. */
  readonly apiVersion: string;
}

interface Managed {
  readonly managers: Managers;
  readonly times: Map<string, string>;
}

export interface FieldManagerOptions {
  readonly type: MergeType;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly reset: ResetFields;
  /** The present, as metav1.Time. */
  readonly now: string;
  /** What an object of the kind is before it has any field. */
  readonly empty: JsonObject;
}

/** Keeps `metadata.managedFields` for the requests of one endpoint. */
export class FieldManager {
  private readonly updater: Updater;

  constructor(private readonly options: FieldManagerOptions) {
    this.updater = new Updater(options.type, options.apiVersion, options.reset);
  }

  /** `next` with the managedFields it gets when `manager` writes it over `live` (undefined: creates it). */
  update(live: ApiObject | undefined, next: ApiObject, manager: string): ApiObject {
    const managed = this.decodeLiveOrNew(live, next);
    if (managed.managers.size === 0 && live) return withoutManagedFields(next);
    const identity = this.identify(manager, 'Update');
    const [before, after] = [live ? withoutManagedFields(live) : this.options.empty, withoutManagedFields(next)];
    const managers = this.strip(this.updater.update(before, after, managed.managers, SELF));
    const own = managers.get(SELF);
    managers.delete(SELF);
    if (own) {
      const previous = managers.get(identity);
      managers.set(identity, previous ? { ...own, set: previous.set.union(own.set) } : own);
      // What changed through the scale is recorded without a time.
      if (this.options.subresource !== 'scale') managed.times.set(identity, this.options.now);
    }
    return withManagedFields(after, encode(cap({ managers, times: managed.times })));
  }

  /**
   * `live` after `manager` applied `config`; the same object when that changed nothing.
   *
   * @throws StatusError Conflict, naming the fields.
   */
  apply(live: ApiObject, config: ApiObject, manager: string, force: boolean): ApiObject {
    let managed = decode(live.metadata.managedFields);
    const before = withoutManagedFields(live);
    if (managed.managers.size === 0 && live.metadata.uid !== undefined) managed = this.adoptExisting(before);
    const identity = this.identify(manager, 'Apply');
    const { object, managers: applied } = this.tryApply(before, config, managed.managers, identity, force);
    const managers = this.strip(applied);
    if (!object && sameManagers(managed.managers, managers)) return live;
    // An apply that changes ownership alone leaves the time of the entry as it is.
    if (object) managed.times.set(identity, this.options.now);
    return withManagedFields((object ?? before) as ApiObject, encode({ managers, times: managed.times }));
  }

  private tryApply(before: ApiObject, config: ApiObject, managers: Managers, identity: string, force: boolean) {
    try {
      return this.updater.apply(before, withoutManagedFields(config), managers, identity, force);
    } catch (error) {
      throw error instanceof ApplyConflicts ? conflictError(error, managers) : error;
    }
  }

  /** Everything there before the first apply belongs to a manager of its own. */
  private adoptExisting(live: ApiObject): Managed {
    const identity = this.identify('before-first-apply', 'Update');
    const managers = this.strip(this.updater.update(this.options.empty, live, new Map(), identity));
    return { managers, times: new Map([[identity, this.options.now]]) };
  }

  private decodeLiveOrNew(live: ApiObject | undefined, next: ApiObject): Managed {
    const former = live?.metadata.managedFields;
    if (this.options.subresource !== '') return decode(former);
    const given = next.metadata.managedFields;
    if (given?.length === 1 && Object.keys(given[0] ?? {}).length === 0)
      return { managers: new Map(), times: new Map() };
    const managed = decode(given);
    return managed.managers.size === 0 ? decode(former) : managed;
  }

  private identify(manager: string, operation: 'Apply' | 'Update'): string {
    const { apiVersion, subresource } = this.options;
    return JSON.stringify({
      manager: manager === '' ? 'unknown' : manager,
      operation,
      subresource,
      apiVersion: operation === 'Apply' ? '' : apiVersion,
    } satisfies Identity);
  }

  private strip(managers: Managers): Managers {
    const result: Managers = new Map();
    for (const [identity, owned] of managers) {
      const set = owned.set.difference(STRIPPED);
      if (!set.isEmpty) result.set(identity, { ...owned, set });
    }
    return result;
  }
}

function withoutManagedFields(object: ApiObject): ApiObject {
  return { ...object, metadata: without(object.metadata, 'managedFields') };
}

function withManagedFields(object: ApiObject, entries: ManagedFieldsEntry[]): ApiObject {
  if (entries.length === 0) return withoutManagedFields(object);
  return { ...object, metadata: { ...object.metadata, managedFields: entries } };
}

function decode(entries: readonly ManagedFieldsEntry[] | undefined): Managed {
  const managers: Managers = new Map();
  const times = new Map<string, string>();
  for (const entry of entries ?? []) {
    const { manager = '', operation = 'Update', apiVersion = '', subresource = '' } = entry;
    const isApplied = operation === 'Apply';
    const identity = JSON.stringify({
      manager,
      operation,
      subresource,
      apiVersion: isApplied ? '' : apiVersion,
    } satisfies Identity);
    managers.set(identity, { set: PathSet.fromFieldsV1(entry.fieldsV1), apiVersion, isApplied });
    if (entry.time !== undefined) times.set(identity, entry.time);
  }
  return { managers, times };
}

function encode({ managers, times }: Managed): ManagedFieldsEntry[] {
  const entries = [...managers].map(([identity, owned]) => encodeEntry(identity, owned, times.get(identity)));
  return entries.sort(compareEntries);
}

function encodeEntry(identity: string, { set, apiVersion }: OwnedFields, time: string | undefined): ManagedFieldsEntry {
  const { manager, operation, subresource } = JSON.parse(identity) as Identity;
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
    compare(a.operation, b.operation) ||
    compare(a.time, b.time) ||
    compare(a.manager, b.manager) ||
    compare(a.apiVersion, b.apiVersion) ||
    compare(a.subresource, b.subresource)
  );
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Merges the oldest updaters into one entry per version when there are too many. */
function cap({ managers, times }: Managed): Managed {
  const updaters = [...managers.keys()].filter((identity) => managers.get(identity)?.isApplied === false);
  let surplus = updaters.length - MAX_UPDATE_MANAGERS;
  if (surplus <= 0) return { managers, times };
  updaters.sort((a, b) => compare(times.get(a), times.get(b)) || compare(a, b));
  const first = new Map<string, string>();
  for (const identity of updaters) {
    const owned = managers.get(identity);
    if (surplus <= 0 || !owned) break;
    const { apiVersion } = owned;
    const bucket = JSON.stringify({
      manager: 'ancient-changes',
      operation: 'Update',
      subresource: '',
      apiVersion,
    } satisfies Identity);
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

function sameManagers(a: Managers, b: Managers): boolean {
  return a.size === b.size && [...a].every(([identity, owned]) => b.get(identity)?.set.equals(owned.set) === true);
}

function conflictError({ conflicts }: ApplyConflicts, managers: Managers): StatusError {
  const causes = [...conflicts]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([identity, set]) =>
      [...set.paths()].map((path) => conflictCause(identity, managers.get(identity)?.apiVersion ?? '', path)),
    );
  const [only] = causes;
  if (causes.length === 1 && only) {
    return new StatusError(409, 'Conflict', `Apply failed with 1 conflict: ${only.message}: ${only.field}`, { causes });
  }
  const lines = [...Map.groupBy(causes, ({ message }) => message)].flatMap(([message, group]) => [
    `${message.replace('conflict', 'conflicts')}:`,
    ...group.map(({ field }) => `- ${field}`),
  ]);
  const text = `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
  return new StatusError(409, 'Conflict', text, { causes });
}

function conflictCause(identity: string, version: string, path: readonly string[]) {
  const { manager, subresource, operation } = JSON.parse(identity) as Identity;
  const quoted =
    JSON.stringify(manager) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  const using = operation === 'Update' ? ` using ${version}` : '';
  return { reason: 'FieldManagerConflict', message: `conflict with ${quoted}${using}`, field: formatPath(path) };
}
