import { KIND_REF, type Scope } from '../../api/kinds/kind-ref.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { assertCalled, metadataKey, prependMetadata } from '../metadata.js';
import { OperatorError } from '../../base/operator-error.js';
import { kindByName } from '../kind-by-name.js';

/** The identity of a kind. The defaults are derived from the name of the class. */
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
  /** Default: the kind and `List`. */
  readonly listKind?: string;
  /** Lets kind and version have any name that the API server takes, rather than only the usual ones. */
  readonly anyNames?: boolean;
  /** Default `Namespaced`. */
  readonly scope?: Scope;
  readonly shortNames?: readonly string[];
  /** Groups the kind is listed with, as in `kubectl get all`. */
  readonly categories?: readonly string[];
  /** Annotations of the CustomResourceDefinition. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Labels of the CustomResourceDefinition. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Longest description in the schema, in characters. A class or field can override it. */
  readonly maxDescriptionLength?: number;
  /**
   * True to store objects in this version. Default: true for the only version of a kind; if there are several, true for
   * the version that reconciles, unless another version has `storage: true`.
   */
  readonly storage?: boolean;
  /** If set, the API server serves this version. Default: true. */
  readonly served?: boolean;
  /** Clients of this version are warned: true, or the text of the warning. Default: false. */
  readonly deprecated?: boolean | string;
  /** The order in which the definition lists the versions of the kind. Default: by name. */
  readonly versionOrder?: readonly string[];
  /** How objects get from one version to another. Default: as `None`, which changes nothing but the apiVersion. */
  readonly conversion?: 'None' | WebhookConversion;
  /** If set, the schema lists apiVersion, kind and metadata, like those of controller-gen. Default: true. */
  readonly commonFields?: boolean;
  /**
   * The subresources besides that of `@Scale`. Default: `status`, if the class has a field of that name. Without
   * `status`, the definition lists the subresources even if they are empty, which has no effect.
   */
  readonly subresources?: { readonly status?: boolean };
  /** Set to false to upgrade a definition from before apiextensions/v1 that preserved unknown fields. */
  readonly preserveUnknownFields?: false;
}

/** A webhook that converts objects between the versions of a kind. */
export interface WebhookConversion {
  readonly conversionReviewVersions: readonly string[];
  readonly clientConfig?: {
    readonly url?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path?: string;
      readonly port?: number;
    };
    /** PEM, in base64. */
    readonly caBundle?: string;
  };
}

export const KIND = metadataKey<KindOptions>('kind');

/** Makes a class a kind of Kubernetes, and so the reference by which it is read, owned and watched. */
export function Kind(options: KindOptions): (target: abstract new (...args: never[]) => KubeObject) => void {
  assertCalled(KIND, options);
  return (target) => {
    assertOptions(target, options);
    prependMetadata(KIND, target, options);
    const kind = options.kind ?? target.name;
    const { group, version, plural, scope } = options;
    const reference = kindByName({ group, version, kind, plural, scope });
    Object.defineProperty(target, KIND_REF, { value: reference, configurable: true });
  };
}

/** @throws OperatorError for absent options, which compilers without type checks accept. */
function assertOptions({ name }: { readonly name: string }, options: KindOptions | null | undefined): void {
  if (options !== undefined && options !== null) return;
  throw new OperatorError(`@Kind of class ${name} has no options`, {
    code: 'E_MODEL',
    hint: `write @Kind({ group: 'apps.example.com', version: 'v1' })`,
  });
}
