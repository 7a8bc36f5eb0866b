import type { Plugin } from 'esbuild';
import { isBuiltin } from 'node:module';
import { IMPORT_META } from './import-meta.js';

/** Lets bundled CommonJS modules require modules of Node and external packages; ES modules have no `require`. */
export function commonJsModules(external: readonly string[]): Plugin {
  const isExternal = (path: string): boolean => external.some((name) => path === name || path.startsWith(`${name}/`));
  return {
    name: 'common-js-modules',
    setup: (build) => {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind !== 'require-call') return undefined;
        if (isBuiltin(path)) return { path, namespace: 'required-builtin' };
        return isExternal(path) ? { path, namespace: 'required-external' } : undefined;
      });
      build.onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      }));
      build.onLoad({ filter: /.*/, namespace: 'required-external' }, ({ path }) => ({
        contents: `import { createRequire } from 'node:module';
const loaded = createRequire(${IMPORT_META}.url)(${JSON.stringify(path)});
export { loaded as 'module.exports' };`,
      }));
    },
  };
}
