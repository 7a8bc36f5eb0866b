import type { KubeObject, ReadonlyDeep } from './kube-object.js';

/** Identity of an object within its kind. */
export interface NamespacedName {
  /** Empty for objects of cluster scope. */
  readonly namespace: string;
  readonly name: string;
}

/** `namespace/name`, or `name` for cluster scope: client-go's MetaNamespaceKeyFunc. */
export type ObjectKey = string;

export function objectKey({ metadata }: ReadonlyDeep<KubeObject>): ObjectKey {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
}

export function keyOf(name: string, namespace?: string): ObjectKey {
  return namespace ? `${namespace}/${name}` : name;
}

export function splitKey(key: ObjectKey): NamespacedName {
  const slash = key.indexOf('/');
  return slash < 0 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
