import type { CustomResourceDefinition } from '../../api/kinds.js';
import { normalizeCrd } from '../../import-crd/normalize-crd.js';
import { importDefinitions } from '../../import-crd/import-definitions.js';
import { writeNewFiles, type NewFileOptions } from '../scaffold/write-new-files.js';
import { clusterDefinitions } from './cluster-definitions.js';
import { requireAccepted } from './require-accepted.js';
import { fileDefinitions } from './file-definitions.js';
import { packageVocabulary } from './vocabulary.js';

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
  for (const definition of definitions) requireAccepted(definition);
  writeNewFiles(importDefinitions(definitions, packageVocabulary()), out, options);
}
