import type { KubeObject, ObjectMeta } from '../../api/objects/kube-object.js';

/** Frees most of the memory of an object. `delete` would cost 0.3 µs and turn metadata into a slow dictionary. */
export function dropManagedFields({ metadata }: KubeObject): void {
  const fields: ObjectMeta & { managedFields?: unknown } = metadata;
  if (fields.managedFields !== undefined) fields.managedFields = undefined;
}
