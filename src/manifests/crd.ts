import { resourceName } from '../api/kind-ref.js';
import type { CustomResourceDefinition } from '../api/kinds.js';
import type { UnstructuredObject } from '../api/kube-object.js';
import type { ResourceModel } from '../resource/model.js';
import { openApiSchema } from './schema.js';
import { sortedKeys } from './sorted-keys.js';

/** The CustomResourceDefinition of a kind: what controller-gen makes of the same types in Go. */
export function customResourceDefinition(model: ResourceModel): CustomResourceDefinition & UnstructuredObject {
  const { kind, annotations, labels } = model;
  const definition: UnstructuredObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: resourceName(kind), ...ifAny('annotations', annotations), ...ifAny('labels', labels) },
    spec: { group: kind.group, names: names(model), scope: kind.scope, versions: [version(model)] },
  };
  return sortedKeys(definition) as CustomResourceDefinition & UnstructuredObject;
}

function names({ kind, singular, listKind, shortNames, categories }: ResourceModel) {
  return {
    kind: kind.kind,
    listKind,
    plural: kind.plural,
    singular,
    ...ifAny('shortNames', shortNames),
    ...ifAny('categories', categories),
  };
}

function version(model: ResourceModel) {
  return {
    name: model.kind.version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: openApiSchema(model) },
    ...ifAny('additionalPrinterColumns', model.printColumns),
    ...(model.hasStatus && { subresources: { status: {} } }),
  };
}

function ifAny<N extends string, T extends object>(name: N, value: T): { [P in N]?: T } {
  return (Object.keys(value).length > 0 ? { [name]: value } : {}) as { [P in N]?: T };
}
