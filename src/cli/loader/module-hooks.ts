import { createRequire, registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readText } from '../../base/read-text.js';
import type * as Compiler from '../../compiler/compile.js';
import type { CompileCache } from './compile-cache.js';

/** The loaded modules of the user; grows during imports. */
export interface LoadedModules {
  readonly paths: ReadonlySet<string>;
  /** The paths that each module imports. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The package of the constraints, which most operators import. Its 200 files are loaded without hooks, which would be called for
 * each of them; it has no effects that depend on the order of imports.
 */
const CONSTRAINTS = 'class-validator';

/**
 * Lets `import` load TypeScript: always as an ES module, and `./x.js` or `./x` where only `x.ts` exists.
 *
 * The compiler is loaded by the first file that is not in the cache. Packages are left as they are.
 */
export function registerTypeScript(cache: CompileCache | undefined): LoadedModules {
  const paths = new Set<string>();
  const imports = new Map<string, Set<string>>();
  const load: LoadHookSync = (url, context, nextLoad) => {
    if (!isTypeScript(url)) return nextLoad(url, context);
    const path = fileURLToPath(url);
    paths.add(path);
    return { format: 'module', source: compiled(path, cache), shortCircuit: true };
  };
  const resolveImport: ResolveHookSync = (specifier, context, nextResolve) => {
    const resolved = resolve(specifier, context, nextResolve);
    const importer = context.parentURL ?? '';
    if (specifier === CONSTRAINTS && isTypeScript(importer)) requireWithoutHooks(specifier, importer);
    if (!isTypeScript(importer) || !isTypeScript(resolved.url)) return resolved;
    const importing = fileURLToPath(importer);
    imports.set(importing, (imports.get(importing) ?? new Set()).add(fileURLToPath(resolved.url)));
    return resolved;
  };
  const register = () => registerHooks({ resolve: resolveImport, load });
  let hooks = register();
  const requireWithoutHooks = (specifier: string, importer: string): void => {
    hooks.deregister();
    try {
      createRequire(importer)(specifier);
    } catch {
      // The import that follows fails for the same reason, and reports it.
    } finally {
      hooks = register();
    }
  };
  return { paths, imports };
}

const resolve: ResolveHookSync = (specifier, context, nextResolve) => {
  try {
    return nextResolve(specifier, context);
  } catch (error) {
    if (!/^\.\.?\//.test(specifier) || !isTypeScript(context.parentURL ?? '')) throw error;
    try {
      return nextResolve(asTypeScript(specifier), context);
    } catch {
      throw error;
    }
  }
};

function asTypeScript(specifier: string): string {
  return /\.m?js$/.test(specifier) ? specifier.replace(/js$/, 'ts') : `${specifier}.ts`;
}

function isTypeScript(url: string): boolean {
  return url.startsWith('file:') && /\.m?ts(\?|#|$)/.test(url) && !url.includes('/node_modules/');
}

function compiled(path: string, cache: CompileCache | undefined): string {
  const source = readText(path);
  const hit = cache?.get(path, source);
  if (hit !== undefined) return hit;
  const { compileWithInlineMap } = createRequire(import.meta.url)('../../compiler/compile.js') as typeof Compiler;
  const code = compileWithInlineMap(path, source);
  cache?.put(path, source, code);
  return code;
}
