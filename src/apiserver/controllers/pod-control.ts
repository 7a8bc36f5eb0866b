import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import { controlledBy } from './cluster-client.js';

/** Additions of a controller to the pod template. */
export interface PodExtras {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly spec?: JsonObject;
}

/** Returns a pod of the owner's template, controlled by the owner. */
export function podFromTemplate(resource: Resource, owner: ApiObject, extras: PodExtras = {}): JsonObject {
  const template = objectAt(objectAt(owner, 'spec'), 'template');
  const { labels, annotations, finalizers } = objectAt(template, 'metadata');
  const { name, namespace } = owner.metadata;
  return {
    metadata: {
      ...(extras.name === undefined ? { generateName: `${name}-` } : { name: extras.name }),
      namespace,
      ...merged('labels', labels, extras.labels),
      ...merged('annotations', annotations, extras.annotations),
      ...((finalizers ?? extras.finalizers) !== undefined && {
        finalizers: [...((finalizers as string[] | undefined) ?? []), ...(extras.finalizers ?? [])],
      }),
      ownerReferences: [controlledBy(resource, owner)],
    },
    spec: { ...objectAt(template, 'spec'), ...extras.spec },
  };
}

function merged(field: string, own: unknown, extra: object | undefined): JsonObject {
  return own === undefined && extra === undefined ? {} : { [field]: { ...(own as object | undefined), ...extra } };
}

export function isPodFinished({ status }: ApiObject): boolean {
  const phase = stringAt(status, 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

export function isPodReady(pod: ApiObject): boolean {
  return readySince(pod) !== undefined;
}

/** Returns whether the pod has been ready for `minReadySeconds`. */
export function isPodAvailable(pod: ApiObject, minReadySeconds: number, nowMs: number): boolean {
  const since = readySince(pod);
  return since !== undefined && (minReadySeconds === 0 || Date.parse(since) + minReadySeconds * 1000 <= nowMs);
}

/** Returns since when the pod has been ready; undefined if it is not. */
export function readySince({ status }: ApiObject): string | undefined {
  const ready = eachObject(objectAt({ status }, 'status').conditions).find(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  );
  return ready && stringAt(ready, 'lastTransitionTime');
}

/** Returns the counts greater than zero: Go omits zero values. */
export function positive(counts: Readonly<Record<string, number>>): JsonObject {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
