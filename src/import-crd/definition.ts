import type { JsonSchema } from '../api/json-schema.js';

/** A CustomResourceDefinition of apiextensions.k8s.io/v1, as far as it is someone's decision. */
export interface Definition {
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: DefinitionNames;
    readonly versions: readonly DefinitionVersion[];
    readonly conversion?: { readonly strategy: 'None' | 'Webhook'; readonly webhook?: object };
    readonly preserveUnknownFields?: boolean;
  };
}

export interface DefinitionNames {
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: object };
  readonly additionalPrinterColumns?: readonly { readonly jsonPath: string }[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}
