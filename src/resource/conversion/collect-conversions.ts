import { resourceName } from '../../api/kinds/kind-ref.js';
import { CONVERTS_TO, type ConvertsToEntry } from '../decorators/converts-to.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import { ownMetadata } from '../metadata.js';
import type { VersionSettings } from '../kinds/version-settings.js';
import type { ConvertibleVersion } from './kind-conversion.js';
import { stepProblems } from './step-problems.js';
import { uncoveredProblems } from './uncovered-fields.js';

interface Version extends ConvertibleVersion {
  readonly target: Location['target'];
  /** False for a class that only reconciles or reviews objects of the kind. */
  readonly definesKind: boolean;
  readonly version: Pick<VersionSettings, 'conversion'>;
}

/**
 * Adds diagnostics for versions with `@ConvertsTo` that cannot be converted: without a common hub, with steps that do
 * not fit the fields, or with fields that only one version has and no step mentions.
 */
export function collectConversions(models: readonly Version[], diagnostics: Diagnostics): void {
  const defining = models.filter(({ definesKind }) => definesKind);
  for (const versions of Map.groupBy(defining, ({ kind }) => resourceName(kind)).values()) {
    const spokes = versions.flatMap((version) => {
      const entries = ownMetadata(CONVERTS_TO, version.target);
      return entries.map((entry) => ({ version, entry, isFirst: entry === entries[0] }));
    });
    if (spokes.length === 0) continue;
    for (const { version, entry, isFirst } of spokes) {
      const location = decoratorLocation(version.target);
      const problem = isFirst ? hubProblem(version, entry, versions) : REPEATED;
      if (problem) diagnostics.add(location, `@ConvertsTo: ${problem[0]}`, problem[1]);
      else collectSteps(version, entry, versions, diagnostics);
    }
    collectRest(versions, new Set(spokes.map(({ version }) => version)), diagnostics);
  }
}

const REPEATED = ['a version has only one hub', 'remove all but one @ConvertsTo'] as const;

function hubProblem(
  { target, kind }: Version,
  { hub }: ConvertsToEntry,
  versions: readonly Version[],
): readonly [string, string] | undefined {
  if (hub === target) return ['the class converts to itself', 'name the class of another version'];
  const model = versions.find((version) => version.target === hub);
  if (!model)
    return [
      `${hub.name} is not a version of ${kind.kind}`,
      `@Kind({ group: '${kind.group}', version: …, kind: '${kind.kind}' }) class ${hub.name}, and pass its file to the command too`,
    ];
  if (ownMetadata(CONVERTS_TO, hub).length > 0)
    return [`${hub.name} has @ConvertsTo itself, so it is not the hub`, 'let all versions convert to the same class'];
  return undefined;
}

function collectSteps(
  spoke: Version,
  { hub, rules }: ConvertsToEntry,
  versions: readonly Version[],
  diagnostics: Diagnostics,
): void {
  const model = versions.find((version) => version.target === hub);
  if (!model || 'up' in rules) return;
  const location = decoratorLocation(spoke.target);
  const fields = { spoke: spoke.classModel, hub: model.classModel };
  const names = { spoke: spoke.kind.version, hub: model.kind.version };
  const problems = [...stepProblems(rules, fields, names)];
  // Invalid steps would cause further errors about the fields that they refer to.
  const all = problems.length > 0 ? problems : [...uncoveredProblems(rules, fields, names)];
  for (const [problem, hint] of all) diagnostics.add(location, `@ConvertsTo: ${problem}`, hint);
}

/** All versions but one have the decorator, and nothing else converts the kind. */
function collectRest(versions: readonly Version[], spokes: ReadonlySet<Version>, diagnostics: Diagnostics): void {
  const hubs = versions.filter((version) => !spokes.has(version));
  const named = versions.find(({ target }) => [...spokes].some((spoke) => hubOf(spoke) === target));
  for (const { target, className, kind } of hubs) {
    if (!named || target === named.target) continue;
    diagnostics.add(
      { target },
      `other versions of ${kind.kind} convert to ${named.className}, and this one has no @ConvertsTo`,
      `@ConvertsTo(${named.className}, []) class ${className}`,
    );
  }
  for (const { target, version } of versions) {
    if (version.conversion === undefined) continue;
    diagnostics.add(
      { target, decorator: { target, name: 'Kind', index: 0 } },
      '@Kind: conversion contradicts @ConvertsTo, which lets the operator convert the kind',
      'remove conversion',
    );
  }
}

function hubOf({ target }: Version): object | undefined {
  return ownMetadata(CONVERTS_TO, target)[0]?.hub;
}

function decoratorLocation(target: Location['target']): Location {
  return { target, decorator: { target, name: 'ConvertsTo', index: 0 } };
}
