import { pathToFileURL } from 'node:url';
import { KIND_REF } from '../../api/kinds/kind-ref.js';
import { SystemClock } from '../../base/system-clock.js';
import { cacheFolder } from '../../compiler/cache-folder.js';
import { CompileCache } from '../../compiler/compile-cache.js';
import { compilerVersion } from '../../compiler/compiler-version.js';
import { registerTypeScript, type LoadedModules } from '../../compiler/module-hooks.js';
import { buildResourceModels } from '../../resource/build-models.js';
import { CustomResource } from '../../resource/custom-resource.js';
import { ListedDocs } from '../../resource/doc-comments.js';
import { isRun } from '../../resource/is-run.js';
import { controllerOptions, isObjectController } from '../../resource/kinds/controller-class.js';
import type { ResourceClass, ResourceModel } from '../../resource/model.js';

/** The classes of an operator's files. Each life of a process gets modules of its own, as after a crash. */
export class OperatorModules {
  private readonly modules: LoadedModules;
  private readonly versions = new Map<string, number>();
  /** Number of times that the modules were loaded; the memory of each load is never freed. */
  loads = 0;

  /** @param files - absolute paths */
  constructor(
    private readonly files: readonly string[],
    cwd = process.cwd(),
  ) {
    ListedDocs.install();
    const folder = cacheFolder(cwd);
    const cache = folder === undefined ? undefined : new CompileCache(folder, compilerVersion(), new SystemClock());
    this.modules = registerTypeScript(cache, this.versions);
  }

  /** Loads the modules again and returns the models of the classes that run, or that only define a kind. */
  async load(): Promise<ResourceModel[]> {
    this.loads += 1;
    for (const path of this.modules.paths) this.versions.set(path, this.loads);
    const classes = new Set<ResourceClass>();
    for (const file of this.files) {
      const exported = (await import(pathToFileURL(file).href)) as object;
      for (const value of Object.values(exported)) if (isOperatorClass(value)) classes.add(value);
    }
    return buildResourceModels([...classes]);
  }
}

export function runningModels(models: readonly ResourceModel[]): ResourceModel[] {
  return models.filter((model) => isRun(model));
}

function isOperatorClass(value: unknown): value is ResourceClass {
  if (typeof value !== 'function') return false;
  const kind = value as ResourceClass;
  if (isObjectController(kind)) return controllerOptions(kind).for !== undefined;
  return Object.hasOwn(kind, KIND_REF) && kind.prototype instanceof CustomResource;
}
