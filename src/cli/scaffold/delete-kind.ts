import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { deleteFiles, presentContent, writeManifests } from '../../manifests/output/write.js';
import { webhookTarget } from './create-webhook.js';
import { generatedKindFiles } from './generated-kind-files.js';
import { kindwrightDependency } from './kindwright-dependency.js';
import { readRecord, RECORD_PATH, recordError, type ScaffoldRecord, withStep } from './scaffold-record.js';
import type { ScaffoldStep } from './scaffold-step.js';
import { webhookTestPath } from './webhook-files.js';
import { withoutWebhooks } from './without-webhooks.js';
import type { NewFileOptions } from './write-new-files.js';

/**
 * Deletes the files that `init` and `create` generated for a kind: its classes in all versions, and their tests.
 *
 * @throws OperatorError, before anything is deleted, when the kind has no such files, or one was changed, without `force`
 */
export function deleteKind(kind: string, options: NewFileOptions): void {
  const folder = resolve('.');
  const record = recordOf(folder);
  const paths = generatedKindFiles(record.files.keys(), kind);
  if (paths.length === 0)
    throw new OperatorError(`no files of kind ${kind} are recorded in ${RECORD_PATH}`, {
      code: 'E_CONFIG',
      hint: 'pass the name of a kind of kindwright init or create, or delete files that you wrote yourself by hand',
    });
  remove({ folder, record, step: { command: 'delete kind', name: kind }, paths }, options);
  for (const line of importsOf(paths, folder)) process.stdout.write(`still imported by ${line}\n`);
  for (const line of sampleUsesOf(kind, paths, record, folder))
    process.stdout.write(`its sample is still applied by ${line}\n`);
  if (options.dryRun) return;
  process.stdout.write('\nNext: npx generate-manifests --prune\n');
  process.stdout.write('Clusters keep the definition and its objects until: kubectl delete crd <plural>.<group>\n');
}

/**
 * Removes the methods with `@Mutate` and `@Validate` from the class of a kind, and the test that `create webhook` generated.
 *
 * @throws OperatorError, before anything is changed, as `deleteKind`
 */
export function deleteWebhook(kind: string, options: NewFileOptions): void {
  const folder = resolve('.');
  const record = recordOf(folder);
  const { file, className, source } = webhookTarget(kind, folder);
  const content = withoutWebhooks(file, source, className);
  if (content === source)
    throw new OperatorError(`${file}: ${className} has no method with @Mutate or @Validate`, {
      code: 'E_CONFIG',
      hint: `npx kindwright create webhook ${kind} adds them`,
    });
  const test = webhookTestPath(file);
  const paths = record.files.has(test) ? [test] : [];
  const step = { command: 'delete webhook', file, className } as const;
  remove({ folder, record, step, paths, changed: { path: file, content } }, options);
  if (!options.dryRun) process.stdout.write('\nNext: npx generate-manifests --prune\n');
}

function recordOf(folder: string): ScaffoldRecord {
  const record = readRecord(folder);
  if (record) return record;
  throw recordError(
    `${RECORD_PATH} not found: the files that kindwright generated are unknown`,
    `restore ${RECORD_PATH} from version control, or delete the files by hand`,
  );
}

interface Removal {
  readonly folder: string;
  readonly record: ScaffoldRecord;
  readonly step: ScaffoldStep;
  readonly paths: readonly string[];
  readonly changed?: GeneratedFile;
}

function remove({ folder, record, step, paths, changed }: Removal, { force, dryRun }: NewFileOptions): void {
  const present = paths.filter((path) => presentContent(join(folder, path)) !== undefined);
  const written = [...(changed ? [changed] : []), withStep(record, step, kindwrightDependency(folder))];
  if (dryRun) {
    printPaths('would delete', present);
    printPaths('would change', written.map(pathOf));
    return;
  }
  if (!force) assertUnchanged(present, record, folder);
  deleteFiles(present, folder);
  writeManifests(written, folder);
  printPaths('deleted', present);
  printPaths('changed', written.map(pathOf));
}

const pathOf = ({ path }: GeneratedFile): string => path;

function printPaths(what: string, paths: readonly string[]): void {
  for (const path of paths) process.stdout.write(`${what} ${path}\n`);
}

function assertUnchanged(paths: readonly string[], { files }: ScaffoldRecord, folder: string): void {
  const edited = paths.filter((path) => presentContent(join(folder, path)) !== files.get(path));
  if (edited.length === 0) return;
  throw new OperatorError(`${edited.join(', ')} changed since kindwright generated it; nothing was deleted`, {
    code: 'E_EXISTS',
    hint: 'commit your work, then pass --force; --dry-run lists all files',
  });
}

/** The files that import deleted ones, with their lines. */
function importsOf(paths: readonly string[], folder: string): string[] {
  const modules = paths.filter((path) => path.startsWith('operators/')).map((path) => path.replace(/\.ts$/, '.js'));
  const sources = globSync('{operators,test}/**/*.ts', { cwd: folder }).map((path) => path.replaceAll('\\', '/'));
  return sources
    .filter((path) => !paths.includes(path))
    .flatMap((path) =>
      readFileSync(join(folder, path), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          modules.some((module) => new RegExp(`from '[^']*/${module.split('/').at(-1) ?? ''}'`).test(line))
            ? [`${path}:${index + 1}`]
            : [],
        ),
    );
}

/** The first line of each generated text, such as a workflow, that applies the sample of the kind. */
function sampleUsesOf(kind: string, paths: readonly string[], { files }: ScaffoldRecord, folder: string): string[] {
  const sample = `samples/${kind.toLowerCase()}.yaml`;
  return [...files.keys()]
    .filter((path) => !paths.includes(path) && /\.(md|yml)$/.test(path))
    .flatMap((path) => {
      const lines = presentContent(join(folder, path))?.split('\n') ?? [];
      const index = lines.findIndex((line) => line.includes(sample));
      return index === -1 ? [] : [`${path}:${index + 1}`];
    });
}
