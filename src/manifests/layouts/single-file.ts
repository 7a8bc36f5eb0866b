import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { yamlFile, type GeneratedFile } from '../output/generated-file.js';
import type { OperatorManifests } from './operator-manifests.js';

/** The content of a single file. */
export interface SingleFileContent {
  readonly sourceFiles: readonly string[];
  /** The definitions of all kinds, each once. */
  readonly definitions: readonly UnstructuredObject[];
  readonly operators: readonly OperatorManifests[];
  /** The admission policies of classes without an operator. */
  readonly policies: readonly UnstructuredObject[];
}

/**
 * All objects of a project for `kubectl apply -f install.yaml`, which applies them in their order.
 *
 * An object that several operators share, such as their namespace, is written once. The configurations of webhooks come
 * after the Deployments: without a running operator, writes of its kinds would fail.
 */
export function singleFile(
  path: string,
  { sourceFiles, definitions, operators, policies }: SingleFileContent,
): GeneratedFile {
  const webhooks = operators.flatMap((operator) => operator.webhooks ?? []);
  const objects = [
    ...operators.map(({ namespace }) => namespace),
    ...definitions,
    ...operators.map(({ serviceAccount }) => serviceAccount),
    ...operators.flatMap(({ roles }) => roles),
    ...operators.flatMap(({ bindings }) => bindings),
    ...webhooks.flatMap(({ certificates }) => certificates),
    ...webhooks.map(({ service }) => service),
    ...operators.map(({ deployment }) => deployment),
    ...webhooks.flatMap(({ disruptionBudget }) => disruptionBudget ?? []),
    ...webhooks.flatMap(({ configurations }) => configurations),
    ...operators.flatMap((operator) => operator.policies),
    ...policies,
  ];
  const unique = new Map(objects.map((object) => [identity(object), object]));
  // The option is part of the header, so that a run without it does not report the file as no longer generated.
  return yamlFile(
    path,
    [...new Set(sourceFiles)].sort().join(', '),
    [...unique.values()],
    'generate-manifests --single-file',
  );
}

function identity({ apiVersion, kind, metadata }: UnstructuredObject): string {
  return `${apiVersion}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}
