import { join, resolve } from 'node:path';
import { OperatorError } from '../base/operator-error.js';
import { deleteFiles, writeManifests } from '../manifests/output/write.js';
import { diffManifests } from '../manifests/output/diff.js';
import type { GeneratedFile } from '../manifests/output/generated-file.js';
import { generateManifests } from '../manifests/generate.js';
import {
  assertKnownOperators,
  type CertificateSource,
  type LayoutName,
  type ManifestOptions,
  type ManifestSource,
} from '../manifests/operator.js';
import type { ProjectSettings } from '../manifests/settings/project-settings.js';
import { staleFiles } from '../manifests/output/stale-files.js';
import { assertValidSamples } from './valid-samples.js';
import { guardApi } from './evolution/guard-api.js';
import { guardStoredObjects } from './evolution/guard-stored-objects.js';
import { loadResources } from './load-resources.js';
import { readProjectSettings } from './read-project-settings.js';

const DEFAULT_OUT = 'crds-out';

/** Command-line options of generate-manifests. */
export interface GenerateManifestsOptions {
  readonly out?: string;
  readonly layout?: LayoutName;
  readonly check?: boolean;
  readonly prune?: boolean;
  /** File with the recorded requests that the rules are compared with. */
  readonly checkRbac?: string;
  readonly against?: string;
  readonly allowBreaking?: boolean;
  readonly cluster?: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly image?: string;
  readonly namespace?: string;
  readonly watchNamespace?: readonly string[];
  readonly certificates?: CertificateSource;
  /** Also write alerts and a dashboard. */
  readonly monitoring?: boolean;
  /** False to omit all descriptions. */
  readonly descriptions?: boolean;
  readonly maxDescriptionLength?: number;
}

/**
 * Writes the manifests of the operators in files, or compares them with the existing ones.
 *
 * @throws OperatorError when compared files differ, the API has breaking changes, stored objects are invalid, or the
 * RBAC rules differ from the recorded requests
 */
export async function writeOrCheckManifests(
  patterns: readonly string[],
  options: GenerateManifestsOptions,
): Promise<void> {
  const settings = readProjectSettings();
  const { out = settings.out ?? DEFAULT_OUT, check } = options;
  const resources = await loadResources(patterns);
  const manifestOptions = manifestOptionsOf(options, settings);
  const isWhole = patterns.length === 0;
  if (isWhole) assertKnownOperators(resources, manifestOptions);
  const files = generateManifests(resources, manifestOptions);
  await assertValidSamples(resources);
  // The guards read definitions from the plain layout: in a chart they are templates.
  const { layout = 'plain', warn, ...others } = manifestOptions; // the second time without the same warnings
  const plain = layout === 'plain' ? files : generateManifests(resources, { ...others, layout: 'plain' });
  await guard(plain, { ...options, out }, isWhole);
  const { unwatchedCalls } = await import('./rbac/unwatched-calls.js'); // loads a parser
  for (const warning of unwatchedCalls(resources)) warn?.(warning);
  if (options.checkRbac !== undefined) {
    const { checkRbac } = await import('./rbac/check-rbac.js'); // loads a parser
    checkRbac(resources, options.checkRbac);
  }
  const stale = staleFiles({ files, isWhole, sourceFiles: sourceFilesOf(resources) }, resolve(out));
  if (check) {
    compare(diffManifests(files, resolve(out)), stale, out);
    process.stdout.write(`${files.length} unchanged in ${out}\n`);
  } else write(files, stale, { out, prune: options.prune === true });
}

function sourceFilesOf(resources: readonly ManifestSource[]): string[] {
  return resources.map(({ sourceFile }) => sourceFile.replaceAll('\\', '/'));
}

function write(
  files: readonly GeneratedFile[],
  stale: readonly string[],
  { out, prune }: { readonly out: string; readonly prune: boolean },
): void {
  const { written, unchanged } = writeManifests(files, resolve(out));
  if (prune) deleteFiles(stale, resolve(out));
  else
    for (const path of stale)
      process.stderr.write(`warning: ${join(out, path)} is no longer generated; --prune deletes it\n`);
  const deleted = prune ? stale : [];
  const lines = [
    ...written.map((path) => `wrote ${join(out, path)}`),
    ...unchanged.map((path) => `unchanged ${join(out, path)}`),
    ...deleted.map((path) => `deleted ${join(out, path)}`),
    `${written.length} written, ${unchanged.length} unchanged${prune ? `, ${deleted.length} deleted` : ''} in ${out}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The settings of the project, each replaced by the option of the command line where there is one. */
function manifestOptionsOf(options: GenerateManifestsOptions, settings: ProjectSettings): ManifestOptions {
  const { layout, image, namespace, watchNamespace, certificates, monitoring } = options;
  const { descriptions, maxDescriptionLength } = options;
  const maxLength = descriptions === false ? 0 : maxDescriptionLength;
  return {
    ...settings,
    warn: (message) => process.stderr.write(`warning: ${message}\n`),
    ...(layout !== undefined && { layout }),
    ...(maxLength !== undefined && { maxDescriptionLength: maxLength }),
    ...(image !== undefined && { image }),
    ...(namespace !== undefined && { namespace }),
    ...(certificates && { certificates }),
    ...(monitoring !== undefined && { monitoring }),
    ...(watchNamespace && { watchNamespaces: watchNamespace }),
  };
}

/** Runs both guards, so that both print their findings, and throws the first error. */
async function guard(
  files: readonly GeneratedFile[],
  {
    out,
    against,
    cluster,
    kubeconfig,
    context,
    allowBreaking = false,
  }: GenerateManifestsOptions & { readonly out: string },
  isWhole: boolean,
): Promise<void> {
  const failures: unknown[] = [];
  const collect = (error: unknown): unknown => failures.push(error);
  if (cluster) await guardStoredObjects(files, { kubeconfig, context, allowBreaking }).catch(collect);
  if (against !== undefined)
    await guardApi(files, { against, allowBreaking, folder: resolve(out), isWhole }).catch(collect);
  if (failures.length > 0) throw failures[0];
}

function compare(diff: string, stale: readonly string[], out: string): void {
  if (diff === '' && stale.length === 0) return;
  process.stdout.write(diff + stale.map((path) => `${join(out, path)} is no longer generated\n`).join(''));
  throw new OperatorError(`${out} is out of date`, {
    code: 'E_DRIFT',
    hint: `run generate-manifests${stale.length > 0 ? ' --prune' : ''}; put options that both commands need into "kindwright" of package.json`,
  });
}
