import { build, type BuildOptions, type BuildResult, type Message } from 'esbuild';
import { relative } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import { displayPath } from '../../base/display-path.js';
import { bundleEntry, ENTRY } from './bundle-entry.js';
import { commonJsModules } from './common-js-modules.js';
import { IMPORT_META } from './import-meta.js';
import { liveOutputs, type BundleFile } from './live-outputs.js';
import { packageModules } from './package-modules.js';
import { userModules } from './user-modules.js';

/** What to bundle, with absolute paths. */
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
 * Packages that kindwright loads on demand are part of the bundle if a module of the project imports them too.
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
      userModules(request, (warning) => own.push(warning)),
    ],
  } satisfies BuildOptions;
  try {
    const output = await build(options);
    return { output, imported, own, warnings: output.warnings.map((message) => textOf(message, project)) };
  } catch (error) {
    throw bundleError(error, project);
  }
}

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

/** The result of esbuild with these options. */
export type BundleOutput = BuildResult<typeof OPTIONS>;

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
