import { pathToFileURL } from 'node:url';
import type { KindRef } from '../api/kinds/kind-ref.js';
import { displayPath } from '../base/display-path.js';
import { OperatorError } from '../base/operator-error.js';
import type { FeatureGates } from '../resource/feature-gates.js';
import { sourceFiles } from './find-files.js';
import type { LoadedModules } from '../compiler/module-hooks.js';
import { ProjectLoader, type LoadedResource } from './loader/project-loader.js';

export type { LoadedResource } from './loader/project-loader.js';

/**
 * Loads the annotated classes that files export. Names, folders and globs; none means `operators/**\/*.ts`.
 *
 * @throws OperatorError (a ModelError for mistakes in annotations) that names file, class and what to do.
 */
export async function loadResources(patterns: readonly string[], cwd = process.cwd()): Promise<LoadedResource[]> {
  return (await loadProject(patterns, cwd)).resources;
}

/** The operators of files, and the modules that were loaded for them. */
export interface LoadedProject {
  readonly resources: LoadedResource[];
  readonly modules: LoadedModules;
}

/** Loads the same as {@link loadResources}, with its errors. */
export async function loadProject(
  patterns: readonly string[],
  cwd = process.cwd(),
  featureGates: FeatureGates = {},
): Promise<LoadedProject> {
  const loader = new ProjectLoader(patterns, cwd, featureGates);
  return { resources: await loader.load(), modules: loader.modules };
}

/**
 * Returns the parts of kinds in the exported lists `caches` of files whose resources were loaded.
 *
 * @throws OperatorError (E_PART) for an export of that name that is not a list.
 */
export async function loadCaches(patterns: readonly string[], cwd = process.cwd()): Promise<KindRef[]> {
  const found = new Set<KindRef>(); // a module may export the list of another one
  for (const { path } of sourceFiles(patterns, cwd)) {
    const { caches = [] } = (await import(pathToFileURL(path).href)) as { readonly caches?: unknown };
    if (!Array.isArray(caches))
      throw new OperatorError(`${displayPath(path, cwd)}: the export caches is not a list`, {
        code: 'E_PART',
        hint: `export const caches = [partOf(Pod, { labelSelector: '…' })], or give it another name`,
      });
    for (const kind of caches as readonly KindRef[]) found.add(kind);
  }
  return [...found];
}
