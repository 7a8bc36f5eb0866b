import { eachObject } from '../objects/api-object.js';
import { isJsonObject, objectAt, stringAt, textOf, valueAt, type JsonObject } from '../objects/api-object.js';
import type { ScalePaths } from '../resources/resource.js';

/** The scale of a version of a custom resource, if it has one. */
export function customScale(spec: JsonObject, version: JsonObject): ScalePaths | undefined {
  const scale = scaleIn(version);
  if (!scale) return undefined;
  const selectorPath = stringAt(scale, 'labelSelectorPath') === '' ? undefined : path(scale, 'labelSelectorPath');
  return {
    specReplicas: path(scale, 'specReplicasPath'),
    replicasIn: replicasIn(spec),
    statusReplicas: path(scale, 'statusReplicasPath'),
    ...(selectorPath && { selectorPath }),
    selector: (object) => (selectorPath ? textOf(valueAt(object, selectorPath) ?? '') : ''),
  };
}

function replicasIn(spec: JsonObject): ScalePaths['replicasIn'] {
  const group = stringAt(spec, 'group');
  const paths = new Map(
    eachObject(spec.versions).map((version) => {
      const scale = scaleIn(version);
      return [`${group}/${stringAt(version, 'name')}`, scale ? path(scale, 'specReplicasPath') : null];
    }),
  );
  return (apiVersion) => paths.get(apiVersion);
}

function scaleIn(version: JsonObject): JsonObject | undefined {
  const { scale } = objectAt(version, 'subresources');
  return isJsonObject(scale) ? scale : undefined;
}

function path(scale: JsonObject, key: string): string[] {
  return stringAt(scale, key).split('.').slice(1);
}
