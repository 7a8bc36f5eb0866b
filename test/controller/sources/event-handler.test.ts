import { describe, expect, test } from '@jest/globals';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../../src/api/objects/kube-object.js';
import type { ObjectEvent } from '../../../src/api/events/object-event.js';
import {
  enqueueMapped,
  enqueueObject,
  enqueueOwner,
  type EnqueueHandler,
} from '../../../src/controller/sources/event-handler.js';
import type { AddOptions } from '../../../src/queue/queue.js';
import { allObjects, type CacheReader, type Mapper } from '../../../src/resource/mapper.js';

const podSet: KindRef = {
  group: 'apps.jicki.cn',
  version: 'v1alpha1',
  kind: 'PodSet',
  plural: 'podsets',
  scope: 'Namespaced',
};
const nodePool: KindRef = {
  group: 'nodes.lailin.xyz',
  version: 'v1',
  kind: 'NodePool',
  plural: 'nodepools',
  scope: 'Cluster',
};
const namespaceKind: KindRef = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' };
const noCache = {} as CacheReader;
const unmatched = { includes: () => false };
const OPTIONS: AddOptions = { cause: { type: 'initial', source: '@Owns(Pod)' }, priority: 'low' };

function object(name: string, labels: Record<string, string> = {}, ...owners: Partial<Owner>[]): KubeObject {
  return {
    metadata: { name, namespace: 'team', labels, ownerReferences: owners.map((owner) => ({ ...OWNER, ...owner })) },
  };
}
const OWNER = { apiVersion: 'apps.jicki.cn/v1alpha1', kind: 'PodSet', name: 'web', uid: 'u1', controller: true };
type Owner = typeof OWNER;

function keys(handler: EnqueueHandler, event: ObjectEvent): string[] {
  const found: string[] = [];
  Array.from(handler(event, (key) => found.push(key), OPTIONS) ?? []);
  return found;
}
const added = (subject: KubeObject): ObjectEvent => ({ type: 'add', object: subject, isInitial: false });

describe('enqueueObject', () => {
  test('enqueueObject enqueues the object itself', () => {
    expect(keys(enqueueObject, { type: 'delete', object: object('a') })).toEqual(['team/a']);
  });
});

describe('enqueueOwner', () => {
  test('enqueueOwner enqueues the controller owner in the namespace of the child', () => {
    expect(keys(enqueueOwner(podSet), added(object('a', {}, {})))).toEqual(['team/web']);
  });

  test('enqueueOwner accepts an owner in another version of the same group', () => {
    expect(keys(enqueueOwner(podSet), added(object('a', {}, { apiVersion: 'apps.jicki.cn/v1' })))).toEqual([
      'team/web',
    ]);
  });

  test.each([
    ['another kind', { kind: 'HelloApp' }],
    ['another group', { apiVersion: 'apps/v1' }],
    ['an owner that is not the controller', { controller: false }],
  ])('enqueueOwner ignores %s', (_, owner) => {
    expect(keys(enqueueOwner(podSet), added(object('a', {}, owner)))).toEqual([]);
  });

  test('enqueueOwner enqueues both owners when a child gets another owner', () => {
    const event: ObjectEvent = { type: 'update', old: object('a', {}, {}), object: object('a', {}, { name: 'api' }) };
    expect(keys(enqueueOwner(podSet), event).sort()).toEqual(['team/api', 'team/web']);
  });

  test('enqueueOwner enqueues a cluster-scoped owner without a namespace', () => {
    const owner = { apiVersion: 'nodes.lailin.xyz/v1', kind: 'NodePool', name: 'master' };
    expect(keys(enqueueOwner(nodePool), added(object('a', {}, owner)))).toEqual(['master']);
  });

  test('enqueueOwner with anyOwner enqueues all owners of the kind, controllers or not', () => {
    const child = object('a', {}, {}, { name: 'api', controller: false }, { kind: 'HelloApp', name: 'other' });
    expect(keys(enqueueOwner(podSet, true), added(child))).toEqual(['team/web', 'team/api']);
  });

  test.each([
    ['enqueues an owner of the core group', 'v1', ['team']],
    ['ignores an owner of another group with the kind of a core kind', 'example.com/v1', []],
  ])('enqueueOwner %s', (_, apiVersion, expected) => {
    const owner = { apiVersion, kind: 'Namespace', name: 'team' };
    expect(keys(enqueueOwner(namespaceKind), added(object('a', {}, owner)))).toEqual(expected);
  });
});

