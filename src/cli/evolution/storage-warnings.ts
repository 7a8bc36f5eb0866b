import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourceName } from '../../api/kinds/kind-ref.js';
import type { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { definitionsIn } from '../../evolution/definitions-in.js';
import { storageChanges, type StorageChange } from '../../evolution/storage-changes.js';
import type { ManifestSource } from '../../manifests/operator.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { kindLocation } from '../../resource/kinds/kind-location.js';
import { located } from '../../resource/location.js';
import { publishedDefinitions } from './published-definitions.js';

/** The state of the API to compare with. */
export interface StorageWarningOptions {
  /** The same as for `guardApi`; undefined for the present content of the generated files. */
  readonly against: string | undefined;
  /** Output folder of generate-manifests. */
  readonly folder: string;
}

/** Charts contain templates, which are not YAML. */
const TEMPLATE = /(^|\/)templates\//;

/**
 * Warnings about changes of storage versions. Objects stay in the former version until they are written, and a
 * release without the new version cannot read those that were written since.
 *
 * @throws OperatorError if `against` has no definitions
 */
export async function storageWarnings(
  files: readonly GeneratedFile[],
  sources: readonly ManifestSource[],
  { against, folder }: StorageWarningOptions,
): Promise<string[]> {
  const changed = definitionFiles(files).filter(({ path, content }) => presentContent(folder, path) !== content);
  const compared = against === undefined ? changed : definitionFiles(files);
  const published =
    against === undefined
      ? changed.flatMap(({ path }) => definitionsIn(presentContent(folder, path) ?? '', path))
      : await publishedDefinitions(against, folder);
  const changes = storageChanges(published, uniqueDefinitions(compared));
  return changes.map((change) => warning(change, sources));
}

function definitionFiles(files: readonly GeneratedFile[]): GeneratedFile[] {
  return files.filter(
    ({ path, content }) =>
      /\.ya?ml$/.test(path) && !TEMPLATE.test(path) && /^kind: CustomResourceDefinition$/m.test(content),
  );
}

/** Returns the content of a file of an earlier run; undefined without one. */
function presentContent(folder: string, path: string): string | undefined {
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    return undefined; // the first run, or a file that cannot be replaced either
  }
}

/** The folders of operators contain copies of the definitions. */
function uniqueDefinitions(files: readonly GeneratedFile[]): CustomResourceDefinition[] {
  const definitions = files.flatMap(({ path, content }) => definitionsIn(content, path));
  return [...new Map(definitions.map((definition) => [definition.metadata.name, definition])).values()];
}

function warning({ definition, from, to, isNew, isRemoved }: StorageChange, sources: readonly ManifestSource[]) {
  const migrate = `run kindwright migrate-storage --crd ${definition}`;
  const remaining = isRemoved
    ? `${from} is removed, so ${migrate} in a release with both versions first`
    : `objects stay stored as ${from} until they are written; before ${from} is removed, ${migrate}`;
  const rollback = isNew
    ? `; the former release has no ${to}, so after a rollback it cannot read objects stored since: to be able to roll back, change the storage version one release after ${to} is added`
    : '';
  const text = `the storage version of ${definition} changes from ${from} to ${to}: ${remaining}${rollback}`;
  const source = sources.find(({ model: { kind } }) => resourceName(kind) === definition && kind.version === to);
  return source ? located(kindLocation(source.model.target), text) : text;
}
