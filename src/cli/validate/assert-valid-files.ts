import { globSync } from 'node:fs';
import type { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { displayPath } from '../../base/display-path.js';
import { OperatorError } from '../../base/operator-error.js';
import { readText } from '../../base/read-text.js';
import { definitionsIn } from '../../evolution/definitions-in.js';
import { byKind } from '../../resource/kinds/versions.js';
import { countNoun } from '../count-noun.js';
import { ExitCode } from '../exit-codes.js';
import { DEFAULT_PATTERN } from '../find-files.js';
import { assertValidDefinition } from '../import-crd/valid-definition.js';
import { loadResources } from '../load-resources.js';
import { printLine, printWarning } from '../print-line.js';
import { ReportedError } from '../report-error.js';
import { yamlFilesAt } from '../yaml-files.js';
import { KnownKinds } from './known-kinds.js';
import { validateFile, type FileResult } from './validate-file.js';

export interface ValidateOptions {
  /** Files of operators; default: those of the project, if it has any. */
  readonly operators?: readonly string[];
  /** Files and folders with CustomResourceDefinitions. */
  readonly crds?: readonly string[];
  readonly output: 'text' | 'json';
}

interface Source {
  readonly file: string;
  readonly text: string;
}

/**
 * Checks the objects in files against the kinds of operators and of CustomResourceDefinitions, and prints their errors.
 *
 * @throws ReportedError when an object is invalid; OperatorError for files that cannot be read, or without any definition
 */
export async function assertValidFiles(paths: readonly string[], options: ValidateOptions): Promise<void> {
  const sources = [...new Set(paths.flatMap((path) => (path === '-' ? ['-'] : yamlFilesAt(path, FILES))))].map(read);
  const kinds = await knownKinds(sources, options);
  const results = sources.map(({ file, text }) => validateFile(file, text, kinds));
  const total: FileResult = {
    valid: results.reduce((sum, { valid }) => sum + valid, 0),
    invalid: results.reduce((sum, { invalid }) => sum + invalid, 0),
    errors: results.flatMap(({ errors }) => errors),
    unknown: results.flatMap(({ unknown }) => unknown).filter(({ kind }) => kind !== 'CustomResourceDefinition'),
  };
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(total, null, 2)}\n`);
  else printResult(total, sources.length);
  if (total.errors.length > 0) throw new ReportedError(ExitCode.failure);
}

const FILES = 'pass files or folders with objects in YAML or JSON, or - for standard input';

function read(path: string): Source {
  const file = path === '-' ? 'standard input' : displayPath(path);
  try {
    return { file, text: readText(path === '-' ? process.stdin.fd : path) };
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`${file} cannot be read: ${(cause as Error).message}`, { code: 'E_NO_FILE', cause });
  }
}

/** The kinds of the operators, of the given definitions, and of the definitions among the objects. */
async function knownKinds(objects: readonly Source[], { operators, crds = [] }: ValidateOptions): Promise<KnownKinds> {
  const given = crds
    .flatMap((path) => yamlFilesAt(path, 'pass files or folders with CustomResourceDefinitions to --crds'))
    .map(read);
  const definitions = [...given, ...objects].flatMap(({ file, text }) => definitionsIn(text, file));
  for (const definition of definitions) assertValidDefinition(definition);
  definitions.unshift(...(await operatorDefinitions(operators)));
  if (definitions.length === 0)
    throw new OperatorError('no operator and no CustomResourceDefinition describes a kind', {
      code: 'E_NO_KIND',
      hint: `pass operators or definitions: --operators '${DEFAULT_PATTERN}', --crds crds/`,
    });
  const { CustomObjectChecker } = await import('../../apiserver/custom-object-checker.js');
  return new KnownKinds(definitions, CustomObjectChecker);
}

async function operatorDefinitions(patterns?: readonly string[]): Promise<CustomResourceDefinition[]> {
  if (patterns === undefined && globSync(DEFAULT_PATTERN).length === 0) return [];
  const { customResourceDefinition } = await import('../../manifests/crd/crd.js');
  const models = (await loadResources(patterns ?? [])).map(({ model }) => model);
  return byKind(models.filter(({ definesKind }) => definesKind)).map((each) => customResourceDefinition(...each));
}

function printResult({ valid, invalid, errors, unknown }: FileResult, files: number): void {
  for (const { file, line, column, object, field, message } of errors)
    printLine(
      `${file}:${line}:${column}: ${object}: ${field && !message.includes(field) ? `${field}: ` : ''}${message}`,
    );
  const skipped = Map.groupBy(unknown, ({ apiVersion, kind }) => `${kind} of ${apiVersion}`);
  for (const [kind, objects] of skipped)
    printWarning(`${countNoun(objects.length, 'object')} not checked: no definition of ${kind}`);
  printLine(
    `${countNoun(valid, 'valid object')}, ${invalid} invalid, ${unknown.length} not checked, in ${countNoun(files, 'file')}`,
  );
}
