import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { OperatorError } from '../base/operator-error.js';
import { readText } from '../base/read-text.js';
import { deleteFiles, writeManifests } from '../manifests/output/write.js';
import { diffManifests } from '../manifests/output/diff.js';
import { withFileHeader, withProject, type GeneratedFile } from '../manifests/output/generated-file.js';
import { generateManifests, generateSingleFile } from '../manifests/generate.js';
import {
  assertKnownOperators,
  type CertificateSource,
  type LayoutName,
  type ManifestOptions,
  type ManifestSource,
} from '../manifests/operator.js';
import type { FeatureGates } from '../resource/feature-gates.js';
import type { ProjectSettings } from '../manifests/settings/project-settings.js';
import { inPartFolders, type PartFolders } from '../manifests/output/part-folders.js';
import { assertGenerated, staleFiles } from '../manifests/output/stale-files.js';
import { assertValidSamples } from './valid-samples.js';
import { patchCrds } from './crd-patch/patch-crds.js';
import { guardApi } from './evolution/guard-api.js';
import { guardStoredObjects } from './evolution/guard-stored-objects.js';
import { storageWarnings } from './evolution/storage-warnings.js';
import { loadDeployable } from './load-deployable.js';
import { readProjectSettings } from './read-project-settings.js';
import { printLine, printWarning } from './print-line.js';

const DEFAULT_OUT = 'crds-out';

/** Command-line options of generate-manifests. */
export interface GenerateManifestsOptions {
  readonly out?: string;
  /** Folders of parts within the output folder. */
  readonly folder?: PartFolders;
  readonly layout?: LayoutName;
  /** Path of one file for all objects, instead of an output folder. */
  readonly singleFile?: string;
  /** Files and folders with CRDs in which schemas are replaced, instead of writing files. */
  readonly patchCrds?: readonly string[];
  /** File with a text that the files start with. */
  readonly headerFile?: string;
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
  readonly namespaceSelector?: string;
  readonly namespacePattern?: readonly string[];
  readonly certificates?: CertificateSource;
  /** Also write alerts and a dashboard. */
  readonly monitoring?: boolean;
  /** Also write a reference of each kind. */
  readonly docs?: boolean;
  /** False to omit all descriptions. */
  readonly descriptions?: boolean;
  readonly maxDescriptionLength?: number;
  readonly featureGates?: FeatureGates;
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
  const { singleFile, against } = options;
  const out = outputFolder(options, settings);
  const manifestOptions = manifestOptionsOf(options, settings);
  const resources = await loadDeployable(patterns, manifestOptions, options.featureGates);
  const isWhole = patterns.length === 0;
  if (isWhole) assertKnownOperators(resources, manifestOptions);
  const header = headerText(options.headerFile ?? settings.headerFile);
  const folders = singleFile === undefined ? partFolders(options, settings, manifestOptions) : {};
  const project = singleFile === undefined ? projectPath(resolve(out)) : '';
  const { files, plain } = generatedFiles(resources, manifestOptions, { singleFile, header, folders, project });
  await assertValidSamples(resources);
  const comparison = { against, folder: resolve(out) };
  await printWarnings(storageWarnings(options.patchCrds ? plain : files, resources, comparison), manifestOptions);
  await guard({ files: plain, resources }, { ...options, out: singleFile ?? out }, isWhole);
  await checkCalls(resources, options, manifestOptions);
  if (options.patchCrds) {
    patchCrds(options.patchCrds, plain, options.check === true);
    return;
  }
  const sourceFiles = resources.map(({ sourceFile }) => sourceFile.replaceAll('\\', '/'));
  const stale = singleFile === undefined ? staleFiles({ files, isWhole, sourceFiles, project }, resolve(out)) : [];
  if (options.check) {
    compare(diffManifests(files, resolve(out)), stale, { out, singleFile });
    printLine(`${files.length} unchanged in ${out}`);
  } else write(files, stale, { out, prune: options.prune === true });
}

/** Warns about calls for kinds that are not watched, and compares the permissions with recorded requests. */
async function checkCalls(
  resources: Awaited<ReturnType<typeof loadDeployable>>,
  { checkRbac }: GenerateManifestsOptions,
  manifestOptions: ManifestOptions,
): Promise<void> {
  const { unwatchedCalls } = await import('./rbac/unwatched-calls.js'); // loads a parser
  await printWarnings(unwatchedCalls(resources), manifestOptions);
  if (checkRbac === undefined) return;
  const { assertPermissions } = await import('./rbac/assert-permissions.js'); // loads a parser
  assertPermissions(resources, checkRbac);
}

async function printWarnings(
  warnings: readonly string[] | Promise<readonly string[]>,
  { warn }: ManifestOptions,
): Promise<void> {
  for (const warning of await warnings) warn?.(warning);
}

function outputFolder({ out, singleFile }: GenerateManifestsOptions, settings: ProjectSettings): string {
  return singleFile === undefined ? (out ?? settings.out ?? DEFAULT_OUT) : dirname(singleFile);
}

/** @throws OperatorError with a layout in which the places of files are fixed. */
function partFolders(
  { folder }: GenerateManifestsOptions,
  { folders }: ProjectSettings,
  { layout = 'plain' }: ManifestOptions,
): PartFolders {
  const both = { ...folders, ...folder };
  if (layout === 'plain' || Object.keys(both).length === 0) return both;
  throw new OperatorError(`folders of parts are not possible with the layout ${layout}`, {
    code: 'E_CONFIG',
    hint: 'remove --folder, and "folders" of package.json, or use the layout plain',
  });
}

