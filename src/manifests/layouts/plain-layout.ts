import { yamlFile, type GeneratedFile } from '../output/generated-file.js';
import type { OperatorManifests } from './operator-manifests.js';

/** A folder that one `kubectl apply -f` takes: its files are numbered, so that what others need comes first. */
export function plainLayout(manifests: OperatorManifests): GeneratedFile[] {
  const { name, sourceFile } = manifests.operator;
  const files = {
    '00-namespace': [manifests.namespace],
    '01-service-account': [manifests.serviceAccount],
    '02-roles': manifests.roles,
    '03-role-bindings': manifests.bindings,
    '04-crd': manifests.definitions,
    '05-deployment': [manifests.deployment],
  };
  return [
    yamlFile(`samples/${name}.yaml`, sourceFile, manifests.samples),
    ...Object.entries(files).map(([file, objects]) => yamlFile(`${name}/${file}.yaml`, sourceFile, objects)),
  ];
}
