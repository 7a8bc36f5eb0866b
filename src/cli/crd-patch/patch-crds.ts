import { realpathSync, statSync } from 'node:fs';
import type { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { displayPath } from '../../base/display-path.js';
import { OperatorError } from '../../base/operator-error.js';
import { readText } from '../../base/read-text.js';
import { writeAtomically } from '../../base/write-atomically.js';
import { parseYamlDocuments } from '../../base/yaml.js';
import { unifiedDiff } from '../../manifests/output/diff.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { reporting } from '../../manifests/output/output-error.js';
import { countNoun } from '../count-noun.js';
import { yamlFilesAt } from '../yaml-files.js';
import { patchSchemas, type PatchedText, type SchemasByKind } from './patch-schemas.js';

interface PatchedFile extends PatchedText {
  readonly file: string;
  readonly before: string;
}

/**
 * Replaces the schemas in files of CustomResourceDefinitions, or with `check` compares them, and prints what differs.
 *
 * All files are read and patched before the first is written.
 * @param paths files, and folders to read YAML files from
 * @param generated the files of the plain layout, which contain the schemas
 * @throws OperatorError when the paths contain no definition, or with `check` when a schema differs
 */
export function patchCrds(paths: readonly string[], generated: readonly GeneratedFile[], check: boolean): void {
  const schemas = schemasIn(generated);
  const files = [...new Set(paths.flatMap(yamlFiles))].flatMap((file): PatchedFile[] => {
    const before = reporting(file, () => readText(file));
    if (!before.includes('CustomResourceDefinition')) return []; // may be a template that is not YAML
    return [{ file, before, ...patchSchemas(before, displayPath(file), schemas) }];
  });
  const withDefinitions = files.filter(({ hasDefinitions }) => hasDefinitions);
  if (withDefinitions.length === 0)
    throw new OperatorError(`no CustomResourceDefinition of apiextensions.k8s.io/v1 in ${paths.join(', ')}`, {
      code: 'E_NO_FILE',
      hint: 'pass files or folders with CRDs to --patch-crds',
    });
  process.stdout.write(withDefinitions.flatMap((each) => describe(each, check)).join(''));
  const changed = withDefinitions.filter(({ text, before }) => text !== before);
  if (check) assertUnchanged(changed, paths);
  else
    for (const { file, text } of changed)
      reporting(file, () => writeAtomically(realpathSync(file), text, statSync(file).mode & 0o777));
}

function schemasIn(generated: readonly GeneratedFile[]): SchemasByKind {
  const definitions = generated
    .filter(({ path }) => path.endsWith('.yaml') && !path.includes('/'))
    .flatMap(({ path, content }) => parseYamlDocuments(content, path, { exactIntegers: true }));
  return new Map(
    (definitions as CustomResourceDefinition[]).map(({ spec }) => [
      `${spec.names.kind}.${spec.group}`,
      new Map(spec.versions.map(({ name, schema }) => [name, schema?.openAPIV3Schema ?? {}])),
    ]),
  );
}

/** Files in JSON are only patched by name: the result is YAML. */
function yamlFiles(path: string): string[] {
  return yamlFilesAt(path, 'pass files or folders with CRDs to --patch-crds').filter(
    (file) => file === path || !file.endsWith('.json'),
  );
}

function describe({ file, before, text, changed, unknown }: PatchedFile, check: boolean): string[] {
  const name = displayPath(file);
  const ignored = unknown.map((each) => `${name}: ${each} has no class and is not changed\n`);
  if (text === before) return [...ignored, `unchanged ${name}\n`];
  return [
    ...ignored,
    check ? unifiedDiff(`a/${name}`, `b/${name}`, before, text) : `patched ${name}: ${changed.join(', ')}\n`,
  ];
}

function assertUnchanged(changed: readonly PatchedFile[], paths: readonly string[]): void {
  if (changed.length === 0) return;
  throw new OperatorError(`the schemas in ${countNoun(changed.length, 'file')} differ from those of the classes`, {
    code: 'E_DRIFT',
    hint: `run generate-manifests ${paths.map((path) => `--patch-crds ${path}`).join(' ')}`,
  });
}
