import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, Node, partOf, Secret } from 'kindwright';
import type { KubeObject, ReadonlyDeep } from '../../../src/api/objects/kube-object.js';
import { InformerFactory } from '../../../src/cache/informer-factory.js';
import type { ListWatcher } from '../../../src/cache/list-watcher.js';
import { servingKind } from '../../../src/resource/kinds/kinds-of.js';
import { CachedKinds } from '../../../src/controller/read/cached-kinds.js';
import { ControllerParts } from '../gizmo.js';

const map = (name: string, namespace: string, version = '1'): ConfigMap => ({
  kind: 'ConfigMap',
  metadata: { name, namespace, uid: `${namespace}-${name}`, resourceVersion: version },
});

describe('covers', () => {
  const cached = (namespaces: string[]) =>
    new CachedKinds(new InformerFactory({} as ListWatcher, { namespaces }), [ConfigMap, Node], 'PodSet');

  test.each<[string, string[], typeof ConfigMap | typeof Node | typeof Secret, string | undefined, boolean]>([
    ['any namespace when all are watched', [], ConfigMap, 'team', true],
    ['a namespace that is watched', ['team'], ConfigMap, 'team', true],
    ['no namespace that is not', ['team'], ConfigMap, 'other', false],
    ['all that is watched together', ['team', 'other'], ConfigMap, undefined, true],
    ['kinds of cluster scope', ['team'], Node, undefined, true],
    ['no kind that is not watched', [], Secret, 'team', false],
  ])('cached kinds cover the namespaces of the operator: %s', (_, namespaces, kind, namespace, expected) => {
    expect(cached(namespaces).covers(kind, namespace)).toBe(expected);
  });
});

describe('reads', () => {
  let parts: ControllerParts;
  const named = (objects: readonly ReadonlyDeep<KubeObject>[]) =>
    objects.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
  beforeEach(async () => {
    parts = await ControllerParts.with(
      [ConfigMap, map('b', 'team')],
      [ConfigMap, map('a', 'team')],
      [ConfigMap, map('a', 'other')],
    );
  });
  afterEach(() => parts.stop());

  test('reads return objects in the order of namespace and name', () => {
    expect(named(parts.caches.list(ConfigMap))).toEqual(['other/a', 'team/a', 'team/b']);
    expect(named(parts.caches.list(ConfigMap, { namespace: 'team' }))).toEqual(['team/a', 'team/b']);
  });

  test('reads contain an own write', () => {
    parts.caches.observe(ConfigMap, { ...map('new', 'team', '10'), apiVersion: 'v1' });
    expect(parts.caches.get(ConfigMap, 'new', 'team')).toBeDefined();
  });

  test('the error for a read of a kind that is not cached contains the line to add', () => {
    expect(() => parts.caches.get(Secret, 'a', 'team')).toThrow(
      expect.objectContaining({
        hint: expect.stringContaining('add @Watches(Secret, …) or @Owns(Secret) to Gizmo') as unknown,
      }),
    );
  });
});

describe('parts', () => {
  const factory = () => new InformerFactory({} as ListWatcher);
  const Names = partOf(ConfigMap, { metadataOnly: true });
  const Selected = partOf(ConfigMap, { labelSelector: 'app' });

  test('a part is read by the part, and not by its kind', () => {
    const caches = new CachedKinds(factory(), [Names], 'PodSet');
    expect(caches.covers(Names, 'team')).toBe(true);
    expect(caches.covers(partOf(ConfigMap, { metadataOnly: true }), 'team')).toBe(true);
    expect(caches.covers(ConfigMap, 'team')).toBe(false);
    expect(() => caches.get(ConfigMap, 'a', 'team')).toThrow(
      expect.objectContaining({
        message: 'PodSet caches only a part of ConfigMap',
        hint: expect.stringContaining('pass the result of partOf(ConfigMap, …)') as unknown,
      }),
    );
  });

  test('a part with whole objects is read by its kind, too', () => {
    const caches = new CachedKinds(factory(), [Names, Selected], 'PodSet');
    expect(caches.informersFor(ConfigMap)).toBe(caches.informersFor(Selected));
    expect(caches.informersFor(ConfigMap)).not.toBe(caches.informersFor(Names));
  });

  test('a kind with several selections is read by each of them, and not by the kind', () => {
    const Other = partOf(ConfigMap, { labelSelector: 'team' });
    const caches = new CachedKinds(factory(), [Node, Selected, Other, Names], 'PodSet');
    expect(caches.covers(ConfigMap, 'team')).toBe(false);
    expect(() => caches.list(ConfigMap)).toThrow('PodSet caches only a part of ConfigMap');
    expect(caches.covers(Selected, 'team')).toBe(true);
    expect(caches.covers(Other, 'team')).toBe(true);
  });

  test('the selection of the class itself is read by the kind, also beside other selections', () => {
    const Other = partOf(ConfigMap, { labelSelector: 'team' });
    const caches = new CachedKinds(factory(), [servingKind(Selected), Other], 'PodSet');
    expect(caches.informersFor(ConfigMap)).toBe(caches.informersFor(Selected));
  });

  test('the cache of all objects of a kind takes precedence over those of its parts', () => {
    const caches = new CachedKinds(factory(), [Selected, ConfigMap], 'PodSet');
    expect(caches.informersFor(ConfigMap)).not.toBe(caches.informersFor(Selected));
  });
});
