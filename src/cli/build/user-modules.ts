import type { Plugin } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { compileWithInlineMap } from '../../compiler/compile.js';
import type { BundleRequest } from './bundle-operators.js';
import { IMPORT_META } from './import-meta.js';

/**
 * Compiles the TypeScript modules of a project as run-operator does: esbuild itself writes no types of decorated members.
 * The URL of a module is the address that the source has relative to the bundle.
 */
export function userModules({ project, out }: BundleRequest, warn: (message: string) => void): Plugin {
  return {
    name: 'user-modules',
    setup: (build) => {
      build.onLoad({ filter: /\.m?ts$/ }, ({ path }) => {
        if (path.includes(`${sep}node_modules${sep}`)) return undefined;
        const name = relative(project, path).replaceAll(sep, '/');
        const code = compileWithInlineMap(name, readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), path);
        const address = `${IMPORT_META}.url`;
        if (!code.includes(address)) return { contents: code };
        warn(
          `${name}: the files that it reads with ${address} are not part of the bundle; copy them in the Dockerfile`,
        );
        const place = relative(join(out, 'operator'), path).replaceAll(sep, '/');
        return { contents: code.replaceAll(address, `new URL("${place}", ${address}).href`) };
      });
    },
  };
}
