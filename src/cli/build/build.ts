import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { displayPath } from '../../base/display-path.js';
import { compilesPatterns } from '../../base/pattern.js';
import { SystemClock } from '../../base/system-clock.js';
import { writeAtomically } from '../../base/write-atomically.js';
import { generateManifests } from '../../manifests/generate.js';
import { assertKnownOperators, type ManifestOptions } from '../../manifests/operator.js';
import { outputError } from '../../manifests/output/output-error.js';
import { buildCheckedModels } from '../../resource/build-models.js';
import { hasRuntimeRules } from '../../resource/instances/runtime-problems.js';
import { DEFAULT_PATTERN, findFiles } from '../find-files.js';
import { loadDeployable } from '../load-deployable.js';
import { readProjectSettings } from '../read-project-settings.js';
import { assertValidSamples } from '../valid-samples.js';
import { bundleOperators } from './bundle-operators.js';
import type { BundleFile } from './live-outputs.js';
import { VALIDATOR } from './package-modules.js';

/** Command-line options of build. */
export interface BuildOptions {
  readonly out: string;
  /** Packages that stay outside of the bundle. */
  readonly external?: readonly string[];
}

/**
 * Bundles the operators in files, after the checks of generate-manifests.
 *
 * @throws OperatorError with the errors in their classes, or in what they import.
 */
export async function build(patterns: readonly string[], { out, external = [] }: BuildOptions): Promise<void> {
  const clock = new SystemClock();
  const start = clock.monotonic();
  const warn = (message: string): void => void process.stderr.write(`warning: ${message}\n`);
  assertOwn(resolve(out));
  const { needed } = await checkOperators(patterns, { ...readProjectSettings(), warn });
  const files = findFiles(patterns.length > 0 ? patterns : [DEFAULT_PATTERN], process.cwd());
  const bundled = await bundleOperators({
    project: process.cwd(),
    out: resolve(out),
    files: files.map(({ path }) => path),
    external,
    needed,
    warn,
  });
  writeBundle(resolve(out), bundled);
  printReport(bundled, clock.monotonic() - start);
}

/**
 * Returns the packages on demand that the models of the classes need.
 *
 * @throws OperatorError with the errors that generate-manifests reports.
 */
async function checkOperators(
  patterns: readonly string[],
  options: ManifestOptions,
): Promise<{ readonly needed: readonly string[] }> {
  const resources = await loadDeployable(patterns, options);
  if (patterns.length === 0) assertKnownOperators(resources, options);
  generateManifests(resources, options);
  await assertValidSamples(resources);
  const { unwatchedCalls } = await import('../rbac/unwatched-calls.js'); // loads a parser
  for (const warning of unwatchedCalls(resources)) options.warn?.(warning);
  const start = () => void buildCheckedModels(resources.map(({ model }) => model.target));
  const hasRuntimeOnly = resources.some(({ model }) => hasRuntimeRules(model.classModel.fields));
  return { needed: [...(compilesPatterns(start) ? ['re2js'] : []), ...(hasRuntimeOnly ? [VALIDATOR] : [])] };
}

/** A name in the file that starts a bundle. */
const OWN_MARK = 'startBundle';
/** The names that esbuild gives the modules of a bundle end with a hash. */
const MODULES = `operator/*-${'[A-Z0-9]'.repeat(8)}.{mjs,mjs.map}`;

/** @throws OperatorError if the file that starts a bundle would replace another file. */
function assertOwn(out: string): void {
  const entry = join(out, 'operator.mjs');
  if (!existsSync(entry) || readFileSync(entry, 'utf8').includes(OWN_MARK)) return;
  throw outputError(
    `${displayPath(entry)} was not written by kindwright build; nothing was written`,
    'choose another folder with --out, or delete the file',
  );
}

/**
 * Writes the files of a bundle and deletes those of earlier ones. Other files in the folder stay.
 */
function writeBundle(out: string, files: readonly BundleFile[]): void {
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, contents);
  }
  if (existsSync(join(out, 'operator.mjs'))) chmodSync(join(out, 'operator.mjs'), 0o755);
  const written = new Set(files.map(({ path }) => path));
  for (const name of globSync(MODULES, { cwd: out })) if (!written.has(join(out, name))) rmSync(join(out, name));
}

function printReport(files: readonly BundleFile[], ms: number): void {
  const sizes = files.map(({ path, contents }) => ({ path: displayPath(path), bytes: Buffer.byteLength(contents) }));
  const code = sizes.filter(({ path }) => !path.endsWith('.map'));
  const width = Math.max(...code.map(({ path }) => path.length));
  const lines = code.map(({ path, bytes }) => `${path.padEnd(width)}  ${sizeText(bytes).padStart(8)}`);
  const total = code.reduce((sum, { bytes }) => sum + bytes, 0);
  const maps = sizes.reduce((sum, { bytes }) => sum + bytes, 0) - total;
  lines.push(`${sizeText(total)}, and ${sizeText(maps)} of source maps, in ${(ms / 1000).toFixed(1)} s`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}
