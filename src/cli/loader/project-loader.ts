import { setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { displayPath } from '../../base/display-path.js';
import { OperatorError } from '../../base/operator-error.js';
import { SystemClock } from '../../base/system-clock.js';
import { compilerVersion } from '../../compiler/compiler-version.js';
import { checkFeatureGates, featureGatesOf } from '../../manifests/feature-gates-of.js';
import { buildResourceModels } from '../../resource/build-models.js';
import { assertSingleInstance } from '../../resource/instances/single-instance.js';
import { setFeatureGates, type FeatureGates } from '../../resource/feature-gates.js';
import { ListedDocs } from '../../resource/doc-comments.js';
import { isAdmissionClass } from '../../resource/kinds/admission-class.js';
import type { ResourceClass, ResourceModel } from '../../resource/model.js';
import { sourceFiles, type FoundFile } from '../find-files.js';
import { isAnnotated, isOperator } from '../operator-class.js';
import { printWarning } from '../print-line.js';
import { readProjectSettings } from '../read-project-settings.js';
import { isHelper, rejectedClasses, type LoadedFile } from '../rejected-classes.js';
import { cacheFolder } from '../../compiler/cache-folder.js';
import { CompileCache } from '../../compiler/compile-cache.js';
import { toLoadError } from './load-error.js';
import { registerTypeScript, type LoadedModules } from '../../compiler/module-hooks.js';

/** An operator and the file it is in. */
export interface LoadedResource {
  readonly model: ResourceModel;
  /** Relative to the working directory. */
  readonly sourceFile: string;
}

/** Loads the operators of files, again after their modules have changed. */
export class ProjectLoader {
  readonly modules: LoadedModules;
  private readonly docs = ListedDocs.install();
  /** The paths of modules that were loaded again, with the number of that load. */
  private readonly versions = new Map<string, number>();
  private loads = 0;
  /** The modules that may have failed to load: Node loads a failed one again only in another version. */
  private uncertain: ReadonlySet<string> = new Set();

  /** @param featureGates - states of feature gates, in place of those in package.json */
  constructor(
    private readonly patterns: readonly string[],
    private readonly cwd = process.cwd(),
    private readonly featureGates: FeatureGates = {},
  ) {
    setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
    this.modules = registerTypeScript(compileCache(cwd), this.versions);
  }

  /** The files of the patterns. */
  get files(): string[] {
    return sourceFiles(this.patterns, this.cwd).map(({ path }) => path);
  }

  /** Loads the modules that are not loaded yet. @throws see `loadResources` */
  async load(): Promise<LoadedResource[]> {
    const { docs, cwd, modules } = this;
    const sources = new Map<ResourceClass, string>();
    const loadedFiles: LoadedFile[] = [];
    for (const file of sourceFiles(this.patterns, cwd)) {
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
    return this.build(targets).map((model) => ({ model, sourceFile: sources.get(model.target) ?? '' }));
  }

  /** Builds the models with the feature gates of the project and of the command. */
  private build(targets: readonly ResourceClass[]): ResourceModel[] {
    const { featureGates: ofProject = {} } = readProjectSettings(this.cwd);
    const all = { ...ofProject, ...this.featureGates };
    setFeatureGates(all);
    const models = buildResourceModels(targets);
    const stated = this.patterns.length === 0 ? all : this.featureGates; // the project's can be those of other files
    for (const warning of checkFeatureGates(stated, featureGatesOf(models))) printWarning(warning);
    return models;
  }

  /**
   * Loads changed modules again, and those that import them; the classes of others stay the same.
   *
   * After an error, the classes that were loaded before can still be used.
   * @throws see `loadResources`
   */
  async reload(changed: Iterable<string>): Promise<LoadedResource[]> {
    const again = withImporters([...changed, ...this.uncertain], this.modules);
    this.loads += 1;
    for (const path of again) this.versions.set(path, this.loads);
    this.docs.forget((file) => again.has(file));
    this.uncertain = again;
    const resources = await this.load();
    this.uncertain = new Set();
    return resources;
  }
}

/** The modules, and all that import them, also indirectly. */
function withImporters(paths: readonly string[], { imports }: LoadedModules): Set<string> {
  const reached = new Set(paths);
  for (const path of reached) for (const [importer, imported] of imports) if (imported.has(path)) reached.add(importer);
  return reached;
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
