import { existsSync } from 'node:fs';
import { createRequire, registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readText } from '../base/read-text.js';
import type * as Compiler from './compile.js';
import type { CompileCache } from './compile-cache.js';

/** The loaded modules of the user; grows during imports. */
export interface LoadedModules {
  readonly paths: ReadonlySet<string>;
  /** The paths that each module imports. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** The paths of modules that Node cannot load again: those in CommonJS. */
  readonly permanent: ReadonlySet<string>;
}

/**
 * Lets `import` load TypeScript: always as an ES module, and `./x.js` or `./x` where only `x.ts` exists.
 *
 * The compiler is loaded by the first file that is not in the cache. Packages are left as they are.
 *
 * @param versions by path, read at each import: a module with another version than before is loaded again
 */
export function registerTypeScript(
  cache: CompileCache | undefined,
  versions: ReadonlyMap<string, number> = new Map(),
): LoadedModules {
  const paths = new Set<string>();
  const imports = new Map<string, Set<string>>();
  const permanent = new Set<string>();
  const load: LoadHookSync = (url, context, nextLoad) => {
    if (!isTypeScript(url)) {
      const loaded = nextLoad(url, context);
      const isReloadable = loaded.format === 'module' || loaded.format === 'json';
      if (!isReloadable && isProjectFile(url) && paths.has(fileURLToPath(url))) permanent.add(fileURLToPath(url));
      return loaded;
    }
    const path = fileURLToPath(url);
    paths.add(path);
    return { format: 'module', source: compiled(path, cache), shortCircuit: true };
  };
  const resolveImport: ResolveHookSync = (specifier, context, nextResolve) => {
    const resolved = resolve(specifier, context, nextResolve);
    if (specifier === VALIDATOR) return { ...resolved, ...asOneFile(resolved.url) };
    if (!isProjectFile(resolved.url)) return resolved;
    const path = fileURLToPath(resolved.url);
    const importer = importerOf(context.parentURL, paths);
    if (importer !== undefined && (isTypeScript(resolved.url) || specifier.startsWith('.'))) {
      paths.add(path);
      imports.set(importer, (imports.get(importer) ?? new Set()).add(path));
    }
    const version = versions.get(path);
    return version === undefined ? resolved : { ...resolved, url: `${pathToFileURL(path).href}?version=${version}` };
  };
  registerHooks({ resolve: resolveImport, load });
  return { paths, imports, permanent };
}

const VALIDATOR = 'class-validator';

/**
 * The installed class-validator as one file, which this package has for one version of it: its 200 files and those of its
 * dependencies take a quarter of the start of an operator. Both share the metadata of decorators, which are global.
 */
function asOneFile(url: string): { readonly url: string; readonly format: string } | undefined {
  if (!url.endsWith(`/node_modules/${VALIDATOR}/cjs/index.js`)) return undefined;
  const { version } = JSON.parse(readText(fileURLToPath(new URL('../package.json', url)))) as { version: string };
  const file = new URL(`../packages/${VALIDATOR}-${version}.js`, import.meta.url);
  return existsSync(file) ? { url: file.href, format: 'module' } : undefined;
}

/** The path of the importing module if it is the user's. */
function importerOf(url = '', paths: ReadonlySet<string>): string | undefined {
  if (!isProjectFile(url)) return undefined;
  const path = fileURLToPath(url);
  return isTypeScript(url) || paths.has(path) ? path : undefined;
}

function isProjectFile(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/');
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
  return isProjectFile(url) && /\.m?ts(\?|#|$)/.test(url);
}

function compiled(path: string, cache: CompileCache | undefined): string {
  const source = readText(path);
  const hit = cache?.get(path, source);
  if (hit !== undefined) return hit;
  const { compileWithInlineMap } = createRequire(import.meta.url)('./compile.js') as typeof Compiler;
  const code = compileWithInlineMap(path, source);
  cache?.put(path, source, code);
  return code;
}
