import { readFileSync } from 'node:fs';
import { createRequire, registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Compiler from '../../compiler/compile.js';
import type { CompileCache } from './compile-cache.js';

/**
 * Lets `import` load TypeScript: always as an ES module, and `./x.js` or `./x` where only `x.ts` exists.
 *
 * The compiler is loaded by the first file that is not in the cache. Packages are left as they are.
 * @returns the paths of what it has loaded so far
 */
export function registerTypeScript(cache: CompileCache | undefined): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load: LoadHookSync = (url, context, nextLoad) => {
    if (!isTypeScript(url)) return nextLoad(url, context);
    const path = fileURLToPath(url);
    loaded.add(path);
    return { format: 'module', source: compiled(path, cache), shortCircuit: true };
  };
  registerHooks({ resolve, load });
  return loaded;
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
  const source = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  const hit = cache?.get(path, source);
  if (hit !== undefined) return hit;
  const { compileWithInlineMap } = createRequire(import.meta.url)('../../compiler/compile.js') as typeof Compiler;
  const code = compileWithInlineMap(path, source);
  cache?.put(path, source, code);
  return code;
}
