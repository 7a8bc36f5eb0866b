import { resourcePath, toKindRef, type KindLike, type KindRef } from '../api/kinds/kind-ref.js';
import { OperatorError } from '../base/operator-error.js';

/** The subresources of Kubernetes, such as `status` or `proxy`; a path with one must not lead elsewhere. */
const SUBRESOURCE = /^[A-Za-z][A-Za-z0-9-]*$/;

export interface ObjectAddress {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * Returns the path of one object.
 *
 * @throws OperatorError if the name or the namespace is missing. A DELETE without a name would delete all objects.
 */
export function objectPath(kind: KindRef, { name, namespace, subresource }: ObjectAddress): string {
  if (subresource !== undefined && !SUBRESOURCE.test(subresource)) throw invalid(kind, 'subresource', subresource);
  return resourcePath(kind, namespaceOf(kind, namespace), segment(kind, 'name', name), subresource);
}

/** Returns the path for creating an object: the collection, or the subresource of a named object. */
export function creationPath(kind: KindRef, { name, namespace, subresource }: ObjectAddress): string {
  if (subresource !== undefined) return objectPath(kind, { name, namespace, subresource });
  return resourcePath(kind, namespaceOf(kind, namespace));
}

/** Returns the path of the objects in one namespace, or in all namespaces if `namespace` is undefined. */
export function collectionPath(kind: KindRef, namespace: string | undefined): string {
  return namespace ? resourcePath(kind, segment(kind, 'namespace', namespace)) : resourcePath(kind);
}

/** Returns the namespace of a collection; undefined for all namespaces, and for cluster scope. */
export function collectionNamespace({ scope }: KindRef, namespace: string | undefined): string | undefined {
  return scope === 'Cluster' || namespace === '' ? undefined : namespace;
}

/** Returns the address of an object to write, in the namespace of the options if they have one. */
export function addressOf(
  kind: KindLike,
  { metadata }: { readonly metadata?: { readonly name?: string; readonly namespace?: string } },
  { namespace, subresource }: Partial<Pick<ObjectAddress, 'namespace' | 'subresource'>>,
): ObjectAddress & { readonly kind: KindRef } {
  return { kind: toKindRef(kind), name: metadata?.name, namespace: namespace ?? metadata?.namespace, subresource };
}

function namespaceOf(kind: KindRef, namespace: string | undefined): string | undefined {
  return kind.scope === 'Cluster' ? undefined : segment(kind, 'namespace', namespace);
}

function segment(ref: KindRef, what: 'name' | 'namespace', value: string | undefined): string {
  const { kind } = ref;
  if (value === undefined || value === '') {
    const hint =
      what === 'name' ? 'set metadata.name' : `${kind} is namespaced: pass { namespace } or set metadata.namespace`;
    throw new OperatorError(`a ${what} is required for ${kind}`, { code: 'E_REQUEST', hint });
  }
  if (value === '.' || value === '..' || value.includes('/') || /\p{Surrogate}/u.test(value))
    throw invalid(ref, what, value);
  return value;
}

function invalid({ kind }: KindRef, what: 'name' | 'namespace' | 'subresource', value: string): OperatorError {
  const hint =
    what === 'subresource'
      ? 'a subresource is one word, such as status or scale'
      : `a ${what} cannot be "." or ".." and cannot contain "/" or half of a surrogate pair`;
  return new OperatorError(`${JSON.stringify(value)} is not a valid ${what} for ${kind}`, { code: 'E_REQUEST', hint });
}
