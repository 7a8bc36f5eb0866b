import { join, resolve } from 'node:path';
import { OperatorError } from '../base/operator-error.js';
import { diffManifests } from '../manifests/output/diff.js';
import type { GeneratedFile } from '../manifests/output/generated-file.js';
import { generateManifests } from '../manifests/generate.js';
import type { LayoutName, ManifestOptions } from '../manifests/operator.js';
import { writeManifests } from '../manifests/output/write.js';
import { guardApi } from './evolution/guard-api.js';
import { guardStoredObjects } from './evolution/guard-stored-objects.js';
import { loadResources } from './load-resources.js';

/** What the command line of generate-manifests says. */
export interface GenerateManifestsOptions {
  readonly out: string;
  readonly layout: LayoutName;
  readonly check?: boolean;
  /** File with the accesses that the rules are to match. */
  readonly checkRbac?: string;
  readonly against?: string;
  readonly allowBreaking?: boolean;
  readonly cluster?: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly image?: string;
  readonly namespace?: string;
  readonly watchNamespace?: readonly string[];
  /** False for none at all. */
  readonly descriptions?: boolean;
  readonly maxDescriptionLength?: number;
}

/**
 * Writes the manifests of the operators in files, or compares them with what is there.
 *
 * @throws OperatorError when they were to be compared and differ, their API breaks what was published, or their rules
 * are not those that were used.
 */
export async function writeOrCheckManifests(
  patterns: readonly string[],
  options: GenerateManifestsOptions,
): Promise<void> {
  const { out, layout, check, image, namespace, watchNamespace, descriptions, maxDescriptionLength } = options;
  const resources = await loadResources(patterns);
  const maxLength = descriptions === false ? 0 : maxDescriptionLength;
  const manifestOptions: ManifestOptions = {
    warn: (message) => process.stderr.write(`warning: ${message}\n`),
    ...(maxLength !== undefined && { maxDescriptionLength: maxLength }),
    ...(image !== undefined && { image }),
    ...(namespace !== undefined && { namespace }),
    ...(watchNamespace && { watchNamespaces: watchNamespace }),
  };
  const files = generateManifests(resources, { ...manifestOptions, layout });
  // Definitions are read back from the plain layout: a chart has templates of them.
  await guard(
    layout === 'plain' ? files : generateManifests(resources, manifestOptions),
    options,
    patterns.length === 0,
  );
  if (options.checkRbac !== undefined) {
    const { checkRbac } = await import('./rbac/check-rbac.js'); // loads a parser
    checkRbac(resources, options.checkRbac);
  }
  if (check) {
    compare(diffManifests(files, resolve(out)), out);
    process.stdout.write(`${files.length} unchanged in ${out}\n`);
    return;
  }
  const { written, unchanged } = writeManifests(files, resolve(out));
  const lines = [
    ...written.map((path) => `wrote ${join(out, path)}`),
    ...unchanged.map((path) => `unchanged ${join(out, path)}`),
    `${written.length} written, ${unchanged.length} unchanged in ${out}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Both guards speak before either stops the command. */
async function guard(
  files: readonly GeneratedFile[],
  { out, against, cluster, kubeconfig, context, allowBreaking = false }: GenerateManifestsOptions,
  isWhole: boolean,
): Promise<void> {
  const failures: unknown[] = [];
  const note = (error: unknown): unknown => failures.push(error);
  if (cluster) await guardStoredObjects(files, { kubeconfig, context, allowBreaking }).catch(note);
  if (against !== undefined)
    await guardApi(files, { against, allowBreaking, folder: resolve(out), isWhole }).catch(note);
  if (failures.length > 0) throw failures[0];
}

function compare(diff: string, out: string): void {
  if (diff === '') return;
  process.stdout.write(diff);
  throw new OperatorError(`${out} is not what the classes make of it`, {
    code: 'E_DRIFT',
    hint: 'write it anew: the same command without --check',
  });
}
