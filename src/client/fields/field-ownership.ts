import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { Client } from '../client.js';

/** metav1.ManagedFieldsEntry. */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly fieldsV1?: unknown;
}

/** Returns true if a field manager owns fields of an object. */
export function ownsFields(object: Pick<KubeObject, 'metadata'>, manager: string): boolean {
  return managersOf(object).some((entry) => entry.manager === manager);
}

/** Returns true if a field manager owns fields of an object by server-side apply. */
export function hasApplied(object: Pick<KubeObject, 'metadata'>, manager: string): boolean {
  return managersOf(object).some((entry) => entry.manager === manager && entry.operation === 'Apply');
}

/**
 * Ends the ownership of all fields that a field manager owns, and keeps their values: until another manager owns them,
 * all others can set and remove them without a conflict, and they are removed with the object that contains them.
 *
 * @throws ConflictError if the object has changed since it was read
 */
export async function disownFields<T extends KubeObject>(
  client: Pick<Client, 'patch'>,
  kind: KindRef<T>,
  object: T,
  manager: string,
  signal?: AbortSignal,
): Promise<void> {
  const { name, namespace, resourceVersion } = object.metadata;
  const others = managersOf(object).filter((entry) => entry.manager !== manager);
  // The API server ignores an empty list; one empty entry removes all.
  const managedFields = others.length === 0 ? [{}] : others;
  const change = { metadata: { managedFields, resourceVersion } };
  await client.patch(kind, name, change, { namespace, fieldManager: manager, ...(signal && { signal }) });
}

/** Returns the entries of the field managers of an object. */
export function managersOf({ metadata }: ReadonlyDeep<Pick<KubeObject, 'metadata'>>): readonly ManagedFields[] {
  return (metadata as { readonly managedFields?: readonly ManagedFields[] }).managedFields ?? [];
}
