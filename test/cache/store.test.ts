import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { objectKey, splitKey, type ObjectKey } from '../../src/api/objects/object-key.js';
import { inNamespace, ownedBy, withLabel } from '../../src/cache/look-up.js';
import { Store } from '../../src/cache/store.js';
import { VersionedStore } from '../../src/cache/versioned-store.js';
import { mapOf, widget } from './objects.js';
import { replaceBy } from './versioned-store-setup.js';

const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Owner', name: uid, uid });
const nameOf = (found: KubeObject | ObjectKey) =>
  typeof found === 'string' ? splitKey(found).name : found.metadata.name;
const names = (found: Iterable<KubeObject | ObjectKey>) => [...found].map(nameOf).sort();

describe('Store', () => {
  test('a store finds objects by namespace, owner and label', () => {
    const store = new Store();
    store.replace(
      mapOf(
        widget('a', 1, { labels: { app: 'x' }, ownerReferences: [owner('o1'), owner('o2')] }),
        widget('b', 2, { namespace: 'other', labels: { app: 'y' }, ownerReferences: [owner('o2')] }),
      ),
    );
    expect(names(store.keysOf(inNamespace('ns')))).toEqual(['a']);
    expect(names(store.keysOf(ownedBy('o2')))).toEqual(['a', 'b']);
    expect(names(store.keysOf(withLabel('app', 'y')))).toEqual(['b']);
    expect(names(store.keysOf(withLabel('constructor', 'x')))).toEqual([]);
  });

  test('cluster-scoped objects are in no namespace of a store', () => {
    const store = new Store();
    const node: KubeObject = { metadata: { name: 'n1' } };
    store.set(objectKey(node), node);
    expect(names(store.keysOf(inNamespace('')))).toEqual(['n1']);
  });

  test('replacing the objects of a store removes all others', () => {
    const store = new Store();
    store.replace(mapOf(widget('a', 1)));
    expect(names(store.keysOf(inNamespace('ns')))).toEqual(['a']);
    store.replace(mapOf(widget('b', 2)));
    expect(names(store.keysOf(inNamespace('ns')))).toEqual(['b']);
  });

  test('an index is correct after a list that changes some objects, or many', () => {
    const team = fc.constantFrom('x', 'y', undefined);
    const objects = fc.array(fc.record({ name: fc.integer({ min: 0, max: 20 }), team, uid: fc.boolean() }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.array(objects, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 3 }), (lists, step) => {
        const store = new Store();
        const versions = new VersionedStore(store, { changed: () => undefined, replaced: () => undefined });
        let version = 1;
        let current: KubeObject[] = Array.from({ length: 20 }, (_, index) => widget(`w${index}`, version));
        for (const list of lists) {
          version += 1;
          const changed = list.slice(0, step).map(({ name, team: value, uid }) => ({
            ...widget(`w${name}`, version, { labels: value ? { team: value } : {} }),
            ...(uid && { metadata: { ...widget(`w${name}`, version).metadata, uid: `${name}-${version}` } }),
          }));
          current = [...mapOf(...current, ...changed).values()].slice(step - 1);
          replaceBy(versions, current, String(version));
          for (const value of ['x', 'y']) {
            const expected = current.filter(({ metadata }) => metadata.labels?.['team'] === value);
            expect(names(store.keysOf(withLabel('team', value)))).toEqual(names(expected));
          }
        }
      }),
    );
  });

  test('an index returns the same objects as a scan after any sequence of changes', () => {
    const label = fc.option(fc.constantFrom('x', 'y'), { nil: undefined });
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      isDelete: fc.boolean(),
      label,
      owners: fc.subarray(['o1', 'o2']),
      isRead: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const store = new Store();
        const check = (): void => {
          const all = [...store.values()];
          for (const value of ['x', 'y']) {
            const expected = all.filter(({ metadata }) => metadata.labels?.['app'] === value);
            expect(names(store.keysOf(withLabel('app', value)))).toEqual(names(expected));
          }
          for (const uid of ['o1', 'o2']) {
            const expected = all.filter(({ metadata }) => metadata.ownerReferences?.some((one) => one.uid === uid));
            expect(names(store.keysOf(ownedBy(uid)))).toEqual(names(expected));
          }
        };
        for (const { name, isDelete, label: app, owners, isRead } of steps) {
          const object = widget(name, 1, { labels: app ? { app } : {}, ownerReferences: owners.map(owner) });
          if (isDelete) store.delete(objectKey(object));
          else store.set(objectKey(object), object);
          if (isRead) check();
        }
        check();
      }),
    );
  });

  test('a store limits the number of its label indexes, and lists by further labels are still correct', () => {
    const store = new Store();
    for (let i = 0; i < 50; i++) store.set(`ns/w${i}`, widget(`w${i}`, i, { labels: { [`l${i}`]: 'x' } }));
    for (let i = 0; i < 50; i++) expect(names(store.keysOf(withLabel(`l${i}`, 'x')))).toEqual([`w${i}`]);
    store.set('ns/w0', widget('w0', 99));
    expect(names(store.keysOf(withLabel('l0', 'x')))).toEqual([]);
    expect(names(store.keysOf(withLabel('l49', 'x')))).toEqual(['w49']);
  });
});
