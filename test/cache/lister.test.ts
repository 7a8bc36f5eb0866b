import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import type { Pod } from '../../src/api/kinds/kinds.js';
import { Lister } from '../../src/cache/lister.js';
import { Store } from '../../src/cache/store.js';
import { mapOf, widget } from './objects.js';

const owned = { ownerReferences: [{ apiVersion: 'v1', kind: 'Owner', name: 'o', uid: 'o1' }] };

function setup() {
  const store = new Store();
  store.replace(
    mapOf(
      widget('b', 1, { namespace: 'a-b', labels: { app: 'x', tier: 'web' } }),
      widget('c', 2, { namespace: 'a', labels: { app: 'x', tier: 'db' } }),
      widget('a', 3, { namespace: 'a', labels: { app: 'y' }, ...owned }),
      widget('a', 4, { namespace: 'b' }),
    ),
  );
  return new Lister([store]);
}

const keys = (objects: { metadata: { name: string; namespace?: string } }[]) =>
  objects.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);

describe('Lister', () => {
  test('a lister returns an object by name and namespace', () => {
    expect(setup().get('a', 'b')?.metadata.resourceVersion).toBe('4');
    expect(setup().get('a', 'c')).toBeUndefined();
    expect(setup().get('a')).toBeUndefined();
  });

  test('a lister sorts by namespace, then name', () => {
    expect(keys(setup().list())).toEqual(['a/a', 'a/c', 'a-b/b', 'b/a']);
  });

  test.each([
    ['namespace', { namespace: 'a' }, ['a/a', 'a/c']],
    ['owner', { ownerUid: 'o1' }, ['a/a']],
    ['labels', { labels: { app: 'x' } }, ['a/c', 'a-b/b']],
    ['several labels', { labels: { app: 'x', tier: 'db' } }, ['a/c']],
    ['selector', { labelSelector: { matchLabels: { tier: 'web' } } }, ['a-b/b']],
    [
      'expressions',
      { labelSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' as const }] } },
      ['a/a', 'a/c', 'a-b/b'],
    ],
    ['a selector as text', { labelSelector: 'tier in (web)' }, ['a-b/b']],
    ['an empty selector', { labelSelector: {}, labels: {} }, ['a/a', 'a/c', 'a-b/b', 'b/a']],
    ['all together', { namespace: 'a', ownerUid: 'o1', labels: { app: 'y' }, labelSelector: {} }, ['a/a']],
    ['things that exclude each other', { namespace: 'b', ownerUid: 'o1' }, []],
  ])('a lister selects objects by %s', (_, options, expected) => {
    expect(keys(setup().list(options))).toEqual(expected);
  });

  test.each([
    ['labels', { labels: { app: 'x', set: 'one' } }],
    ['labels and selector', { labels: { app: 'x' }, labelSelector: { matchLabels: { set: 'one' } } }],
    ['label and namespace', { labels: { app: 'x' }, namespace: 'rare' }],
  ])('a lister reads only the objects of the smallest index for %s', (_, options) => {
    let reads = 0;
    const store = new Store();
    const rare = widget('rare', 1, { namespace: 'rare', labels: { app: 'x', set: 'one' } });
    const others = Array.from({ length: 50 }, (_unused, i) => widget(`o${String(i)}`, 2, { labels: { app: 'x' } }));
    store.replace(mapOf(rare, ...others));
    const lister = new Lister([store]);
    lister.list(options);
    for (const { metadata } of others) {
      const { labels } = metadata;
      Object.defineProperty(metadata, 'labels', { get: () => ((reads += 1), labels) });
    }
    expect(keys(lister.list(options))).toEqual(['rare/rare']);
    expect(reads).toBe(0);
  });

  test('a lister reads only the objects of the smallest index for a field and a label', () => {
    const store = new Store();
    const pod = (i: number) => ({ ...widget(`p${i}`, i, { labels: { app: 'x' } }), spec: { nodeName: `n${i % 10}` } });
    store.replace(mapOf(...Array.from({ length: 50 }, (_unused, i) => pod(i))));
    const lister = new Lister([store]);
    const options = { labels: { app: 'x' }, where: { 'spec.nodeName': 'n3' } };
    const found = lister.list(options);
    expect(found).toHaveLength(5);
    let reads = 0;
    for (const object of store.values()) {
      const { metadata } = object;
      if (found.includes(object)) continue;
      Object.defineProperty(object, 'metadata', { get: () => ((reads += 1), metadata) });
    }
    expect(lister.list(options)).toEqual(found);
    expect(reads).toBe(0);
  });

  test('a lister of several stores lists the objects of all', () => {
    const other = new Store();
    other.replace(mapOf(widget('z', 9, { namespace: 'a' })));
    const lister = Lister.over([setup(), new Lister([other])]);
    expect(lister.size).toBe(5);
    expect(lister.get('z', 'a')?.metadata.resourceVersion).toBe('9');
    expect(keys(lister.list({ namespace: 'a' }))).toEqual(['a/a', 'a/c', 'a/z']);
  });

  test('the types of a lister do not allow changes of cached objects', () => {
    const compiled = (lister: Lister<Pod>): unknown[] => [
      // @ts-expect-error -- an object is read-only
      (lister.get('a')!.metadata.name = 'b'),
      // @ts-expect-error -- at every depth, also lists
      (lister.getByKey('a')!.metadata.finalizers![0] = 'b'),
      // @ts-expect-error -- and so are the objects of a list
      (lister.list()[0]!.spec!.nodeName = 'b'),
      // @ts-expect-error -- and those without an order
      [...lister.values()].map((pod) => delete pod.status),
      // A list is the caller's own, and so is a copy.
      lister.list().reverse(),
      ((structuredClone(lister.list()[0]) as Pod).metadata.name = 'b'),
    ];
    expect(compiled).toBeInstanceOf(Function);
  });

  test('a lister of a kind can be passed as a lister of any objects', () => {
    const ofKind = new Lister<KubeObject & { spec: { size: number } }>([]);
    const ofAny: Lister = ofKind;
    expect(ofAny.size).toBe(0);
  });
});
