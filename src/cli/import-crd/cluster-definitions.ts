import { CustomResourceDefinition } from '../../api/kinds.js';
import type { Definition } from '../../import-crd/definition.js';
import { withCluster, type ClusterOptions } from '../deploy/with-cluster.js';

/** Definitions of a cluster, by their names. */
export async function clusterDefinitions(names: readonly string[], options: ClusterOptions): Promise<Definition[]> {
  const found: Definition[] = [];
  await withCluster(options, async ({ client }) => {
    for (const name of names) found.push((await client.get(CustomResourceDefinition, name)) as unknown as Definition);
  });
  return found;
}
