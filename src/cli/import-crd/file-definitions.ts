import { OperatorError } from '../../base/operator-error.js';
import { parseYamlDocuments } from '../../base/yaml.js';
import type { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { displayPath } from '../../base/display-path.js';
import { readText } from '../../base/read-text.js';

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
      `${name}: ${old.metadata?.name ?? 'a definition'} has apiVersion ${old.apiVersion}, which Kubernetes does not serve`,
      {
        code: 'E_CRD',
        hint: 'import its definition of apiextensions.k8s.io/v1',
      },
    );
  if (definitions.length > 0) return definitions as CustomResourceDefinition[];
  throw new OperatorError(`no CustomResourceDefinition in ${name}`, {
    code: 'E_CRD',
    hint: 'import-crd takes YAML or JSON with kind: CustomResourceDefinition, as kubectl get crd -o yaml prints it',
  });
}

/** A document before its fields are validated. */
type DefinitionDocument = Partial<CustomResourceDefinition> & { readonly apiVersion: string };

function textOf(file: string, name: string): string {
  try {
    return readText(file === '-' ? process.stdin.fd : file);
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`${name} cannot be read: ${(cause as Error).message}`, { code: 'E_NO_FILE', cause });
  }
}

/** The items of a List, as kubectl prints several objects; other documents as they are. */
function membersOf(document: unknown): unknown[] {
  const { kind, items } = (document ?? {}) as { kind?: unknown; items?: unknown };
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : [document];
}

function isDefinition(document: unknown): document is DefinitionDocument {
  return (document as { kind?: unknown } | null)?.kind === 'CustomResourceDefinition';
}
