import type { CustomResourceDefinition } from '../api/kinds/kinds.js';
import type { UnstructuredObject } from '../api/objects/kube-object.js';
import { parseYamlDocuments } from '../base/yaml.js';

/** Returns the CustomResourceDefinitions among the documents of a YAML text. */
export function definitionsIn(text: string, file: string): CustomResourceDefinition[] {
  return parseYamlDocuments(text, file).filter(isDefinition);
}

function isDefinition(document: unknown): document is CustomResourceDefinition {
  const { apiVersion, kind, spec } = document as Partial<UnstructuredObject>;
  if (kind !== 'CustomResourceDefinition' || apiVersion !== 'apiextensions.k8s.io/v1') return false;
  return Array.isArray((spec as Partial<CustomResourceDefinition['spec']> | undefined)?.versions);
}
