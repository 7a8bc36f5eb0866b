import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { packageVersion } from '../../base/package-version.js';

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/**
 * The dependency on the running kindwright in the package.json of a project: a version range if it was installed
 * from a registry, otherwise the file or folder that it was installed from.
 */
export function kindwrightDependency(projectFolder: string): string {
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
