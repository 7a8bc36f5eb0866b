import type { JsonSchema } from '../api/json-schema.js';
import type { UnstructuredObject } from '../api/kube-object.js';
import { parseYamlDocuments } from '../base/yaml.js';

/** A CustomResourceDefinition, as far as its users depend on it. */
export interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly scope: string;
    readonly names: DefinitionNames;
    readonly conversion?: { readonly strategy: string };
    readonly versions: readonly DefinitionVersion[];
  };
}

export interface DefinitionNames {
  readonly kind: string;
  readonly listKind?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: object };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly unknown[];
}

/** The CustomResourceDefinitions among the documents of a YAML text. */
export function definitionsIn(text: string, file: string): Definition[] {
  return parseYamlDocuments(text, file).filter(isDefinition);
}

function isDefinition(document: unknown): document is Definition {
  const { apiVersion, kind, spec } = document as Partial<UnstructuredObject>;
  if (kind !== 'CustomResourceDefinition' || apiVersion !== 'apiextensions.k8s.io/v1') return false;
  return Array.isArray((spec as Partial<Definition['spec']> | undefined)?.versions);
}
