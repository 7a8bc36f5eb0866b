import { OperatorError } from '../../base/operator-error.js';
import { Client } from '../../client/client.js';
import { loadClusterConfig } from '../../client/cluster-config.js';
import { assertStoredVersions } from '../../manager/install/assert-stored-versions.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import type { ResourceModel } from '../../resource/model.js';
import { countNoun } from '../count-noun.js';
import { checkStoredObjects } from './check-stored-objects.js';
import { generatedDefinitions } from './guard-api.js';
import { printLine } from '../print-line.js';

/** The cluster with the objects to validate; invalid objects can be allowed. */
export interface StoredObjectsGuardOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly allowBreaking: boolean;
}

/**
 * Prints the objects of a cluster that are invalid under the definitions of generated files.
 *
 * @throws OperatorError when there are any, or objects may be stored in a version that a definition removes, and
 * `allowBreaking` is not set
 */
export async function guardStoredObjects(
  files: readonly GeneratedFile[],
  models: readonly ResourceModel[],
  { kubeconfig, context, allowBreaking }: StoredObjectsGuardOptions,
): Promise<void> {
  const config = await loadClusterConfig({ kubeconfig, context });
  const client = new Client(config);
  try {
    const definitions = generatedDefinitions(files);
    if (!allowBreaking) for (const definition of definitions) await assertStoredVersions(client, definition, models);
    const found = await checkStoredObjects(definitions, client, (name, count) =>
      printLine(`checked ${countNoun(count, 'stored object')} of ${name}`),
    );
    for (const { definition, key, problems } of found)
      for (const problem of problems) printLine(`  ${definition} ${key}: ${problem}`);
    if (found.length === 0 || allowBreaking) return;
    const objects = countNoun(found.length, 'stored object');
    throw new OperatorError(`${objects} at ${config.server.host} would fail validation under the new schema`, {
      code: 'E_BREAKING',
      hint: 'fix the objects or the schema, or pass --allow-breaking; nothing was written',
    });
  } finally {
    client.close();
  }
}
