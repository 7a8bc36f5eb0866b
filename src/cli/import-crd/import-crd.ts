import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { importDefinitions } from '../../import-crd/import-definitions.js';
import { normalizeCrd } from '../../import-crd/normalize-crd.js';
import { type ClusterOptions, withCluster } from '../deploy/with-cluster.js';
import { type NewFileOptions, writeNewFiles } from '../scaffold/write-new-files.js';
import { assertValidDefinition } from './valid-definition.js';
import { fileDefinitions } from './file-definitions.js';
import { packageVocabulary } from './package-vocabulary.js';

export interface ImportCrdOptions extends NewFileOptions {
  readonly out: string;
  /** Names of CustomResourceDefinitions. */
  readonly fromCluster?: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
}

/**
 * Writes annotated classes for the CustomResourceDefinitions of files and of a cluster, and prints their files.
 *
 * @throws OperatorError that names the file or definition, when the API server would reject it
 */
export async function importCrd(files: readonly string[], options: ImportCrdOptions): Promise<void> {
  const { fromCluster = [], out } = options;
  const found: CustomResourceDefinition[] = files.flatMap((file) => fileDefinitions(file));
  if (fromCluster.length > 0) found.push(...(await clusterDefinitions(fromCluster, options)));
  const definitions = found.map(normalizeCrd);
  for (const definition of definitions) assertValidDefinition(definition);
  writeNewFiles(importDefinitions(definitions, packageVocabulary()), out, options);
}

/** The CustomResourceDefinitions of a cluster with the given names. */
async function clusterDefinitions(
  names: readonly string[],
  options: ClusterOptions,
): Promise<CustomResourceDefinition[]> {
  const found: CustomResourceDefinition[] = [];
  await withCluster(options, async ({ client }) => {
    for (const name of names) found.push(await client.get(CustomResourceDefinition, name));
  });
  return found;
}
