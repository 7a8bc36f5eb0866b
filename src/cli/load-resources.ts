import { setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KIND_REF } from '../api/kind-ref.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import { compilerVersion } from '../compiler/compiler-version.js';
import { assertSingleInstance } from '../resource/copies.js';
import { CustomResource } from '../resource/custom-resource.js';
import { buildResourceModels } from '../resource/build-models.js';
import { isAdmissionClass } from '../resource/kinds/admission-class.js';
import { controllerOptions, isObjectController } from '../resource/kinds/controller-class.js';
import type { ResourceClass, ResourceModel } from '../resource/model.js';
import { displayPath } from '../base/display-path.js';
import { DEFAULT_PATTERN, findFiles, type FoundFile } from './find-files.js';
import { cacheFolder } from './loader/cache-folder.js';
import { CompileCache } from './loader/compile-cache.js';
import { toLoadError } from './loader/load-error.js';
import { registerTypeScript } from './loader/module-hooks.js';

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
  const files = findFiles(patterns.length > 0 ? patterns : [DEFAULT_PATTERN], cwd);
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  const loaded = registerTypeScript(compileCache(cwd));
  const sources = new Map<ResourceClass, string>();
  for (const file of files) {
    for (const target of await resourceClasses(file, loaded))
      if (!sources.has(target)) sources.set(target, displayPath(file.path, cwd));
  }
  const targets = [...sources.keys()];
  if (targets.length === 0) throw nothingFound(files);
  return buildResourceModels(targets).map((model) => ({ model, sourceFile: sources.get(model.target) ?? '' }));
}

/** Returns the operators of a file. A file passed by name also returns other classes, to report their errors. */
async function resourceClasses(file: FoundFile, loaded: ReadonlySet<string>): Promise<ResourceClass[]> {
  const kinds = Object.values(await importModule(file.path, loaded)).filter(isAnnotated);
  const operators = kinds.filter(
    (kind) => kind.prototype instanceof CustomResource || isObjectController(kind) || isAdmissionClass(kind),
  );
  if (!file.isNamed || operators.length > 0) return operators;
  if (kinds.length === 0) throw nothingFound([file]);
  return kinds;
}

async function importModule(path: string, loaded: ReadonlySet<string>): Promise<object> {
  try {
    return (await import(pathToFileURL(path).href)) as object;
  } catch (error) {
    throw toLoadError(error, path, (module) => module === path || loaded.has(module));
  }
}

/** Returns true for a class with `@Kind`, `@Controller({ for })` or `@Admission`. */
function isAnnotated(value: unknown): value is ResourceClass {
  if (typeof value !== 'function') return false;
  if (isAdmissionClass(value as ResourceClass)) return true;
  return Object.hasOwn(value, KIND_REF) || controllerOptions(value as ResourceClass).for !== undefined;
}

function nothingFound(files: readonly FoundFile[]): OperatorError {
  assertSingleInstance(); // operators built with another copy of the package are not recognized
  const names = files.map(({ path }) => displayPath(path));
  return new OperatorError(`no operator in ${names.join(', ')}`, {
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
