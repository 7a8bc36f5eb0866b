import { eachObject, type JsonObject } from '../../../objects/api-object.js';

/** A container of a pod and its field path. */
export interface PodContainer {
  readonly container: JsonObject;
  readonly field: string;
}

/** Returns all containers of a pod's spec, in the order in which Kubernetes visits them. */
export function podContainers(spec: JsonObject, field: string): PodContainer[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) =>
    eachObject(spec[name]).map((container, index) => ({ container, field: `${field}.${name}[${index}]` })),
  );
}
