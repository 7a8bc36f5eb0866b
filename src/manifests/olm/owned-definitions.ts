import { apiVersionOf, resourceName } from '../../api/kinds/kind-ref.js';
import type { FieldModel } from '../../resource/fields/value-model.js';
import type { ResourceModel } from '../../resource/model.js';
import type { Operator } from '../operator.js';

/** The kinds that an operator defines, with descriptors of their fields for consoles. */
export function ownedDefinitions({ models }: Operator): object[] {
  return models.filter(({ definesKind }) => definesKind).map(ownedDefinition);
}

function ownedDefinition(model: ResourceModel): object {
  const { kind, description, owns, dependents } = model;
  const created = [...owns.map((each) => each.kind), ...dependents.map((each) => each.kind)];
  const resources = created.map((each) => ({ kind: each.kind, name: '', version: apiVersionOf(each) }));
  return {
    name: resourceName(kind),
    version: kind.version,
    kind: kind.kind,
    displayName: inWords(kind.kind),
    description: description ?? `${kind.kind} is the schema for the ${kind.plural} API.`,
    resources: [...new Map(resources.map((each) => [`${each.version} ${each.kind}`, each])).values()],
    specDescriptors: descriptors(model, 'spec'),
    statusDescriptors: descriptors(model, 'status'),
  };
}

function descriptors({ classModel }: ResourceModel, part: string): object[] {
  const fields = classModel.fields.find(({ name }) => name === part)?.value.class?.fields ?? [];
  return fields.map(({ name, value }: FieldModel) => ({
    path: name,
    displayName: value.rules.title ?? inWords(name),
    description: value.description ?? value.class?.description ?? inWords(name),
    ...(part === 'status' &&
      name === 'conditions' && { 'x-descriptors': ['urn:alm:descriptor:io.kubernetes.conditions'] }),
  }));
}

/** `readyReplicas` as `Ready Replicas`. */
function inWords(name: string): string {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
