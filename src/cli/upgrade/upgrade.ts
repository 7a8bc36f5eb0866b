import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { displayPath } from '../../base/display-path.js';
import { OperatorError } from '../../base/operator-error.js';
import { packageVersion } from '../../base/package-version.js';
import { reporting } from '../../manifests/output/output-error.js';
import { outputPath, statusOf } from '../../manifests/output/output-folder.js';
import { countNoun } from '../count-noun.js';
import { kindwrightDependency } from '../scaffold/kindwright-dependency.js';
import { readRecord, RECORD_PATH, recordError, recordFile, type ScaffoldRecord } from '../scaffold/scaffold-record.js';
import { applyStep, type ScaffoldFiles } from '../scaffold/scaffold-step.js';
import { compareSemver } from './compare-semver.js';
import { planUpgrade, type PresentFile } from './plan-upgrade.js';
import { assertMerged, isWritten, printUpgrade } from './print-upgrade.js';
import { replaceFiles } from './replace-files.js';

/** Command-line options of `upgrade`. */
export interface UpgradeOptions {
  /** A project with the record to start from. */
  readonly base?: string;
  /** If set, files may have uncommitted changes. */
  readonly force?: boolean;
  /** If set, the differences are printed and nothing is written. */
  readonly dryRun?: boolean;
}

/**
 * Merges the scaffold of the running version into the project of the working directory, and prints the files.
 *
 * @throws OperatorError, before anything is written, when the project has no usable record, uncommitted changes or an
 * invalid package.json; after all files are written, when some have conflicts
 */
export async function upgrade({ base, force = false, dryRun = false }: UpgradeOptions): Promise<void> {
  const folder = resolve('.');
  const record = existingRecord(folder, base);
  const version = packageVersion();
  const oldest = oldestVersion(record, version);
  if (!force && !dryRun) await assertCleanTree(folder);
  const labels = { ours: 'yours', theirs: `kindwright ${version}` };
  const plan = planUpgrade(record.files, scaffoldOf(record, folder), (path) => presentFile(path, folder), labels);
  const upgraded = recordFile({ steps: record.steps.map(({ step }) => ({ version, step })), files: plan.files });
  printUpgrade(plan.changes, `${oldest} to ${version}`, dryRun);
  if (!dryRun) {
    const files = plan.changes.filter(isWritten).map(({ path, after }) => ({ path, content: after }));
    replaceFiles([...files, ...(isPresent(upgraded.path, upgraded.content, folder) ? [] : [upgraded])], folder);
  }
  assertMerged(plan.changes);
  if (!dryRun && plan.changes.some(({ after }) => after !== undefined))
    process.stdout.write(
      '\nNext: review the changes with git diff, then\n  npm install\n  npm run generate\n  npm test\n',
    );
}

function existingRecord(folder: string, base: string | undefined): ScaffoldRecord {
  const source = base === undefined ? folder : resolve(base);
  const record = readRecord(source);
  if (record) return record;
  const commands =
    'with the version that made the project, run the same commands in a folder of the same name, then pass it:\n' +
    'npx kindwright@<version> init /tmp/base/<name> --no-install\nnpx kindwright upgrade --base /tmp/base/<name>';
  const path = displayPath(join(source, RECORD_PATH));
  throw recordError(
    `${path} not found: the files that kindwright generated are unknown`,
    base === undefined ? `restore ${RECORD_PATH} from version control, or, ${commands}` : commands,
  );
}

/** Returns the lowest version of the steps. */
function oldestVersion({ steps }: ScaffoldRecord, version: string): string {
  const versions = steps.map((each) => each.version).sort((a, b) => compareSemver(a, b) ?? 0);
  const newest = versions.at(-1);
  if (newest === undefined || (compareSemver(newest, version) ?? 0) <= 0) return versions[0] ?? version;
  throw recordError(
    `the project has the scaffold of kindwright ${newest}, which is newer than this version, ${version}`,
    `install that version: npm install kindwright@^${newest}`,
  );
}

function scaffoldOf({ steps }: ScaffoldRecord, folder: string): ScaffoldFiles {
  const dependency = kindwrightDependency(folder);
  return steps.reduce<ScaffoldFiles>((files, { step }) => applyStep(files, step, dependency), new Map());
}

function presentFile(path: string, folder: string): PresentFile {
  const place = outputPath({ path, content: '' }, folder);
  const status = statusOf(place);
  if (!status) return undefined;
  if (status.isSymbolicLink()) return { unmergeable: 'it is a symbolic link' };
  if (!status.isFile()) return { unmergeable: 'it is not a regular file' };
  const hint = 'make it readable, then run the command again; nothing was changed';
  const bytes = reporting(displayPath(place), () => readFileSync(place), hint);
  if (bytes.includes(0)) return { unmergeable: 'it is a binary file' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { unmergeable: 'it is not UTF-8 text' };
  }
}

function isPresent(path: string, content: string, folder: string): boolean {
  const file = presentFile(path, folder);
  return file !== undefined && 'text' in file && file.text.replaceAll('\r\n', '\n') === content;
}

/**
 * Asserts that all files of a folder are committed, if the folder is in a git repository and git is installed.
 *
 * @throws OperatorError for changed or untracked files, or when git status fails
 */
async function assertCleanTree(folder: string): Promise<void> {
  const changed = await changedFiles(folder);
  if (changed.length === 0) return;
  const more = changed.length > 3 ? ', …' : '';
  throw dirty(
    `${countNoun(changed.length, 'file')} with uncommitted changes: ${changed.slice(0, 3).join(', ')}${more}`,
    'commit or stash them, so that git diff shows the changes of the upgrade alone; --force upgrades nevertheless',
  );
}

async function changedFiles(folder: string): Promise<string[]> {
  const env = { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
  const args = ['-C', folder, 'status', '--porcelain', '-z', '--no-renames', '--', '.'];
  try {
    const { stdout } = await promisify(execFile)('git', args, { env, maxBuffer: 2 ** 28 });
    return stdout.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
  } catch (cause) {
    const { code, stderr } = cause as { readonly code?: unknown; readonly stderr?: string };
    if (code === 'ENOENT' || stderr?.includes('not a git repository')) return [];
    throw dirty(
      `git status failed: ${stderr?.trim() ?? String(cause)}`,
      'fix the error of git, or pass --force',
      cause,
    );
  }
}

function dirty(message: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError(message, { code: 'E_UNCOMMITTED', hint, cause });
}
