import { CustomResourceDefinition } from '../../api/kinds.js';
import { withCluster, type ClusterOptions } from '../deploy/with-cluster.js';

/** The CustomResourceDefinitions of a cluster with the given names. */
export async function clusterDefinitions(
  names: readonly string[],
  options: ClusterOptions,
): Promise<CustomResourceDefinition[]> {
  const found: CustomResourceDefinition[] = [];
  await withCluster(options, async ({ client }) => {
    for (const name of names) found.push(await client.get(CustomResourceDefinition, name));
  });
  return found;
}
