import { resourcePath, type KindRef } from '../api/kind-ref.js';
import { OperatorError } from '../base/operator-error.js';

export interface ObjectAddress {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * The path of one object.
 *
 * @throws OperatorError when the name or the namespace is missing: without its name a DELETE would mean all objects.
 */
export function objectPath(kind: KindRef, { name, namespace, subresource }: ObjectAddress): string {
  return resourcePath(kind, namespaceOf(kind, namespace), segment(kind, 'name', name), subresource);
}

/** The path to create an object at: that of the collection, or of a subresource, which belongs to a named object. */
export function creationPath(kind: KindRef, { name, namespace, subresource }: ObjectAddress): string {
  if (subresource !== undefined) return objectPath(kind, { name, namespace, subresource });
  return resourcePath(kind, namespaceOf(kind, namespace));
}

/** The path of the objects of one namespace, or of all when none is given. */
export function collectionPath(kind: KindRef, namespace: string | undefined): string {
  return namespace ? resourcePath(kind, segment(kind, 'namespace', namespace)) : resourcePath(kind);
}

function namespaceOf(kind: KindRef, namespace: string | undefined): string | undefined {
  return kind.scope === 'Cluster' ? undefined : segment(kind, 'namespace', namespace);
}

function segment({ kind }: KindRef, what: 'name' | 'namespace', value: string | undefined): string {
  if (value === undefined || value === '') {
    const hint =
      what === 'name' ? 'set metadata.name' : `${kind} is namespaced: pass { namespace } or set metadata.namespace`;
    throw new OperatorError(`a ${what} is needed for ${kind}`, { code: 'E_REQUEST', hint });
  }
  if (value === '.' || value === '..' || value.includes('/')) {
    throw new OperatorError(`${JSON.stringify(value)} is no ${what} of ${kind}`, { code: 'E_REQUEST' });
  }
  return value;
}
