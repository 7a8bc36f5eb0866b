import { StatusError } from '../errors/status-error.js';
import { objectAt, without, type ApiObject, type JsonObject, type ManagedFieldsEntry } from '../objects/api-object.js';
import {
  decodeManagedFields,
  encodeManagedFields,
  managerKey,
  type Managed,
  compareTexts,
  parseManagerKey,
  capManagers,
} from './managed-fields.js';
import { allowedConflicts, configurationText, LAST_APPLIED } from './last-applied.js';
import { ListItemError } from './list-item.js';
import { isFieldsV1 } from './fields-v1.js';
import { PathSet, formatPath } from './path-set.js';
import { kindText } from './kind-text.js';
import { problemsText, typedProblems } from './typed-problems.js';
import { ApplyConflicts, Updater, type Managers, type UpdaterOptions } from './updater.js';
import { goQuoted } from '../../base/go-quoted.js';

/** The field manager that keeps the last-applied annotation of client-side apply up to date. */
const KUBECTL = 'kubectl';
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

export interface FieldManagerOptions extends UpdaterOptions {
  readonly subresource: string;
  /** The current time as metav1.Time. */
  readonly now: string;
  /** True if decoding has validated the objects against the type. */
  readonly isChecked: boolean;
  /** Returns the object as it is encoded; its fields are tracked in this form. */
  readonly encode: (object: ApiObject) => JsonObject;
  /** An object of the kind without any fields. */
  readonly empty: JsonObject;
}

/** Maintains `metadata.managedFields` for the requests of one endpoint. */
export class FieldManager {
  private readonly updater: Updater;

  constructor(private readonly options: FieldManagerOptions) {
    this.updater = new Updater(options);
  }

  /**
   * Returns `next` with the managedFields that result when `manager` replaces `live` with it; undefined `live` creates
   * it.
   */
  update(live: ApiObject | undefined, next: ApiObject, manager: string): ApiObject {
    const managed = this.decodeLiveOrNew(live, next);
    if (managed.managers.size === 0 && live) return withoutManagedFields(next);
    const identity = this.identify(manager, 'Update');
    const [before, after] = [live ? withoutManagedFields(live) : this.options.empty, withoutManagedFields(next)];
    const updated = this.tryUpdate(before, this.options.encode(after), managed.managers);
    if (!updated) return after;
    const managers = strip(updated, SELF);
    const own = managers.get(SELF);
    managers.delete(SELF);
    if (own) {
      const previous = managers.get(identity);
      managers.set(identity, previous ? { ...own, set: previous.set.union(own.set) } : own);
      managed.times.set(identity, this.options.now);
    }
    return withManagedFields(after, encodeManagedFields(capManagers({ managers, times: managed.times })));
  }

  /**
   * Returns undefined when the object cannot be tracked because it does not match its type or a manager's version; it
   * is then stored without managedFields.
   */
  private tryUpdate(before: JsonObject, after: JsonObject, managers: Managers): Managers | undefined {
    const { type, isChecked } = this.options;
    if (!isChecked && [before, after].some((object) => typedProblems(type, object, true).length > 0)) return undefined;
    try {
      return this.updater.update(before, after, managers, SELF);
    } catch (error) {
      if (error instanceof ListItemError || error instanceof StatusError) return undefined;
      throw error;
    }
  }

  /**
   * Returns `live` after `manager` applied `config`, or the same object if nothing changed.
   * @throws StatusError Conflict that lists the conflicting fields
   */
  apply(live: ApiObject, config: JsonObject, manager: string, force: boolean): ApiObject {
    const former = decodeManagedFields(live.metadata.managedFields);
    let managed = former;
    const before = withoutManagedFields(live);
    if (managed.managers.size === 0 && live.metadata.uid !== undefined) managed = this.adoptExisting(before);
    const identity = this.identify(manager, 'Apply');
    const isKubectl = manager === KUBECTL;
    const { object, managers: applied } = this.tryApply(before, config, managed.managers, identity, {
      force,
      isKubectl,
    });
    const managers = strip(applied, identity);
    const result = isKubectl ? withLastApplied(object ?? before, config) : (object ?? before);
    if (result === before && isListOf(former, live) && sameManagers(former.managers, managers)) return live;
    // An apply that changes only the ownership keeps the time of the entry.
    if (object) managed.times.set(identity, this.options.now);
    return withManagedFields(result as ApiObject, encodeManagedFields({ managers, times: managed.times }));
  }

  private tryApply(
    before: ApiObject,
    config: JsonObject,
    managers: Managers,
    identity: string,
    { force, isKubectl }: { force: boolean; isKubectl: boolean },
  ): ReturnType<Updater['apply']> {
    try {
      return this.updater.apply(before, config, managers, identity, force);
    } catch (error) {
      if (!(error instanceof ApplyConflicts)) throw error;
      const { type, apiVersion } = this.options;
      const rest = error.without((isKubectl && allowedConflicts(type, apiVersion, before)) || new PathSet());
      if (rest) throw conflictError(rest, managers);
      return this.updater.apply(before, config, managers, identity, true);
    }
  }

