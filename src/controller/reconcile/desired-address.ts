import type { Desired, KubeObject } from '../../api/objects/kube-object.js';

/** The name and namespace of a desired object, as calls of `ctx` take them. */
export interface DesiredAddress {
  readonly name: string;
  /** Empty for the namespace of the reconciled object. */
  readonly at: { readonly namespace?: string };
}

export function desiredAddress({ metadata: { name = '', namespace } }: Desired<KubeObject>): DesiredAddress {
  return { name, at: namespace === undefined ? {} : { namespace } };
}