describe('enqueueMapped', () => {
  const byPool = ({ metadata }: ReadonlyDeep<KubeObject>) => Object.keys(metadata.labels ?? {});

  test('a mapped name without a namespace is in the namespace of the watched object', () => {
    expect(keys(enqueueMapped(byPool, noCache, podSet, unmatched), added(object('a', { web: '' })))).toEqual([
      'team/web',
    ]);
  });

  test('a mapped name of a cluster-scoped kind has no namespace', () => {
    expect(keys(enqueueMapped(byPool, noCache, nodePool, unmatched), added(object('a', { web: '' })))).toEqual(['web']);
  });

  test('a mapped name with a namespace is used unchanged', () => {
    const mapper = () => [{ namespace: 'other', name: 'web' }];
    expect(keys(enqueueMapped(mapper, noCache, podSet, unmatched), added(object('a')))).toEqual(['other/web']);
  });

  test.each<[string, KindRef, { name: string; namespace?: string | undefined }, string]>([
    ['without a namespace in that of the watched object', podSet, { name: 'web', namespace: undefined }, 'team/web'],
    ['without a namespace for a kind of cluster scope', nodePool, { name: 'web', namespace: undefined }, 'web'],
    ['without its namespace for a kind of cluster scope', nodePool, { name: 'web', namespace: 'team' }, 'web'],
  ])('a mapper may return an object %s', (_, kind, named, key) => {
    expect(
      keys(
        enqueueMapped(() => [named], noCache, kind, unmatched),
        added(object('a')),
      ),
    ).toEqual([key]);
  });

  test('a mapper may return the metadata of an object', () => {
    const self = ({ metadata }: ReadonlyDeep<KubeObject>) => [metadata];
    expect(keys(enqueueMapped(self, noCache, podSet, unmatched), added(object('a')))).toEqual(['team/a']);
  });

  test('allObjects enqueues every object of the reconciled kind', () => {
    const listed: unknown[] = [];
    const cache = {
      list: (kind: KindRef) => {
        listed.push(kind);
        return [object('a'), { metadata: { name: 'b', namespace: 'other' } }];
      },
    } as unknown as CacheReader;
    expect(keys(enqueueMapped(allObjects(), cache, podSet, unmatched), added(object('n')))).toEqual([
      'team/a',
      'other/b',
    ]);
    expect(listed).toEqual([podSet]);
  });

  test('a mapper that returns a string is an error, because it would be iterated by letter', () => {
    const mapper = (() => 'web') as unknown as Mapper;
    expect(() => keys(enqueueMapped(mapper, noCache, podSet, unmatched), added(object('a')))).toThrow(
      'the mapper returned the string "web" instead of a list of names',
    );
  });

  test('a mapper is called for the old state too, so that previously related objects are reconciled', () => {
    const event: ObjectEvent = { type: 'update', old: object('a', { web: '' }), object: object('a', { api: '' }) };
    expect(keys(enqueueMapped(byPool, noCache, nodePool, unmatched), event).sort()).toEqual(['api', 'web']);
  });

  test('a mapper is called for the old state even if it throws for the new one', () => {
    const mapper = ({ metadata }: ReadonlyDeep<KubeObject>): string[] => {
      if (metadata.name === 'bad') throw new Error('no');
      return ['web'];
    };
    const found: string[] = [];
    const event: ObjectEvent = { type: 'update', old: object('good'), object: object('bad') };
    const handler = enqueueMapped(mapper, noCache, podSet, unmatched);
    expect(() => Array.from(handler(event, (key) => found.push(key), OPTIONS) ?? [])).toThrow('no');
    expect(found).toEqual(['team/web']);
  });

  test('one key is added with each step, from the list as the mapper has returned it', () => {
    const names = ['a', 'b'];
    const found: string[] = [];
    const steps = enqueueMapped(
      () => names,
      noCache,
      podSet,
      unmatched,
    )(added(object('x')), (key) => found.push(key), OPTIONS);
    steps?.next();
    expect(found).toEqual(['team/a']);
    names.length = 0;
    steps?.next();
    expect(found).toEqual(['team/a', 'team/b']);
    expect(steps?.next().done).toBe(true);
  });
});
