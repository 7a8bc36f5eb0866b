import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { displayPath } from '../../base/display-path.js';
import { OperatorError } from '../../base/operator-error.js';
import { packageVersion } from '../../base/package-version.js';
import { kindIdentity } from './kind-identity.js';
import { projectFiles } from './project-files.js';
import { type NewFileOptions, writeNewFiles } from './write-new-files.js';

/** Command-line options of init. */
export interface InitOptions extends NewFileOptions {
  readonly domain: string;
  readonly kind: string;
  /** If set, npm install runs and the manifests are generated. */
  readonly install: boolean;
}

/**
 * Creates a project with one operator in a folder.
 *
 * @throws OperatorError when files exist, or npm install fails; in the latter case the files are kept, and the hint
 * names the remaining commands
 */
export async function initProject(folder: string, options: InitOptions): Promise<void> {
  const path = resolve(folder);
  const files = projectFiles({
    name: npmName(basename(path)),
    dependency: kindwrightDependency(path),
    kind: kindIdentity(`apps.${options.domain}/v1alpha1`, options.kind, 'Namespaced'),
  });
  writeNewFiles(files, path, options);
  if (options.dryRun) return;
  const steps = options.install ? [] : ['npm install', 'npm run generate'];
  for (const step of options.install ? ['npm install', 'npm run --silent generate'] : []) await run(step, path);
  const next = [`cd ${displayPath(path)}`, ...steps, 'npm test', 'npm start'];
  process.stdout.write(`\nNext:\n${next.map((line) => `  ${line}\n`).join('')}`);
}

/** A valid npm package name. */
function npmName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' ? 'operator' : name.slice(0, 214);
}

async function run(step: string, cwd: string): Promise<void> {
  process.stdout.write(`${step}\n`);
  const [command = '', ...args] = step.split(' ');
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const [status] = await once(child, 'exit').catch((error: unknown) => [error]);
  if (status === 0) return;
  throw new OperatorError(`${step} failed in ${displayPath(cwd)}; the files are written`, {
    code: 'E_INSTALL',
    hint: `fix the error of npm, then: cd ${displayPath(cwd)} && npm install && npm run generate`,
    ...(status instanceof Error && { cause: status }),
  });
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/**
 * The dependency on the running kindwright in the package.json of a new project: a version range if it was installed
 * from a registry, else the file or folder that it was installed from.
 */
function kindwrightDependency(projectFolder: string): string {
  const root = dirname(findPackageJSON('..', import.meta.url) ?? '.');
  const modules = dirname(root);
  if (basename(modules) !== 'node_modules') return `file:${relative(projectFolder, root)}`;
  const source = installedFrom(modules);
  return source === undefined ? `^${packageVersion()}` : `file:${relative(projectFolder, source)}`;
}

/** The tarball that npm installed the package from, according to its lock file in node_modules. */
function installedFrom(modules: string): string | undefined {
  const path = join(modules, '.package-lock.json');
  if (!existsSync(path)) return undefined;
  const { resolved } = (JSON.parse(readFileSync(path, 'utf8')) as Lock).packages?.['node_modules/kindwright'] ?? {};
  if (!resolved?.startsWith('file:')) return undefined;
  return resolve(dirname(modules), resolved.slice('file:'.length));
}
