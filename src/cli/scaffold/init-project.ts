import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, resolve } from 'node:path';
import { displayPath } from '../../base/display-path.js';
import { OperatorError } from '../../base/operator-error.js';
import { kindIdentity } from './kind-identity.js';
import { kindwrightDependency } from './kindwright-dependency.js';
import { projectFiles } from './project-files.js';
import { writeScaffold } from './scaffold-record.js';
import type { NewFileOptions } from './write-new-files.js';

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
  const name = npmName(basename(path));
  const dependency = kindwrightDependency(path);
  const kind = kindIdentity(`apps.${options.domain}/v1alpha1`, options.kind, 'Namespaced');
  const files = projectFiles({ name, dependency, kind });
  writeScaffold({ command: 'init', name, kind }, files, path, dependency, options);
  if (options.dryRun) return;
  const steps = options.install ? [] : ['npm install', 'npm run generate'];
  for (const step of options.install ? ['npm install', 'npm run --silent generate'] : []) await run(step, path);
  const next = [...(path === resolve('.') ? [] : [`cd ${displayPath(path)}`]), ...steps, 'npm test', 'npm start'];
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
