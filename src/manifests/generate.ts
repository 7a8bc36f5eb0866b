import type { UnstructuredObject } from '../api/kube-object.js';
import { Mistakes } from '../resource/mistakes.js';
import { byKind } from '../resource/kinds/versions.js';
import type { ResourceModel } from '../resource/model.js';
import { namespaceObject, roleBindings, roles, serviceAccount } from './access.js';
import { customResourceDefinition } from './crd.js';
import { checkCrd } from './crd-problems.js';
import { checkSize } from './crd-size.js';
import { controllerDeployment } from './deployment.js';
import { DOCKERFILE } from './dockerfile.js';
import { yamlFile, type GeneratedFile } from './generated-file.js';
import { operatorsOf, type ManifestOptions, type ManifestSource, type Operator } from './operator.js';
import { sampleObjects } from './samples.js';
import { withShortDescriptions } from './short-descriptions.js';

/** The CustomResourceDefinition of a kind, and the classes that are its versions. */
interface KindDefinition {
  readonly models: readonly ResourceModel[];
  readonly sourceFile: string;
  readonly crd: UnstructuredObject;
}

/**
 * All files for a set of kinds, in the order of their paths; the same for the same kinds, whatever their order.
 *
 * The files of `<operator>/` are numbered so that one `kubectl apply -f` of the folder makes what others need first.
 * Kinds that no class reconciles have a CustomResourceDefinition and samples, and no operator.
 * @throws ModelError that lists what the API server would refuse.
 */
export function generateManifests(sources: readonly ManifestSource[], options: ManifestOptions = {}): GeneratedFile[] {
  const definitions = definitionsOf(sources, options);
  const operators = operatorsOf(
    sources.filter(({ model }) => model.isReconciled),
    options,
  );
  const files = [
    ...definitions.map(({ models, sourceFile, crd }) => yamlFile(crdPath(models), sourceFile, [crd])),
    ...operators.flatMap((operator) => operatorFiles(operator, definitions)),
    ...definitions.flatMap(sampleFiles),
  ];
  if (operators.length > 0) files.push({ path: 'Dockerfile', content: DOCKERFILE });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function definitionsOf(
  sources: readonly ManifestSource[],
  { maxDescriptionLength = Infinity, warn }: ManifestOptions,
): KindDefinition[] {
  const files = new Map(sources.map(({ model, sourceFile }) => [model, sourceFile.replaceAll('\\', '/')]));
  const mistakes = new Mistakes();
  const definitions = byKind([...files.keys()]).map((models) => {
    const crd = withShortDescriptions(customResourceDefinition(...models), maxDescriptionLength);
    checkCrd(crd, models, mistakes);
    checkSize(crd, models, mistakes, warn);
    const origins = models.map((model) => files.get(model) ?? '');
    return { models, sourceFile: [...new Set(origins)].sort().join(', '), crd };
  });
  mistakes.throwIfAny();
  return definitions;
}

function operatorFiles(operator: Operator, definitions: readonly KindDefinition[]): GeneratedFile[] {
  const { name, models, sourceFile } = operator;
  const kinds = models.map((model) => definitions.find((definition) => definition.models.includes(model))?.crd);
  const own = {
    '00-namespace': [namespaceObject(operator)],
    '01-service-account': [serviceAccount(operator)],
    '02-roles': roles(operator),
    '03-role-bindings': roleBindings(operator),
    '04-crd': kinds.filter((crd) => crd !== undefined),
    '05-deployment': [controllerDeployment(operator)],
  };
  return [
    yamlFile(`samples/${name}.yaml`, sourceFile, models.flatMap(sampleObjects)),
    ...Object.entries(own).map(([file, objects]) => yamlFile(`${name}/${file}.yaml`, sourceFile, objects)),
  ];
}

/** The examples of a kind that no operator runs. */
function sampleFiles({ models, sourceFile }: KindDefinition): GeneratedFile[] {
  const [first] = models;
  if (!first || models.some(({ isReconciled }) => isReconciled)) return [];
  return [yamlFile(`samples/${crdPath(models)}`, sourceFile, models.flatMap(sampleObjects))];
}

/** As controller-gen names it. */
function crdPath([model]: readonly ResourceModel[]): string {
  return model ? `${model.kind.group}_${model.kind.plural}.yaml` : '';
}
