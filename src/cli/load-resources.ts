import { setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { KindRef } from '../api/kind-ref.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import { compilerVersion } from '../compiler/compiler-version.js';
import { assertSingleInstance } from '../resource/single-instance.js';
import { ListedDocs } from '../resource/doc-comments.js';
import { buildResourceModels } from '../resource/build-models.js';
import { isAdmissionClass } from '../resource/kinds/admission-class.js';
import type { ResourceClass, ResourceModel } from '../resource/model.js';
import { displayPath } from '../base/display-path.js';
import { DEFAULT_PATTERN, findFiles, type FoundFile } from './find-files.js';
import { cacheFolder } from './loader/cache-folder.js';
import { CompileCache } from './loader/compile-cache.js';
import { toLoadError } from './loader/load-error.js';
import { registerTypeScript, type LoadedModules } from './loader/module-hooks.js';
import { isAnnotated, isOperator } from './operator-class.js';
import { isHelper, rejectedClasses, type LoadedFile } from './rejected-classes.js';

/** An operator and the file it is in. */
export interface LoadedResource {
  readonly model: ResourceModel;
  /** Relative to the working directory. */
  readonly sourceFile: string;
}

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
export async function loadProject(patterns: readonly string[], cwd = process.cwd()): Promise<LoadedProject> {
  const files = findFiles(patterns.length > 0 ? patterns : [DEFAULT_PATTERN], cwd);
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  const docs = ListedDocs.install();
  const modules = registerTypeScript(compileCache(cwd));
  const sources = new Map<ResourceClass, string>();
  const loadedFiles: LoadedFile[] = [];
  for (const file of files) {
    const exported = Object.values(await importModule(file.path, modules.paths));
    const loaded = { path: file.path, exported };
    loadedFiles.push(loaded);
    assertExported(docs, file, exported);
    const found = resourceClasses(file, exported);
    if (found.length === 0 && file.isNamed && !isHelper(loaded, docs)) throw nothingFound(docs, [loaded]);
    for (const target of found) if (!sources.has(target)) sources.set(target, displayPath(file.path, cwd));
  }
  const targets = [...sources.keys()];
  if (targets.length === 0) throw nothingFound(docs, loadedFiles);
  const models = buildResourceModels(targets);
  return { resources: models.map((model) => ({ model, sourceFile: sources.get(model.target) ?? '' })), modules };
}

/**
 * Returns the parts of kinds in the exported lists `caches` of files whose resources were loaded.
 *
 * @throws OperatorError (E_PART) for an export of that name that is not a list.
 */
export async function loadCaches(patterns: readonly string[], cwd = process.cwd()): Promise<KindRef[]> {
  const found = new Set<KindRef>(); // a module may export the list of another one
  for (const { path } of findFiles(patterns.length > 0 ? patterns : [DEFAULT_PATTERN], cwd)) {
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

/** Returns the operators of a file. A file passed by name also returns other classes, to report their errors. */
function resourceClasses(file: FoundFile, exported: readonly unknown[]): ResourceClass[] {
  const kinds = exported.filter(isAnnotated);
  const operators = kinds.filter(isOperator);
  return !file.isNamed || operators.length > 0 ? operators : kinds;
}

/**
 * Throws for an operator class without `export`, which would be ignored silently. Kinds without `reconcile` need not be
 * exported.
 */
function assertExported(docs: ListedDocs, { path }: FoundFile, exported: readonly unknown[]): void {
  const hidden = docs.classes
    .filter(isAnnotated)
    .filter((kind) => docs.get(kind)?.source?.file === path && !exported.includes(kind))
    .find((kind) => isOperator(kind) && ('reconcile' in (kind.prototype as object) || isAdmissionClass(kind)));
  if (!hidden) return;
  const place = `${displayPath(path)}:${docs.get(hidden)?.source?.line ?? 1}`;
  throw new OperatorError(`${place}: ${hidden.name} is not exported, so it would not run`, {
    code: 'E_NO_OPERATOR',
    hint: `write: export class ${hidden.name}`,
  });
}

async function importModule(path: string, loaded: ReadonlySet<string>): Promise<object> {
  try {
    return (await import(pathToFileURL(path).href)) as object;
  } catch (error) {
    throw toLoadError(error, path, (module) => module === path || loaded.has(module));
  }
}

function nothingFound(docs: ListedDocs, files: readonly LoadedFile[]): OperatorError {
  assertSingleInstance(); // operators built with another copy of the package are not recognized
  const names = files.map(({ path }) => displayPath(path));
  const lines = [`no operator in ${names.join(', ')}`, ...rejectedClasses(files, docs)];
  return new OperatorError(lines.join('\n  '), {
    code: 'E_NO_OPERATOR',
    hint:
      'an operator is an exported class: @Kind({ group, version }) export class PodSet extends CustomResource, ' +
      'or @Controller({ for: Namespace }) export class Labels extends ObjectController<Namespace>',
  });
}

function compileCache(cwd: string): CompileCache | undefined {
  const folder = cacheFolder(cwd);
  if (folder === undefined) return undefined;
  return new CompileCache(join(folder, 'compiled'), compilerVersion(), new SystemClock());
}