  /** @throws StatusError when the live object has no managers and its fields cannot be assigned to one */
  assertLive(live: ApiObject): void {
    if ((live.metadata.managedFields?.length ?? 0) > 0 || live.metadata.uid === undefined) return;
    const problems = typedProblems(this.options.type, live, true);
    if (problems.length > 0) throw new StatusError(500, '', unmergeable(live, problems));
  }

  /** @throws StatusError when the live object does not match its type, so that it cannot be merged */
  assertMergeable(live: ApiObject): void {
    if (live.metadata.uid === undefined) return;
    const problems = typedProblems(this.options.type, live, true);
    if (problems.length === 0) return;
    const why = `failed to create typed live object (${nameOf(live)}): ${problemsText(problems)}`;
    throw new StatusError(500, '', why);
  }

  /** Assigns all existing fields to the manager before-first-apply. */
  private adoptExisting(live: ApiObject): Managed {
    const identity = this.identify('before-first-apply', 'Update');
    const managers = strip(this.updater.update(this.options.empty, live, new Map(), identity), identity);
    return { managers, times: new Map([[identity, this.options.now]]) };
  }

  private decodeLiveOrNew(live: ApiObject | undefined, next: ApiObject): Managed {
    const former = live?.metadata.managedFields;
    if (this.options.subresource !== '') return decodeManagedFields(former);
    const given = next.metadata.managedFields;
    if (given && isReset(given)) return { managers: new Map(), times: new Map() };
    if (!given?.every(isReadable)) return decodeManagedFields(former);
    const managed = decodeManagedFields(given);
    return managed.managers.size === 0 ? decodeManagedFields(former) : managed;
  }

  private identify(manager: string, operation: 'Apply' | 'Update'): string {
    const { apiVersion, subresource } = this.options;
    return managerKey({
      manager: manager === '' ? 'unknown' : manager,
      operation,
      subresource,
      apiVersion: operation === 'Apply' ? '' : apiVersion,
    });
  }
}

/** The error of a live object that was not created by an apply and does not match its type. */
function unmergeable(live: ApiObject, problems: readonly string[]): string {
  const why = `failed to convert new object (${nameOf(live)}) to smd typed: ${problemsText(problems)}`;
  return `failed to create manager for existing fields: ${why}`;
}

function nameOf({ apiVersion, kind, metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}; ${kindText(apiVersion, kind)}`;
}

/** An empty list or a single empty entry resets all managers. */
function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  return entries.every((entry) => Object.keys(entry).length === 0) && entries.length <= 1;
}

/** Returns whether an entry is valid; invalid entries are ignored. */
function isReadable({ operation, apiVersion = '', fieldsType, fieldsV1 }: ManagedFieldsEntry): boolean {
  const isKnown = (operation === 'Apply' || operation === 'Update') && apiVersion !== '' && fieldsType === 'FieldsV1';
  return isKnown && isFieldsV1(fieldsV1 ?? {});
}

/** Removes fields that are never tracked from a manager's set; other entries stay as a client wrote them. */
function strip(managers: Managers, identity: string): Managers {
  const owned = managers.get(identity);
  if (!owned) return managers;
  const set = owned.set.difference(STRIPPED);
  const result = new Map(managers);
  if (set.isEmpty) result.delete(identity);
  else result.set(identity, { ...owned, set });
  return result;
}

function withoutManagedFields(object: ApiObject): ApiObject {
  return { ...object, metadata: without(object.metadata, 'managedFields') };
}

export function withManagedFields(object: ApiObject, entries: ManagedFieldsEntry[]): ApiObject {
  if (entries.length === 0) return withoutManagedFields(object);
  return { ...object, metadata: { ...object.metadata, managedFields: entries } };
}

/** Returns the object with its last-applied annotation updated, if it has one. */
function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const annotations = objectAt(metadata, 'annotations');
  const present = annotations[LAST_APPLIED];
  const text = configurationText(config);
  if (present === undefined || present === '' || present === text) return object;
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: text } } };
}

/** Returns whether each manager has exactly one entry; duplicates are merged when encoded. */
function isListOf({ managers }: Managed, { metadata }: ApiObject): boolean {
  return managers.size === (metadata.managedFields?.length ?? 0);
}

function sameManagers(a: Managers, b: Managers): boolean {
  return (
    a.size === b.size &&
    [...a].every(([identity, { set, apiVersion }]) => {
      const other = b.get(identity);
      return other?.apiVersion === apiVersion && other.set.equals(set);
    })
  );
}

/** The conflict error of an apply, with each field and the manager that owns it. */
function conflictError({ conflicts }: ApplyConflicts, managers: Managers): StatusError {
  const causes = [...conflicts]
    .sort(([a], [b]) => compareTexts(a, b))
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
  const { manager, subresource, operation } = parseManagerKey(identity);
  const quoted = goQuoted(manager) + (subresource === '' ? '' : ` with subresource ${goQuoted(subresource)}`);
  const using = operation === 'Update' ? ` using ${version}` : '';
  return { reason: 'FieldManagerConflict', message: `conflict with ${quoted}${using}`, field: formatPath(path) };
}
