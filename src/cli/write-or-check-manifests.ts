import { join, resolve } from 'node:path';
import { OperatorError } from '../base/operator-error.js';
import { diffManifests } from '../manifests/diff.js';
import { generateManifests } from '../manifests/generate.js';
import { writeManifests } from '../manifests/write.js';
import { guardApi } from './evolution/guard-api.js';
import { loadResources } from './load-resources.js';

/** What the command line of generate-manifests says. */
export interface GenerateManifestsOptions {
  readonly out: string;
  readonly check?: boolean;
  readonly against?: string;
  readonly allowBreaking?: boolean;
  readonly image?: string;
  readonly namespace?: string;
}

/**
 * Writes the manifests of the operators in files, or compares them with what is there.
 *
 * @throws OperatorError when they were to be compared and differ, or their API breaks what was published.
 */
export async function writeOrCheckManifests(
  patterns: readonly string[],
  { out, check, against, allowBreaking = false, image, namespace }: GenerateManifestsOptions,
): Promise<void> {
  const resources = await loadResources(patterns);
  const files = generateManifests(resources, {
    ...(image !== undefined && { image }),
    ...(namespace !== undefined && { namespace }),
  });
  if (against !== undefined)
    await guardApi(files, { against, allowBreaking, folder: resolve(out), isWhole: patterns.length === 0 });
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

function compare(diff: string, out: string): void {
  if (diff === '') return;
  process.stdout.write(diff);
  throw new OperatorError(`${out} is not what the classes make of it`, {
    code: 'E_DRIFT',
    hint: 'write it anew: the same command without --check',
  });
}
