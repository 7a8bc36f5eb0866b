import type { ChangeLog } from './change-log.js';
import { compareDefinitionVersions } from './compare-definition-versions.js';
import type { CustomResourceDefinition } from '../api/kinds/kinds.js';
import { storageChange, type StorageChange } from './storage-changes.js';
import type { DefinitionNames, DefinitionVersion } from '../api/kinds/definition-parts.js';

/** Compares two versions of one definition: its names, scope, conversion and versions. */
export function compareDefinitions(
  published: CustomResourceDefinition,
  definition: CustomResourceDefinition,
  log: ChangeLog,
): void {
  const [{ spec: old }, { spec: next }] = [published, definition];
  if (old.scope !== next.scope) log.add('breaking', `scope changed to ${next.scope}, was ${old.scope}`);
  compareAllNames(old.names, next.names, log);
  compareConversion(old.conversion?.strategy ?? 'None', next.conversion?.strategy ?? 'None', log);
  compareStorage(storageChange(published, definition), log);
  for (const version of old.versions) compareVersion(version, find(next.versions, version.name), log.in(version.name));
  for (const { name } of next.versions) if (!find(old.versions, name)) log.in(name).add('safe', 'version added');
}

function compareAllNames(old: DefinitionNames, next: DefinitionNames, log: ChangeLog): void {
  if (old.kind !== next.kind) log.add('breaking', `kind changed to ${next.kind}, was ${old.kind}`);
  for (const name of ['singular', 'listKind'] as const) {
    const was = old[name];
    if (was !== undefined && was !== next[name]) log.add('tightening', `${name} is no longer ${was}`);
  }
  compareNames('short name', old.shortNames, next.shortNames, log);
  compareNames('category', old.categories, next.categories, log);
}

function compareNames(what: string, old: readonly string[] = [], next: readonly string[] = [], log: ChangeLog): void {
  for (const name of old) if (!next.includes(name)) log.add('tightening', `${what} removed: ${name}`);
  for (const name of next) if (!old.includes(name)) log.add('safe', `${what} added: ${name}`);
}

function compareConversion(old: string, next: string, log: ChangeLog): void {
  if (old !== next)
    log.add(next === 'None' ? 'breaking' : 'safe', `conversion strategy changed to ${next}, was ${old}`);
}

function compareStorage(change: StorageChange | undefined, log: ChangeLog): void {
  if (!change || change.isRemoved) return;
  log.add(
    'safe',
    `storage version changes from ${change.from} to ${change.to}: each object is converted when it is next written`,
  );
}

function compareVersion(old: DefinitionVersion, next: DefinitionVersion | undefined, log: ChangeLog): void {
  if (!next && old.storage) log.add('breaking', 'storage version removed');
  else if (!next && old.served) log.add('breaking', 'version removed');
  else if (!next) log.add('safe', 'unserved version removed');
  else compareDefinitionVersions(old, next, log);
}

function find(versions: readonly DefinitionVersion[], name: string): DefinitionVersion | undefined {
  return versions.find((version) => version.name === name);
}
