import { readFileSync } from 'node:fs';
import { OperatorError } from '../../base/operator-error.js';
import { parseYamlDocuments } from '../../base/yaml.js';
import type { CustomResourceDefinition } from '../../api/kinds.js';
import { displayPath } from '../../base/display-path.js';

/**
 * The CustomResourceDefinitions in a file, without other objects; `-` is standard input.
 *
 * @throws OperatorError when it contains none, or one of apiextensions.k8s.io/v1beta1
 */
export function fileDefinitions(file: string): CustomResourceDefinition[] {
  const name = file === '-' ? 'standard input' : displayPath(file);
  const definitions = parseYamlDocuments(textOf(file, name), name, { exactIntegers: true })
    .flatMap(membersOf)
    .filter(isDefinition);
  const old = definitions.find(({ apiVersion }) => apiVersion !== 'apiextensions.k8s.io/v1');
  if (old)
    throw new OperatorError(
      `${name}: ${old.metadata.name} has apiVersion ${old.apiVersion}, which Kubernetes 1.22 removed`,
      {
        code: 'E_CRD',
        hint: 'import its definition of apiextensions.k8s.io/v1',
      },
    );
  if (definitions.length > 0) return definitions;
  throw new OperatorError(`no CustomResourceDefinition in ${name}`, {
    code: 'E_CRD',
    hint: 'import-crd takes YAML or JSON with kind: CustomResourceDefinition, as kubectl get crd -o yaml prints it',
  });
}

type DefinitionDocument = CustomResourceDefinition & { readonly apiVersion: string };

function textOf(file: string, name: string): string {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8');
  } catch (cause) {
    throw new OperatorError(`${name} cannot be read: ${(cause as Error).message}`, { code: 'E_NO_FILE', cause });
  }
}

/** The items of a List, as kubectl prints several objects; other documents as they are. */
function membersOf(document: unknown): unknown[] {
  const { kind, items } = document as { kind?: unknown; items?: unknown };
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : [document];
}

function isDefinition(document: unknown): document is DefinitionDocument {
  return (document as { kind?: unknown } | null)?.kind === 'CustomResourceDefinition';
}
