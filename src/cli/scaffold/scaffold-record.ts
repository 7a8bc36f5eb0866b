import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deepEqual } from '../../base/deep-equal.js';
import { displayPath } from '../../base/display-path.js';
import { isJsonObject, stringAt } from '../../base/json-object.js';
import { OperatorError } from '../../base/operator-error.js';
import { packageVersion } from '../../base/package-version.js';
import { readText } from '../../base/read-text.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { reporting } from '../../manifests/output/output-error.js';
import { writeManifests } from '../../manifests/output/write.js';
import { applyStep, type ScaffoldFiles, type ScaffoldStep } from './scaffold-step.js';
import { writeNewFiles, type NewFileOptions } from './write-new-files.js';

/** The path of the record within a project. */
export const RECORD_PATH = '.kindwright/scaffold.json';

const FORMAT = 1;
const COMMENT =
  'Written by kindwright: the generated files before your edits, for kindwright upgrade. Commit this file, and leave it as it is.';

/** A step and the version of kindwright that generated its files. */
export interface RecordedStep {
  readonly version: string;
  readonly step: ScaffoldStep;
}

/** The commands that generated files of a project, in their order, and the content that they generated. */
export interface ScaffoldRecord {
  readonly steps: readonly RecordedStep[];
  readonly files: ScaffoldFiles;
}

/**
 * Writes the files of a step, updates the record, and prints the names.
 *
 * @param files that the step generates and that may not exist with other content
 * @throws OperatorError, before anything is written, when such files exist or the record cannot be read
 */
export function writeScaffold(
  step: ScaffoldStep,
  files: readonly GeneratedFile[],
  folder: string,
  dependency: string,
  options: NewFileOptions,
): void {
  const record = readRecord(folder) ?? { steps: [], files: new Map() };
  writeNewFiles(files, folder, options);
  const file = withStep(record, step, dependency);
  const isWritten = options.dryRun === true || writeManifests([file], folder).written.length > 0;
  if (isWritten)
    process.stdout.write(`${options.dryRun ? 'would write' : 'wrote'} ${displayPath(join(folder, RECORD_PATH))}\n`);
}

/** The record as a file, after a step. */
export function withStep(record: ScaffoldRecord, step: ScaffoldStep, dependency: string): GeneratedFile {
  const others = record.steps.filter((each) => !deepEqual(each.step, step));
  const steps = [...others, { version: packageVersion(), step }];
  return recordFile({ steps, files: applyStep(record.files, step, dependency) });
}

/** The record as a file. */
export function recordFile({ steps, files }: ScaffoldRecord): GeneratedFile {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const json = { $comment: COMMENT, format: FORMAT, steps, files: Object.fromEntries(sorted) };
  return { path: RECORD_PATH, content: `${JSON.stringify(json, undefined, 2)}\n` };
}

/**
 * Reads the record of a project; undefined without one.
 *
 * @throws OperatorError when it is damaged or has the format of a newer version
 */
export function readRecord(folder: string): ScaffoldRecord | undefined {
  const path = join(folder, RECORD_PATH);
  if (!existsSync(path)) return undefined;
  const value = parsed(reporting(path, () => readText(path)));
  if (isJsonObject(value) && typeof value['format'] === 'number' && value['format'] > FORMAT)
    throw recordError(
      `${displayPath(path)} was written by a newer version of kindwright`,
      'npm install kindwright@latest',
    );
  if (!isJsonObject(value) || !Array.isArray(value['steps']) || !isJsonObject(value['files'])) throw damaged(path);
  const steps = value['steps'] as unknown[];
  const files = Object.entries(value['files']);
  if (!steps.every(isRecordedStep) || !files.every(isText)) throw damaged(path);
  return { steps, files: new Map(files) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecordedStep(value: unknown): value is RecordedStep {
  if (!isJsonObject(value) || typeof value['version'] !== 'string' || !isJsonObject(value['step'])) return false;
  const { command, ...members } = value['step'];
  if (typeof command !== 'string' || !Object.hasOwn(MEMBERS, command)) return false;
  const required = MEMBERS[command as ScaffoldStep['command']];
  return required.every((name) => (name === 'kind' ? isIdentity(members[name]) : isScalar(members[name])));
}

/** The members of the steps. */
const MEMBERS = {
  init: ['name', 'kind'],
  'create kind': ['kind', 'testModule'],
  'create version': ['kind', 'hasPlural'],
  'create webhook': ['file', 'className', 'hasSpec', 'mutate', 'validate', 'testModule'],
  'delete kind': ['name'],
  'delete webhook': ['file', 'className'],
} as const satisfies Record<ScaffoldStep['command'], readonly string[]>;

function isIdentity(value: unknown): boolean {
  return ['group', 'version', 'kind', 'plural', 'scope'].every((name) => stringAt(value, name) !== '');
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

function damaged(path: string): OperatorError {
  return recordError(
    `${displayPath(path)} is damaged`,
    `restore it from version control: git checkout HEAD -- ${RECORD_PATH}`,
  );
}

/** The error that the record of a project is missing or cannot be used. */
export function recordError(message: string, hint: string): OperatorError {
  return new OperatorError(message, { code: 'E_SCAFFOLD_RECORD', hint });
}
