import { deepEqual } from '../../base/deep-equal.js';
import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import { kindLocation } from './kind-location.js';
import type { VersionSettings } from './version-settings.js';

/** A class that is one version of a kind. */
interface KindVersion {
  readonly target: Location['target'];
  readonly className: string;
  readonly kind: KindRef;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly version: VersionSettings;
  readonly isReconciled: boolean;
  readonly definesKind: boolean;
}

/** Groups the classes that define a kind by kind; versions are in the order of `versionOrder`, by default of their names. */
export function byKind<V extends KindVersion>(versions: readonly V[]): V[][] {
  const defining = versions.filter(({ definesKind }) => definesKind);
  const groups = Map.groupBy(defining, ({ kind }) => resourceName({ group: kind.group, plural: kind.kind }));
  return [...groups.values()].map(inOrder);
}

/** The storage version: the one with `storage: true`, otherwise the only one, otherwise the one that reconciles. */
export function storedVersion<V extends KindVersion>(versions: readonly V[]): V | undefined {
  const possible = versions.filter(({ version }) => version.storage !== false);
  const [only] = versions.length === 1 ? possible : possible.filter(({ isReconciled }) => isReconciled);
  return possible.find(({ version }) => version.storage === true) ?? only;
}

function inOrder<V extends KindVersion>(versions: readonly V[]): V[] {
  const byName = versions.toSorted((a, b) => (a.kind.version < b.kind.version ? -1 : 1));
  const order = orderOf(versions);
  return order ? byName.toSorted((a, b) => order.indexOf(a.kind.version) - order.indexOf(b.kind.version)) : byName;
}

function orderOf(versions: readonly KindVersion[]): readonly string[] | undefined {
  return versions.map(({ version }) => version.versionOrder).find((order) => order !== undefined);
}

/** Adds diagnostics where the versions of a kind do not make up one CustomResourceDefinition. */
export function collectVersions(models: readonly KindVersion[], diagnostics: Diagnostics): void {
  for (const versions of byKind(models).filter(areDistinct)) {
    collectStorage(versions, diagnostics);
    collectAgreement(versions, diagnostics);
    collectOrder(versions, diagnostics);
    const [, second] = versions.filter(({ isReconciled }) => isReconciled);
    if (second)
      diagnostics.add(
        { target: second.target, member: 'reconcile' },
        `is defined in several versions of ${second.kind.kind}, and each would reconcile every object`,
        `keep one; remove reconcile from the other class`,
      );
  }
}

/** Two classes of the same version are a duplicate kind, which is reported separately. */
function areDistinct(versions: readonly KindVersion[]): boolean {
  return new Set(versions.map(({ kind }) => kind.version)).size === versions.length;
}

function collectStorage(versions: readonly KindVersion[], diagnostics: Diagnostics): void {
  const [first, ...others] = versions;
  if (!first) return;
  if (others.length === 0) {
    if (first.version.storage === false)
      diagnostics.add(
        kindLocation(first.target),
        '@Kind: the only version is not the storage version',
        'remove storage: false',
      );
    return;
  }
  if (!storedVersion(versions))
    diagnostics.add(
      kindLocation(first.target),
      `@Kind: versions ${versions.map(({ kind }) => kind.version).join(', ')} of ${first.kind.kind} have no storage version`,
      'set storage: true in one of them',
    );
  const stored = versions.filter(({ version }) => version.storage === true);
  for (const { target } of stored.slice(1))
    diagnostics.add(
      kindLocation(target),
      `@Kind: both this class and ${stored[0]?.className} have storage: true`,
      'set storage: true in only one',
    );
}

function collectOrder(versions: readonly KindVersion[], diagnostics: Diagnostics): void {
  for (const { target, version } of versions) {
    const names = versions.map(({ kind }) => kind.version);
    if (version.versionOrder && !deepEqual(version.versionOrder.toSorted(), names.toSorted()))
      diagnostics.add(
        kindLocation(target),
        `@Kind: versionOrder lists ${version.versionOrder.join(', ')}, but the versions are ${names.join(', ')}`,
        `versionOrder: [${names.map((name) => `'${name}'`).join(', ')}]`,
      );
  }
}

/** Settings that all versions share; each class may omit them. */
function sharedSettings(model: KindVersion) {
  const { kind, singular, listKind, shortNames, categories, annotations, labels, version } = model;
  return {
    plural: kind.plural,
    scope: kind.scope,
    singular: singular === kind.kind.toLowerCase() ? undefined : singular,
    listKind: listKind === `${kind.kind}List` ? undefined : listKind,
    shortNames: unlessEmpty(shortNames),
    categories: unlessEmpty(categories),
    annotations: unlessEmpty(annotations),
    labels: unlessEmpty(labels),
    conversion: version.conversion,
    preserveUnknownFields: version.preserveUnknownFields,
    versionOrder: version.versionOrder,
  };
}

function collectAgreement(versions: readonly KindVersion[], diagnostics: Diagnostics): void {
  const said = new Map<string, readonly [value: unknown, className: string]>();
  for (const model of versions) {
    for (const [setting, value] of Object.entries(sharedSettings(model))) {
      const [former, owner] = said.get(setting) ?? [value, model.className];
      if (value === undefined) continue;
      said.set(setting, [former, owner]);
      if (!deepEqual(former, value))
        diagnostics.add(
          kindLocation(model.target),
          `@Kind: ${setting} differs from ${owner}, which is a version of the same kind`,
          `use the same ${setting} in both`,
        );
    }
  }
}

function unlessEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
