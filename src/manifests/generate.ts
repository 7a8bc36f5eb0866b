import type { ResourceModel } from '../resource/model.js';
import { namespaceObject, roleBindings, roles, serviceAccount } from './access.js';
import { customResourceDefinition } from './crd.js';
import { controllerDeployment } from './deployment.js';
import { DOCKERFILE } from './dockerfile.js';
import { yamlFile, type GeneratedFile } from './generated-file.js';
import { operatorsOf, type ManifestOptions, type ManifestSource, type Operator } from './operator.js';
import { sampleObjects } from './samples.js';

/**
 * All files for a set of kinds, in the order of their paths; the same for the same kinds, whatever their order.
 *
 * The files of `<operator>/` are numbered so that one `kubectl apply -f` of the folder makes what others need first.
 */
export function generateManifests(sources: readonly ManifestSource[], options: ManifestOptions = {}): GeneratedFile[] {
  const files = operatorsOf(sources, options).flatMap(operatorFiles);
  if (files.length > 0) files.push({ path: 'Dockerfile', content: DOCKERFILE });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function operatorFiles(operator: Operator): GeneratedFile[] {
  const { name, models, sourceFile } = operator;
  const crds = models.map(customResourceDefinition);
  const own = {
    '00-namespace': [namespaceObject(operator)],
    '01-service-account': [serviceAccount(operator)],
    '02-roles': roles(operator),
    '03-role-bindings': roleBindings(operator),
    '04-crd': crds,
    '05-deployment': [controllerDeployment(operator)],
  };
  return [
    ...models.map((model, index) => yamlFile(crdPath(model), sourceFile, crds.slice(index, index + 1))),
    yamlFile(`samples/${name}.yaml`, sourceFile, models.flatMap(sampleObjects)),
    ...Object.entries(own).map(([file, objects]) => yamlFile(`${name}/${file}.yaml`, sourceFile, objects)),
  ];
}

/** As controller-gen names it. */
function crdPath({ kind }: ResourceModel): string {
  return `${kind.group}_${kind.plural}.yaml`;
}
