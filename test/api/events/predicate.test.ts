import { describe, expect, test } from '@jest/globals';
import type { ObjectMeta } from '../../../src/api/objects/kube-object.js';
import {
  allOf,
  anyOf,
  generationChanged,
  labelsChanged,
  not,
  ownChange,
  resourceVersionChanged,
  specChanged,
  statusChanged,
} from '../../../src/api/events/predicate.js';

const update = (old: Partial<ObjectMeta>, next: Partial<ObjectMeta>) => ({
  type: 'update' as const,
  old: { metadata: { name: 'a', ...old } },
  object: { metadata: { name: 'a', ...next } },
});

describe('ownChange, the default for a controller’s own kind', () => {
  test.each<[string, Partial<ObjectMeta>, Partial<ObjectMeta>]>([
    ['a changed spec', { generation: 1 }, { generation: 2 }],
    ['a changed label', { labels: { a: '1' } }, { labels: { a: '2' } }],
    ['a new annotation', {}, { annotations: { a: '1' } }],
    ['the start of a deletion', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }],
    ['a removed finalizer', { finalizers: ['a/b'] }, { finalizers: [] }],
  ])('ownChange passes %s', (_title, old, next) => {
    expect(ownChange(update(old, next))).toBe(true);
  });

  test('ownChange rejects a status write', () => {
    expect(ownChange(update({ generation: 1, resourceVersion: '1' }, { generation: 1, resourceVersion: '2' }))).toBe(
      false,
    );
  });

  test('ownChange passes another spec with the same generation, as after a restore of etcd', () => {
    const at = (resourceVersion: string, spec: object) => ({
      metadata: { name: 'a', generation: 2, resourceVersion },
      spec,
    });
    const changed = { type: 'update' as const, old: at('5', { size: 1 }), object: at('6', { size: 2 }) };
    expect(ownChange(changed)).toBe(true);
    expect(ownChange({ ...changed, object: at('6', { size: 1 }) })).toBe(false);
  });

  test.each([
    ['ownChange', ownChange],
    ['generationChanged', generationChanged],
    ['resourceVersionChanged', resourceVersionChanged],
  ])('%s passes a correction of the cache with the same version and generation', (_, predicate) => {
    const same = update({ generation: 1, resourceVersion: '1' }, { generation: 1, resourceVersion: '1' });
    expect([predicate(same), predicate({ ...same, isCorrection: true })]).toEqual([false, true]);
  });

  test('ownChange passes every add and delete', () => {
    const object = { metadata: { name: 'a' } };
    expect(ownChange({ type: 'add', object, isInitial: true })).toBe(true);
    expect(ownChange({ type: 'delete', object })).toBe(true);
  });
});

test('anyOf requires one predicate, and allOf every one', () => {
  const event = update({ generation: 1 }, { generation: 2 });
  expect(anyOf(labelsChanged, generationChanged)(event)).toBe(true);
  expect(allOf(labelsChanged, generationChanged)(event)).toBe(false);
});

test('specChanged and statusChanged compare the values of those members', () => {
  const node = (spec: object, status: object) => ({ metadata: { name: 'n' }, spec, status });
  const change = (object: object) =>
    ({
      type: 'update',
      old: node({ taints: ['a'] }, { ready: 1 }),
      object: object as { metadata: { name: string } },
    }) as const;
  const heartbeat = change(node({ taints: ['a'] }, { ready: 2 }));
  const tainted = change(node({ taints: ['b'] }, { ready: 1 }));
  expect([specChanged(heartbeat), statusChanged(heartbeat)]).toEqual([false, true]);
  expect([specChanged(tainted), statusChanged(tainted)]).toEqual([true, false]);
  expect(specChanged({ type: 'delete', object: { metadata: { name: 'n' } } })).toBe(true);
});

test('not passes the updates that a predicate rejects, and every add and delete', () => {
  const relabelled = update({ labels: { a: '1' } }, { labels: { a: '2' } });
  const touched = update({ resourceVersion: '1' }, { resourceVersion: '2' });
  expect([not(labelsChanged)(relabelled), not(labelsChanged)(touched)]).toEqual([false, true]);
  for (const type of ['add', 'delete'] as const)
    expect(not(labelsChanged)({ type, object: { metadata: { name: 'a' } } } as never)).toBe(true);
});
