import { deepEqual } from '../../base/deep-equal.js';
import { resourceName, type KindRef } from '../../api/kind-ref.js';
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
}

/** The versions of each kind, in the order of their names where none of them says another. */
export function byKind<V extends KindVersion>(versions: readonly V[]): V[][] {
  const groups = Map.groupBy(versions, ({ kind }) => resourceName({ group: kind.group, plural: kind.kind }));
  return [...groups.values()].map(inOrder);
}

/** The version that objects are stored in: the one that says so, else the only one, else the one that reconciles. */
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

/** Checks that classes which are versions of one kind make up one CustomResourceDefinition. */
export function checkVersions(models: readonly KindVersion[], diagnostics: Diagnostics): void {
  for (const versions of byKind(models).filter(areDistinct)) {
    checkStorage(versions, diagnostics);
    checkAgreement(versions, diagnostics);
    checkOrder(versions, diagnostics);
    const [, second] = versions.filter(({ isReconciled }) => isReconciled);
    if (second)
      diagnostics.add(
        { target: second.target, member: 'reconcile' },
        `is there for more than one version of ${second.kind.kind}, and each would reconcile every object`,
        `keep one, and make the other class abstract without reconcile`,
      );
  }
}

/** Two classes of the same version are no versions of one kind, but one kind too many. */
function areDistinct(versions: readonly KindVersion[]): boolean {
  return new Set(versions.map(({ kind }) => kind.version)).size === versions.length;
}

function checkStorage(versions: readonly KindVersion[], diagnostics: Diagnostics): void {
  const [first, ...others] = versions;
  if (!first) return;
  if (others.length === 0) {
    if (first.version.storage === false)
      diagnostics.add(kindLocation(first.target), '@Kind: its only version is not stored', 'remove storage');
    return;
  }
  if (!storedVersion(versions))
    diagnostics.add(
      kindLocation(first.target),
      `@Kind: none of the versions ${versions.map(({ kind }) => kind.version).join(', ')} of ${first.kind.kind} is stored`,
      'storage: true in one of them',
    );
  const stored = versions.filter(({ version }) => version.storage === true);
  for (const { target } of stored.slice(1))
    diagnostics.add(
      kindLocation(target),
      `@Kind: is stored, and so is ${stored[0]?.className}`,
      'storage: true in only one',
    );
}

function checkOrder(versions: readonly KindVersion[], diagnostics: Diagnostics): void {
  for (const { target, version } of versions) {
    const names = versions.map(({ kind }) => kind.version);
    if (version.versionOrder && !deepEqual(version.versionOrder.toSorted(), names.toSorted()))
      diagnostics.add(
        kindLocation(target),
        `@Kind: versionOrder is of ${version.versionOrder.join(', ')}, and the versions are ${names.join(', ')}`,
        `versionOrder: [${names.map((name) => `'${name}'`).join(', ')}]`,
      );
  }
}

/** What there is once for all versions; each class may leave it out. */
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

function checkAgreement(versions: readonly KindVersion[], diagnostics: Diagnostics): void {
  const said = new Map<string, readonly [value: unknown, className: string]>();
  for (const model of versions) {
    for (const [setting, value] of Object.entries(sharedSettings(model))) {
      const [former, owner] = said.get(setting) ?? [value, model.className];
      if (value === undefined) continue;
      said.set(setting, [former, owner]);
      if (!deepEqual(former, value))
        diagnostics.add(
          kindLocation(model.target),
          `@Kind: has another ${setting} than ${owner}, which is a version of the same kind`,
          `the same ${setting} in both`,
        );
    }
  }
}

function unlessEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
