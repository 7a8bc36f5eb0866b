import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { objectKey } from '../../api/objects/object-key.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { countNoun } from '../count-noun.js';
import type { OperatorObject } from './operator-objects.js';

export function definitionsOf(objects: readonly OperatorObject[]): OperatorObject[] {
  return objects.filter(({ kind }) => kind.kind === 'CustomResourceDefinition');
}

interface DefinitionSpec {
  readonly group: string;
  readonly scope: KindRef['scope'];
  readonly names: { readonly kind: string; readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

/** All objects of the kind that a CustomResourceDefinition defines; none when it does not exist. */
export async function objectsOf(client: Client, definition: UnstructuredObject): Promise<UnstructuredObject[]> {
  const { group, scope, names, versions } = definition['spec'] as DefinitionSpec;
  const version = versions.find(({ served }) => served)?.name ?? '';
  const kind: KindRef<UnstructuredObject> = { group, version, kind: names.kind, plural: names.plural, scope };
  try {
    return (await client.list(kind)).items;
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

/** Describes which objects delay the deletion of a CustomResourceDefinition. */
export function deletionBlocker(client: Client): (definition: UnstructuredObject) => Promise<string> {
  return async (definition) => {
    const left = await objectsOf(client, definition);
    const [first] = left;
    if (!first) return 'deletion is in progress';
    const { finalizers = [] } = first.metadata;
    const why = finalizers.length === 0 ? '' : `, with finalizers ${finalizers.join(', ')}`;
    return `${countNoun(left.length, 'object')} left, first ${objectKey(first)}${why}`;
  };
}
