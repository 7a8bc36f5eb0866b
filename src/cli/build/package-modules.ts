import type { Plugin } from 'esbuild';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IMPORT_META } from './import-meta.js';

/**
 * The package of constraints. Operators import its decorators; kindwright needs all of it, but only for `@RuntimeOnly`.
 */
export const VALIDATOR = 'class-validator';

/** The folder of this package. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMPILED = join(PACKAGE_ROOT, 'dist') + sep;

/** Packages of commands, tests and rare features, which kindwright loads on demand. */
const ON_DEMAND: readonly string[] = [
  ...['@kubernetes/client-node', VALIDATOR, 're2js'],
  ...['@swc/core', 'oxc-parser', 'ws', 'diff', 'fast-check', 'socks'],
];

/**
 * Loads the modules of this package. Their `require` of packages becomes visible to the bundler, and they find their
 * files in the folder `operator/kindwright` of the bundle.
 *
 * @param included - packages on demand that become part of the bundle
 * @param imported - gets those that other modules import, without class-validator
 */
export function packageModules(included: ReadonlySet<string>, imported: Set<string>): Plugin {
  return {
    name: 'package-modules',
    setup: (build) => {
      build.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
        if (!ON_DEMAND.includes(path) || included.has(path)) return undefined;
        if (importer.startsWith(COMPILED)) return { path, namespace: 'absent-package' };
        if (path !== VALIDATOR) imported.add(path);
        return undefined;
      });
      build.onResolve({ filter: new RegExp(`^${VALIDATOR}$`) }, async ({ path, pluginData, ...from }) => {
        if (pluginData === AS_ES_MODULES) return undefined;
        const found = await build.resolve(path, { ...from, pluginData: AS_ES_MODULES });
        const index = found.path.replace(/\bcjs(?=[/\\]index\.js$)/, 'esm5');
        return existsSync(index) ? { ...found, path: index, sideEffects: false } : found;
      });
      // Imports without names only order the modules of this package; without this, unused modules would be kept.
      build.onResolve({ filter: /^\.\.?\// }, ({ path, importer }) =>
        importer.startsWith(COMPILED) ? { path: join(dirname(importer), path), sideEffects: false } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'absent-package' }, ({ path }) => ({
        contents: `throw new Error(${JSON.stringify(absentMessage(path))});\nmodule.exports = {};`,
      }));
      build.onLoad({ filter: /\.js$/ }, ({ path }) => {
        if (!path.startsWith(COMPILED)) return undefined;
        const place = `./kindwright/${relative(PACKAGE_ROOT, path).replaceAll(sep, '/')}`;
        const located = withRequire(readFileSync(path, 'utf8'));
        return { contents: located.replaceAll(`${IMPORT_META}.url`, `new URL("${place}", ${IMPORT_META}.url)`) };
      });
    },
  };
}

/** Marks a resolution that replaces CommonJS modules by ES modules, so that the bundler drops unused ones. */
const AS_ES_MODULES = Symbol('as ES modules');

function absentMessage(name: string): string {
  return `${name} is not part of this bundle; add import '${name}' to a file of the operator, and run kindwright build again`;
}

/** A call of createRequire. It ends a statement, or is called itself. */
const CREATE_REQUIRE = /(?:\(0, )?[\w.]*\bcreateRequire\d*\)?\(new URL\("[^"]*", import\.meta\.url\)\.href\)/;
const VARIABLE = new RegExp(`\\bvar (\\w+) = ${CREATE_REQUIRE.source};`, 'g');
const CALL = new RegExp(`${CREATE_REQUIRE.source}\\("([^"./][^"]*)"\\)`, 'g');

/** Replaces functions of createRequire by `require`, which the bundler resolves. */
function withRequire(text: string): string {
  const names = [...text.matchAll(VARIABLE)].map(([, name = '']) => name);
  const direct = text.replaceAll(VARIABLE, '').replaceAll(CALL, 'require("$1")');
  return names.reduce((code, name) => code.replaceAll(new RegExp(`(?<![\\w.])${name}\\("`, 'g'), 'require("'), direct);
}
