import type { Plugin } from 'esbuild';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IMPORT_META } from './import-meta.js';

/** The folder of this package. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMPILED = join(PACKAGE_ROOT, 'dist') + sep;

/** Packages of commands, tests and rare features, which kindwright loads on demand. */
const ON_DEMAND: readonly string[] = [
  ...['@kubernetes/client-node', 'class-validator', 're2js'],
  ...['@swc/core', 'oxc-parser', 'ws', 'diff', 'fast-check'],
];

/**
 * Loads the modules of this package. Their `require` of packages becomes visible to the bundler, and they find their
 * files in the folder `operator/kindwright` of the bundle.
 *
 * @param included - packages on demand that become part of the bundle
 * @param imported - gets those that other modules import
 */
export function packageModules(included: ReadonlySet<string>, imported: Set<string>): Plugin {
  return {
    name: 'package-modules',
    setup: (build) => {
      build.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
        if (!ON_DEMAND.includes(path) || included.has(path)) return undefined;
        if (importer.startsWith(COMPILED)) return { path, namespace: 'absent-package' };
        imported.add(path);
        return undefined;
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
