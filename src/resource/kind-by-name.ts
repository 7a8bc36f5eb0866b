import type { KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject, UnstructuredObject } from '../api/objects/kube-object.js';
import { pluralOf } from './plural.js';

/** The names of a kind. */
export interface NamedKind extends Pick<KindRef, 'group' | 'version' | 'kind'> {
  /** Default: the English plural of the kind in lower case. */
  readonly plural?: string | undefined;
  /** Default `Namespaced`. */
  readonly scope?: KindRef['scope'] | undefined;
}

/**
 * Returns the reference of a kind that neither Kubernetes nor a class defines, such as that of another operator.
 *
 * @example
 * const Certificate = kindByName({ group: 'cert-manager.io', version: 'v1', kind: 'Certificate' });
 */
export function kindByName<T extends KubeObject = UnstructuredObject>(names: NamedKind): KindRef<T> {
  const { group, version, kind, plural = pluralOf(kind), scope = 'Namespaced' } = names;
  return Object.freeze({ group, version, kind, plural, scope });
}
