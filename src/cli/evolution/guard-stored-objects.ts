import { OperatorError } from '../../base/operator-error.js';
import { Client } from '../../client/client.js';
import { loadClusterConfig } from '../../client/cluster-config.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { countNoun } from '../count-noun.js';
import { checkStoredObjects } from './check-stored-objects.js';
import { generatedDefinitions } from './guard-api.js';

/** Which cluster to look into, and whether it is enough to be told. */
export interface StoredObjectsGuardOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly allowBreaking: boolean;
}

/**
 * Prints which objects of a cluster would not hold under the definitions of generated files.
 *
 * @throws OperatorError when there are any and may not be
 */
export async function guardStoredObjects(
  files: readonly GeneratedFile[],
  { kubeconfig, context, allowBreaking }: StoredObjectsGuardOptions,
): Promise<void> {
  const config = await loadClusterConfig({ kubeconfig, context });
  const client = new Client(config);
  try {
    const print = (line: string): unknown => process.stdout.write(`${line}\n`);
    const found = await checkStoredObjects(generatedDefinitions(files), client, (name, count) =>
      print(`checked ${countNoun(count, 'stored object')} of ${name}`),
    );
    for (const { definition, key, problems } of found)
      for (const problem of problems) print(`  ${definition} ${key}: ${problem}`);
    if (found.length === 0 || allowBreaking) return;
    const objects = countNoun(found.length, 'stored object');
    throw new OperatorError(`${objects} at ${config.server.host} would not hold under the new schema`, {
      code: 'E_BREAKING',
      hint: 'mend the objects or the schema, or say --allow-breaking; nothing was written',
    });
  } finally {
    client.close();
  }
}
