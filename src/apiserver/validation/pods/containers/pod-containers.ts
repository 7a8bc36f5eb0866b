import { eachObject } from '../../../objects/api-object.js';
import type { JsonObject } from '../../../objects/api-object.js';

/** A container of a pod and where it stands. */
export interface PodContainer {
  readonly container: JsonObject;
  readonly field: string;
}

/** All containers of a pod's spec, in the order Kubernetes visits them. */
export function podContainers(spec: JsonObject, field: string): PodContainer[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) =>
    eachObject(spec[name]).map((container, index) => ({ container, field: `${field}.${name}[${index}]` })),
  );
}
