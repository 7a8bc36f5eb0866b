import { build, type BuildOptions, type Message, type Plugin } from 'esbuild';
import { isBuiltin } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { displayPath } from '../../base/display-path.js';
import { OperatorError } from '../../base/operator-error.js';
import { packageVersion } from '../../base/package-version.js';
import { readText } from '../../base/read-text.js';
import { compileWithInlineMap } from '../../compiler/compile.js';
import { IMPORT_META } from './import-meta.js';
import { liveOutputs, type BundleFile } from './live-outputs.js';
import { packageModules, VALIDATOR } from './package-modules.js';

/** The name of the module that a bundle starts with. */
const ENTRY = 'kindwright:operator';

const START = fileURLToPath(new URL('../bundled/start-bundle.js', import.meta.url));

const OPTIONS = {
  entryPoints: [{ in: ENTRY, out: 'operator' }],
  outExtension: { '.js': '.mjs' },
  chunkNames: 'operator/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // Identifiers stay as they are: names of classes are names of kinds.
  minifyWhitespace: true,
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  tsconfigRaw: '{}',
  define: { __dirname: `${IMPORT_META}.dirname`, __filename: `${IMPORT_META}.filename` },
  write: false,
  metafile: true,
  logLevel: 'silent',
  logOverride: { 'ignored-bare-import': 'silent' },
} satisfies BuildOptions;

/** The project and the files of a bundle, with absolute paths. */
export interface BundleRequest {
  readonly project: string;
  readonly out: string;
  /** The source files of the operators. */
  readonly files: readonly string[];
  /** Packages that stay outside of the bundle. */
  readonly external: readonly string[];
  /** Packages on demand that the classes need, although no module of the project imports them. */
  readonly needed: readonly string[];
  readonly warn: (message: string) => void;
}

/**
 * Bundles operators: `operator.mjs`, which starts them, and the modules that it loads, in the folder `operator`. Equal
 * sources make equal files, wherever the project is.
 *
 * Packages that kindwright loads on demand are part of the bundle if a module of the project imports them too;
 * class-validator, of which operators import decorators, if a module uses `@RuntimeOnly`.
 *
 * @throws OperatorError (E_LOAD) with the errors of the bundler.
 */
export async function bundleOperators(request: BundleRequest): Promise<BundleFile[]> {
  const first = await bundleWith(request, new Set(request.needed));
  const { imported } = first;
  const result = imported.size === 0 ? first : await bundleWith(request, new Set([...request.needed, ...imported]));
  for (const warning of [...result.warnings, ...result.own]) request.warn(warning);
  return liveOutputs(result.output, request);
}

/** Provides the module that starts the operators of a bundle, and loads each of their files on demand. */
function bundleEntry({ project, files }: BundleRequest): Plugin {
  const loaders = files.map((path) => {
    const name = relative(project, path).replaceAll(sep, '/');
    return `    ${JSON.stringify(name)}: () => import(${JSON.stringify(path)}),`;
  });
  const contents = `#!/usr/bin/env node
import { startBundle } from ${JSON.stringify(START)};
const files = {
${loaders.join('\n')}
};
startBundle({ version: ${JSON.stringify(packageVersion())}, files });
`;
  return {
    name: 'bundle-entry',
    setup: (build) => {
      build.onResolve({ filter: new RegExp(`^${ENTRY}$`) }, () => ({ path: ENTRY, namespace: 'bundle-entry' }));
      build.onLoad({ filter: /.*/, namespace: 'bundle-entry' }, () => ({ contents, resolveDir: project }));
    },
  };
}

/** Lets bundled CommonJS modules require modules of Node and external packages; ES modules have no `require`. */
function commonJsModules(external: readonly string[]): Plugin {
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

/** Uses that need all of class-validator: the decorator, and the import that a message of the bundle asks for. */
const NEEDS_VALIDATOR = /\bRuntimeOnly\b|import\s*['"]class-validator['"]/;

/**
 * Compiles the TypeScript modules of a project as run-operator does: esbuild itself writes no types of decorated members.
 * The URL of a module is the address that the source has relative to the bundle.
 */
function userModules({ project, out }: BundleRequest, imported: Set<string>, warn: (message: string) => void): Plugin {
  return {
    name: 'user-modules',
    setup: (build) => {
      build.onLoad({ filter: /\.m?ts$/ }, ({ path }) => {
        if (path.includes(`${sep}node_modules${sep}`)) return undefined;
        const name = relative(project, path).replaceAll(sep, '/');
        const code = compileWithInlineMap(name, readText(path), path);
        if (NEEDS_VALIDATOR.test(code)) imported.add(VALIDATOR);
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

async function bundleWith(request: BundleRequest, included: ReadonlySet<string>) {
  const { project, out, external } = request;
  const imported = new Set<string>();
  const own: string[] = [];
  const options = {
    ...OPTIONS,
    absWorkingDir: project,
    outdir: out,
    external: [...external],
    plugins: [
      bundleEntry(request),
      packageModules(included, imported),
      commonJsModules(external),
      userModules(request, imported, (warning) => own.push(warning)),
    ],
  } satisfies BuildOptions;
  try {
    const output = await build(options);
    return { output, imported, own, warnings: output.warnings.map((message) => textOf(message, project)) };
  } catch (error) {
    throw bundleError(error, project);
  }
}

function bundleError(error: unknown, project: string): unknown {
  const { errors } = error as { readonly errors?: readonly Message[] };
  if (!errors) return error;
  const thrown: unknown = errors.find(({ detail }) => detail instanceof OperatorError)?.detail;
  if (thrown !== undefined) return thrown;
  return new OperatorError(errors.map((message) => textOf(message, project)).join('\n'), {
    code: 'E_LOAD',
    hint: 'install what is missing; pass --external <package> for a package that cannot be bundled',
    cause: error,
  });
}

function textOf({ text, location }: Message, project: string): string {
  if (!location) return text;
  const file = relative(project, displayPath(location.file));
  return `${file}:${location.line}: ${text}`;
}
