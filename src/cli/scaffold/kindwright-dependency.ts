import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { packageVersion } from '../../base/package-version.js';

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/**
 * How the package.json of a new project asks for the kindwright that runs: what npm can install again.
 *
 * That is a range of versions if it came from a registry, or the file or folder that it came from.
 */
export function kindwrightDependency(projectFolder: string): string {
  const root = dirname(findPackageJSON(import.meta.url) ?? '.');
  const modules = dirname(root);
  if (basename(modules) !== 'node_modules') return `file:${relative(projectFolder, root)}`;
  const source = installedFrom(modules);
  return source === undefined ? `^${packageVersion()}` : `file:${relative(projectFolder, source)}`;
}

/** The tarball that npm installed the package from, by the lock that it keeps beside what it installed. */
function installedFrom(modules: string): string | undefined {
  const path = join(modules, '.package-lock.json');
  if (!existsSync(path)) return undefined;
  const { resolved } = (JSON.parse(readFileSync(path, 'utf8')) as Lock).packages?.['node_modules/kindwright'] ?? {};
  if (!resolved?.startsWith('file:')) return undefined;
  return resolve(dirname(modules), resolved.slice('file:'.length));
}