/** The path to the project from the nearest folder that contains it and the output; empty if that is the project. */
function projectPath(out: string): string {
  let common = resolve('.');
  while (relative(common, out).split(sep)[0] === '..') common = dirname(common);
  return relative(common, resolve('.')).replaceAll(sep, '/');
}

/** Returns the text of a file; empty without one. */
function headerText(file: string | undefined): string {
  if (file === undefined) return '';
  const hint = 'pass a text file, such as a license notice, to --header-file or "headerFile" of package.json';
  const text = readHeader(file, hint);
  if (text.trim() === '') throw new OperatorError(`header file ${file} is empty`, { code: 'E_CONFIG', hint });
  return text;
}

function readHeader(file: string, hint: string): string {
  try {
    return readText(file);
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`header file ${file} cannot be read`, { code: 'E_NO_FILE', hint, cause });
  }
}

/** The files to write, and those of the plain layout, from which the guards read definitions. */
function generatedFiles(
  resources: readonly ManifestSource[],
  options: ManifestOptions,
  {
    singleFile,
    header,
    folders,
    project,
  }: {
    readonly singleFile: string | undefined;
    readonly header: string;
    readonly folders: PartFolders;
    readonly project: string;
  },
): { readonly files: readonly GeneratedFile[]; readonly plain: readonly GeneratedFile[] } {
  const files =
    singleFile === undefined
      ? generateManifests(resources, options)
      : [generateSingleFile(basename(singleFile), resources, options)];
  const headed = header === '' ? files : withFileHeader(files, header);
  const { layout = 'plain', warn: _, ...others } = options; // the second time without the same warnings
  const isPlain = singleFile === undefined && layout === 'plain';
  return {
    files: inPartFolders(withProject(headed, project), folders),
    plain: isPlain ? files : generateManifests(resources, { ...others, layout: 'plain' }),
  };
}

function write(
  files: readonly GeneratedFile[],
  stale: readonly string[],
  { out, prune }: { readonly out: string; readonly prune: boolean },
): void {
  assertGenerated(files, resolve(out));
  const { written, unchanged } = writeManifests(files, resolve(out));
  if (prune) deleteFiles(stale, resolve(out));
  else for (const path of stale) printWarning(`${join(out, path)} is no longer generated; --prune deletes it`);
  const deleted = prune ? stale : [];
  const lines = [
    ...written.map((path) => `wrote ${join(out, path)}`),
    ...unchanged.map((path) => `unchanged ${join(out, path)}`),
    ...deleted.map((path) => `deleted ${join(out, path)}`),
    `${written.length} written, ${unchanged.length} unchanged${prune ? `, ${deleted.length} deleted` : ''} in ${out}`,
  ];
  printLine(lines.join('\n'));
}

/** The settings of the project, each replaced by the option of the command line where there is one. */
function manifestOptionsOf(options: GenerateManifestsOptions, settings: ProjectSettings): ManifestOptions {
  const { layout, image, namespace, certificates, monitoring, docs } = options;
  const { descriptions, maxDescriptionLength, featureGates } = options;
  const maxLength = descriptions === false ? 0 : maxDescriptionLength;
  return {
    ...settings,
    warn: printWarning,
    ...(layout !== undefined && { layout }),
    ...(maxLength !== undefined && { maxDescriptionLength: maxLength }),
    ...(image !== undefined && { image }),
    ...(namespace !== undefined && { namespace }),
    ...(certificates && { certificates }),
    ...(monitoring !== undefined && { monitoring }),
    ...(docs !== undefined && { docs }),
    ...watchedNamespaces(options),
    featureGates: { ...settings.featureGates, ...featureGates },
  };
}

function watchedNamespaces({ watchNamespace, namespaceSelector, namespacePattern }: GenerateManifestsOptions) {
  return {
    ...(watchNamespace && { watchNamespaces: watchNamespace }),
    ...(namespaceSelector !== undefined && { namespaceSelector }),
    ...(namespacePattern && { namespacePatterns: namespacePattern }),
  };
}

/** Runs both guards, so that both print their findings, and throws the first error. */
async function guard(
  { files, resources }: { readonly files: readonly GeneratedFile[]; readonly resources: readonly ManifestSource[] },
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
  const models = resources.map(({ model }) => model);
  if (cluster) await guardStoredObjects(files, models, { kubeconfig, context, allowBreaking }).catch(collect);
  if (against !== undefined)
    await guardApi(files, { against, allowBreaking, folder: resolve(out), isWhole }).catch(collect);
  if (failures.length > 0) throw failures[0];
}

function compare(
  diff: string,
  stale: readonly string[],
  { out, singleFile }: { readonly out: string; readonly singleFile: string | undefined },
): void {
  if (diff === '' && stale.length === 0) return;
  process.stdout.write(diff + stale.map((path) => `${join(out, path)} is no longer generated\n`).join(''));
  const option = singleFile === undefined ? '' : ` --single-file ${singleFile}`;
  throw new OperatorError(`${singleFile ?? out} is out of date`, {
    code: 'E_DRIFT',
    hint: `run generate-manifests${option}${stale.length > 0 ? ' --prune' : ''}; put options that both commands need into "kindwright" of package.json`,
  });
}
