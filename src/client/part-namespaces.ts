import type { KindRef } from '../api/kinds/kind-ref.js';
import { OperatorError } from '../base/operator-error.js';
import type { KubeList } from './pager.js';

/** Returns the namespaces to read objects of: the given one, or those of the part. Undefined stands for all. */
function namespacesOf(kind: KindRef, given: string | undefined): readonly (string | undefined)[] {
  const { part, scope } = kind;
  if (given !== undefined || scope === 'Cluster' || !part?.namespaces?.length) return [given];
  return part.namespaces;
}

/**
 * Returns the namespace to watch; undefined for all.
 *
 * @throws OperatorError (E_PART) if the part has several: a watch is one request.
 */
export function watchedNamespace(kind: KindRef, given: string | undefined): string | undefined {
  const [namespace, ...others] = namespacesOf(kind, given);
  if (others.length === 0) return namespace;
  throw new OperatorError(`a watch of a part of ${kind.kind} with several namespaces needs one of them`, {
    code: 'E_PART',
    hint: `watch each namespace with the option { namespace: '${String(namespace)}' }, or use InformerFactory`,
  });
}

/** Lists each namespace, one after the other, so that a watch from the first resourceVersion misses nothing. */
export async function listNamespaces(
  kind: KindRef,
  given: string | undefined,
  read: (namespace: string | undefined) => Promise<KubeList>,
): Promise<KubeList> {
  const [first, ...others] = namespacesOf(kind, given);
  const { items, resourceVersion } = await read(first);
  for (const namespace of others) for (const item of (await read(namespace)).items) items.push(item);
  return { items, resourceVersion };
}
