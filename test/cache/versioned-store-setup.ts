import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { Store } from '../../src/cache/store.js';
import { VersionedStore } from '../../src/cache/versioned-store.js';
import { describeEvent, widget } from './objects.js';

/** Lists the objects. A list that goes back is compared in full, as by a reflector. */
export function replaceBy(
  versions: VersionedStore,
  objects: readonly KubeObject[],
  resourceVersion: string,
  inFull = versions.isRewoundBy(resourceVersion),
): void {
  const list = versions.beginReplace(inFull);
  for (const object of objects) list.add(object);
  versions.replace(list, resourceVersion);
}

/** A store without a list, and a record of its events. */
export function setup() {
  const store = new Store();
  const seen: string[] = [];
  const versions = new VersionedStore(store, {
    changed: (events) => seen.push(...events.map(describeEvent)),
    replaced: () => seen.push('replaced'),
  });
  const relist = (resourceVersion: number, ...objects: ReturnType<typeof widget>[]): void => {
    replaceBy(versions, objects, String(resourceVersion));
  };
  const has = (): string[] =>
    [...store.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion ?? ''}`).sort();
  return { versions, seen, relist, has, store };
}

/** A store that has listed `a@10` at version 20, with an empty record of events. */
export function listed() {
  const all = setup();
  all.relist(20, widget('a', 10));
  all.seen.length = 0;
  return all;
}
