import type { Plugin } from 'esbuild';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../../base/package-version.js';
import type { BundleRequest } from './bundle-operators.js';

/** The name of the module that a bundle starts with. */
export const ENTRY = 'kindwright:operator';

const START = fileURLToPath(new URL('../bundled/start-bundle.js', import.meta.url));

/**
 * Provides the module that starts the operators of a bundle, and loads each of their files on demand.
 *
 * Node maps the stack traces of modules that it loads after source maps are enabled, so all others are loaded then.
 */
export function bundleEntry({ project, files }: BundleRequest): Plugin {
  const loaders = files.map((path) => {
    const name = relative(project, path).replaceAll(sep, '/');
    return `    ${JSON.stringify(name)}: () => import(${JSON.stringify(path)}),`;
  });
  const contents = `#!/usr/bin/env node
import { setSourceMapsSupport } from 'node:module';
setSourceMapsSupport(true);
const files = {
${loaders.join('\n')}
};
import(${JSON.stringify(START)}).then(({ startBundle }) =>
  startBundle({ version: ${JSON.stringify(packageVersion())}, files }),
);
`;
  return {
    name: 'bundle-entry',
    setup: (build) => {
      build.onResolve({ filter: new RegExp(`^${ENTRY}$`) }, () => ({ path: ENTRY, namespace: 'bundle-entry' }));
      build.onLoad({ filter: /.*/, namespace: 'bundle-entry' }, () => ({ contents, resolveDir: project }));
    },
  };
}
