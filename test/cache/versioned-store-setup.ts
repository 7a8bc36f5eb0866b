import { Store } from '../../src/cache/store.js';
import { VersionedStore } from '../../src/cache/versioned-store.js';
import { describeEvent, mapOf, widget } from './objects.js';

/** A store without a list, and a record of its events. */
export function setup() {
  const store = new Store();
  const seen: string[] = [];
  const versions = new VersionedStore(store, {
    changed: (events) => seen.push(...events.map(describeEvent)),
    replaced: () => seen.push('replaced'),
  });
  const relist = (resourceVersion: number, ...objects: ReturnType<typeof widget>[]): void => {
    versions.beginReplace();
    versions.replace(mapOf(...objects), String(resourceVersion));
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
