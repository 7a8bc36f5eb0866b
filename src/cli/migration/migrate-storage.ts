import { resourceName } from '../../api/kinds/kind-ref.js';
import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { OperatorError } from '../../base/operator-error.js';
import { SystemClock } from '../../base/system-clock.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { countNoun } from '../count-noun.js';
import { withCluster, type ClusterOptions } from '../deploy/with-cluster.js';
import { loadResources } from '../load-resources.js';
import { printLine } from '../print-line.js';
import { migrateDefinition } from './migrate-definition.js';

/** Command-line options of migrate-storage. */
export interface MigrateStorageOptions extends ClusterOptions {
  /** Names of CustomResourceDefinitions; default: those of the classes. */
  readonly crd?: readonly string[];
  /** Objects per second. */
  readonly rate: number;
  readonly dryRun?: boolean;
}

/**
 * Rewrites the stored objects of kinds in their storage versions, so that older versions can be removed.
 *
 * @throws OperatorError (E_MIGRATION) when objects could not be rewritten; the other objects and kinds were
 */
export async function migrateStorage(patterns: readonly string[], options: MigrateStorageOptions): Promise<void> {
  const { crd: named = [], rate, dryRun = false } = options;
  const names = new Set([...(named.length > 0 && patterns.length === 0 ? [] : await namesOf(patterns)), ...named]);
  await withCluster(options, async ({ client, host, signal }) => {
    let failed = 0;
    for (const name of names) {
      const definition = await definitionNamed(client, name, signal);
      if (definition)
        failed += await migrateDefinition(client, definition, { clock: new SystemClock(), signal, rate, dryRun });
      else printLine(`${name} is not installed`);
    }
    if (failed === 0) return;
    throw new OperatorError(`${countNoun(failed, 'object')} at ${host} cannot be stored in the new version`, {
      code: 'E_MIGRATION',
      hint: 'fix the conversion or the objects and run the command again; their status.storedVersions are unchanged',
    });
  });
}

async function namesOf(patterns: readonly string[]): Promise<string[]> {
  const models = (await loadResources(patterns)).map(({ model }) => model);
  return models.filter(({ definesKind }) => definesKind).map(({ kind }) => resourceName(kind));
}

async function definitionNamed(
  client: Client,
  name: string,
  signal: AbortSignal,
): Promise<CustomResourceDefinition | undefined> {
  try {
    return await client.get(CustomResourceDefinition, name, { signal });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
