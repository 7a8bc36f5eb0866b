import { CustomResourceDefinition } from '../../api/kinds.js';
import { OperatorError } from '../../base/operator-error.js';
import { crdProblems, type Definition as ServerDefinition } from '../../crd/definition/crd-problems.js';
import { importDefinitions } from '../../import-crd/import-definitions.js';
import { normalizeCrd } from '../../import-crd/normalize-crd.js';
import { type ClusterOptions, withCluster } from '../deploy/with-cluster.js';
import { type NewFileOptions, writeNewFiles } from '../scaffold/write-new-files.js';
import { shapeProblems } from './definition-shape.js';
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
  for (const definition of definitions) assertShape(definition);
  for (const definition of definitions) assertAccepted(definition);
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

/** @throws OperatorError for a document that is not a CustomResourceDefinition, as the API server cannot decode it */
function assertShape(definition: Incomplete): void {
  const problems = shapeProblems(definition);
  if (problems.length === 0) return;
  const name = (definition as { metadata?: { name?: unknown } }).metadata?.name;
  throw new OperatorError(
    `the CustomResourceDefinition ${typeof name === 'string' ? name : 'without name'} is malformed:${problems.map((each) => `\n  ${each}`).join('')}`,
    { code: 'E_CRD', hint: 'fix the definition; only valid definitions can be imported' },
  );
}

/** @throws OperatorError that lists why the API server would reject a definition */
function assertAccepted(definition: CustomResourceDefinition): void {
  const errors = crdProblems(asStored(definition));
  if (errors.length === 0) return;
  const list = errors.map(({ field, body }) => `\n  ${field}: ${body}`).join('');
  throw new OperatorError(`the API server would reject ${definition.metadata.name}:${list}`, {
    code: 'E_CRD',
    hint: 'fix the definition; only valid definitions can be imported',
  });
}

/** A definition as it was read, before validation. */
type Incomplete = Pick<CustomResourceDefinition, 'metadata'> & {
  readonly spec?: Partial<CustomResourceDefinition['spec']>;
};

/** A definition with the server's defaults, which precede validation. */
function asStored({ metadata, spec }: Incomplete): ServerDefinition {
  const { kind = '' } = spec?.names ?? {};
  const names = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...spec?.names };
  const stored = (spec?.versions ?? []).filter(({ storage }) => storage).map(({ name }) => name);
  return {
    metadata,
    spec: { conversion: { strategy: 'None' }, ...spec, names },
    status: { acceptedNames: names, storedVersions: stored, conditions: [] },
  };
}
