import { KIND_REF, type KindRef, type Scope } from '../../api/kind-ref.js';
import type { KubeObject } from '../../api/kube-object.js';
import { metadataKey, prependMetadata } from '../metadata.js';
import { pluralOf } from '../kinds/plural.js';

/** The identity of a kind; what is left out follows from the name of the class. */
export interface KindOptions {
  /** A domain of yours: `apps.example.com`. */
  readonly group: string;
  /** `v1`, `v1beta1`, `v1alpha1` … */
  readonly version: string;
  /** Default: the name of the class. */
  readonly kind?: string;
  /** Default: the English plural of the kind in lower case. */
  readonly plural?: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  /** Default `Namespaced`. */
  readonly scope?: Scope;
  readonly shortNames?: readonly string[];
  /** Groups the kind is listed with, as in `kubectl get all`. */
  readonly categories?: readonly string[];
  /** Annotations of the CustomResourceDefinition. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Labels of the CustomResourceDefinition. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Default: the doc comment of the class. */
  readonly description?: string;
}

export const KIND = metadataKey<KindOptions>('kind');

/** Makes a class a kind of Kubernetes, and so the reference by which it is read, owned and watched. */
export function Kind(options: KindOptions): (target: abstract new (...args: never[]) => KubeObject) => void {
  return (target) => {
    prependMetadata(KIND, target, options);
    const kind = options.kind ?? target.name;
    const reference: KindRef = Object.freeze({
      group: options.group,
      version: options.version,
      kind,
      plural: options.plural ?? pluralOf(kind),
      scope: options.scope ?? 'Namespaced',
    });
    Object.defineProperty(target, KIND_REF, { value: reference, configurable: true });
  };
}
