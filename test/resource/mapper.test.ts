import { expect, test } from '@jest/globals';
import { Owns, Pod, Watches, type CacheReader, type Informer, type Mapper, type ObjectEvent } from 'kindwright';

test('the types of mappers, predicates and event handlers do not allow changes of cached objects', () => {
  const owned = { metadata: { name: 'a' } };
  const compiled = (cache: CacheReader, informer: Informer<Pod>, event: ObjectEvent<Pod>): unknown[] => [
    // @ts-expect-error -- the object of a mapper is read-only
    Watches(Pod, ({ metadata }) => [(metadata.name = 'b')]),
    // @ts-expect-error -- at every depth, also lists
    Watches(Pod, ({ metadata }) => [(metadata.finalizers![0] = 'b')]),
    // @ts-expect-error -- a function may not require an object that it can change
    Watches(Pod, (pod: Pod) => [pod.metadata.name]),
    // @ts-expect-error -- the object of a predicate is read-only
    Watches(Pod, () => [], { predicate: ({ object }) => Boolean((object.metadata.labels = {})) }),
    // @ts-expect-error -- and so is its earlier state
    Owns(Pod, { predicate: (update) => update.type === 'update' && delete update.old.status }),
    // @ts-expect-error -- the object of an event is read-only
    (event.object.metadata.labels!['a'] = 'b'),
    informer.addEventHandler(({ object }) => {
      // @ts-expect-error -- the object of an event handler is read-only
      object.metadata.name = 'b';
    }),
    // @ts-expect-error -- objects of the cache are read-only
    (cache.get(Pod, 'a')!.metadata.name = 'b'),
    // @ts-expect-error -- and so are those of a list
    (cache.list(Pod)[0]!.spec!.nodeName = 'b'),
    Watches(Pod, ({ metadata }, { list }) => [metadata, ...list(Pod).map((pod) => pod.metadata)]),
    ((pod) => [pod.metadata.namespace ?? owned.metadata.name]) satisfies Mapper<Pod>,
  ];
  expect(compiled).toBeInstanceOf(Function);
});
