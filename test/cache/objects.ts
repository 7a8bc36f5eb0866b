import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { KubeObject, ObjectMeta, ReadonlyDeep } from '../../src/api/objects/kube-object.js';
import type { ObjectEvent } from '../../src/api/events/object-event.js';
import { keyOf, objectKey } from '../../src/api/objects/object-key.js';

export const Widget: KindRef = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
};

/** A widget in namespace `ns`; its uid follows from its name unless given. */
export function widget(name: string, resourceVersion: number | string, metadata: Partial<ObjectMeta> = {}): KubeObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(resourceVersion), ...metadata },
  };
}

export function mapOf(...objects: KubeObject[]): Map<string, KubeObject> {
  return new Map(objects.map((object) => [objectKey(object), object]));
}

/** `add a@1`, `update a@1→2`, `delete a@2`. */
export function describeEvent(event: ObjectEvent): string {
  const { name, resourceVersion } = event.object.metadata;
  const from = event.type === 'update' ? `${event.old.metadata.resourceVersion ?? ''}→` : '';
  return `${event.type} ${name}@${from}${resourceVersion ?? ''}`;
}

/** The objects that result from events; throws if the events contradict each other. */
export class Replay {
  readonly objects = new Map<string, ReadonlyDeep<KubeObject>>();

  readonly handle = (event: ObjectEvent): void => {
    const key = keyOf(event.object.metadata.name, event.object.metadata.namespace);
    const known = this.objects.get(key);
    if ((event.type === 'add') === (known !== undefined))
      throw new Error(`${describeEvent(event)} of ${known?.metadata.resourceVersion ?? 'nothing'}`);
    if (event.type === 'update' && event.old !== known) throw new Error(`${describeEvent(event)} is not from the last`);
    if (event.type === 'delete') this.objects.delete(key);
    else this.objects.set(key, event.object);
  };
}
