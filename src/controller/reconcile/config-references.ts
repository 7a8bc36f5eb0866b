import type { Desired, KubeObject } from '../../api/objects/kube-object.js';
import { isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';

/** A ConfigMap or Secret that a pod template refers to. */
export interface ConfigReference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

/**
 * Returns the ConfigMaps and Secrets with contents that the pods of a template see, each once and sorted: those of environment
 * variables and volumes, and not those with which images are pulled. Undefined if the object has no pod template.
 */
export function configReferences(object: Desired<KubeObject>): ConfigReference[] | undefined {
  const spec = objectAt(objectAt(objectAt(object, 'spec'), 'template'), 'spec');
  if (!Array.isArray(spec['containers'])) return undefined;
  const containers = [...itemsAt(spec, 'initContainers'), ...itemsAt(spec, 'containers')];
  const volumes = itemsAt(spec, 'volumes');
  const found = [
    ...containers
      .flatMap((container) => itemsAt(container, 'envFrom'))
      .flatMap((source) => [named('ConfigMap', source, 'configMapRef'), named('Secret', source, 'secretRef')]),
    ...containers
      .flatMap((container) => itemsAt(container, 'env'))
      .flatMap((variable) => [
        named('ConfigMap', objectAt(variable, 'valueFrom'), 'configMapKeyRef'),
        named('Secret', objectAt(variable, 'valueFrom'), 'secretKeyRef'),
      ]),
    ...[...volumes, ...volumes.flatMap((volume) => itemsAt(objectAt(volume, 'projected'), 'sources'))].flatMap(
      (source) => [
        named('ConfigMap', source, 'configMap'),
        named('Secret', source, 'secret'),
        named('Secret', source, 'secret', 'secretName'),
      ],
    ),
  ].filter((reference) => reference !== undefined);
  const byKey = new Map(found.map((reference) => [`${reference.kind} ${reference.name}`, reference]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reference]) => reference);
}

function itemsAt(object: object, member: string): JsonObject[] {
  const items = (object as JsonObject)[member];
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

function named(
  kind: ConfigReference['kind'],
  source: JsonObject,
  member: string,
  nameMember = 'name',
): ConfigReference | undefined {
  const name = objectAt(source, member)[nameMember];
  return typeof name === 'string' && name !== '' ? { kind, name } : undefined;
}
