import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, partOf, Secret, type KubeObject, type ReadonlyDeep } from 'kindwright';
import { LiveContext } from '../../../src/controller/context/live-context.js';
import type { ReconcileRequest } from '../../../src/controller/run/reconcile-request.js';
import { ControllerParts, gizmo, owned } from '../gizmo.js';

let parts: ControllerParts;
let request: ReconcileRequest;
let ctx: LiveContext;
const map: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'team', uid: 'um', resourceVersion: '2' },
  data: { a: '1' },
};

beforeEach(async () => {
  parts = await ControllerParts.with([ConfigMap, map]);
  parts.live = (kind) => (kind === 'Gizmo' ? gizmo('a') : undefined);
  request = parts.request();
  ctx = new LiveContext(parts.services, request, gizmo('a'));
});
afterEach(() => parts.stop());

describe('reads', () => {
  test('reads of the cache use the namespace of the object', async () => {
    expect((await ctx.get(ConfigMap, 'm'))?.data).toEqual({ a: '1' });
    expect(await ctx.get(ConfigMap, 'm', { namespace: 'other' })).toBeUndefined();
  });

  test('reads of the server combine labels and selector', async () => {
    await ctx.list(Secret, { labels: { a: '1' }, labelSelector: { matchLabels: { b: '2' } } });
    const required = [{ key: 'a', operator: 'In', values: ['1'] }];
    expect(parts.reads).toMatchObject([
      {
        kind: 'Secret',
        options: { namespace: 'team', labelSelector: { matchLabels: { b: '2' }, matchExpressions: required } },
      },
    ]);
  });

  test('a list with the empty namespace reads all namespaces, from the cache and from the server', async () => {
    parts.caches.observe(ConfigMap, {
      ...map,
      metadata: { ...map.metadata, namespace: 'other', uid: 'uo', resourceVersion: '10' },
    });
    expect((await ctx.list(ConfigMap)).map(({ metadata }) => metadata.namespace)).toEqual(['team']);
    const found = await ctx.list(ConfigMap, { namespace: '' });
    expect(found.map(({ metadata }) => metadata.namespace)).toEqual(['other', 'team']);
    await ctx.list(Secret, { namespace: '' });
    expect(parts.reads).toMatchObject([{ kind: 'Secret', options: { namespace: undefined } }]);
  });

  test('a read of a namespaced object requires a namespace', async () => {
    const clusterScoped = { metadata: { name: 'pool', uid: 'up' } };
    const wide = new LiveContext(parts.services, request, clusterScoped);
    await expect(wide.get(ConfigMap, 'm')).rejects.toMatchObject({ code: 'E_NO_NAMESPACE' });
  });
});

describe('after an abort', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['get', () => ctx.get(ConfigMap, 'm')],
    ['list', () => ctx.list(ConfigMap)],
    ['apply', () => ctx.apply(ConfigMap, { metadata: { name: 'm' } })],
    ['create', () => ctx.create(ConfigMap, { metadata: { name: 'new' } })],
    ['update', () => ctx.update(ConfigMap, map, (draft) => (draft.data = {}))],
    ['patch', () => ctx.patch(ConfigMap, 'm', {})],
    ['delete', () => ctx.delete(ConfigMap, map)],
  ])('after an abort %s rejects with the reason and sends nothing', async (_, call) => {
    request.abort(new Error('shutting down'));
    await expect(call()).rejects.toThrow('shutting down');
    expect(parts.sent).toEqual([]);
  });

  test('after an abort events are dropped, and the signal is aborted', () => {
    request.abort(new Error('shutting down'));
    ctx.event('Normal', 'Late', 'too late');
    expect(parts.recorded).toEqual([]);
    expect(ctx.signal.aborted).toBe(true);
  });
});

describe('behind the fence', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['apply', () => ctx.apply(ConfigMap, { metadata: { name: 'm' } })],
    ['create', () => ctx.create(ConfigMap, { metadata: { name: 'new' } })],
    ['update', () => ctx.update(ConfigMap, map, (draft) => (draft.data = {}))],
    ['patch', () => ctx.patch(ConfigMap, 'm', {})],
    ['delete', () => ctx.delete(ConfigMap, map)],
  ])('%s is rejected in a process that does not lead, and reads are not', async (_, call) => {
    parts.fencedWhy = 'this process is not the leader';
    await expect(call()).rejects.toMatchObject({ code: 'E_WRITE_FENCED' });
    expect(parts.sent).toEqual([]);
    expect(await ctx.get(ConfigMap, 'm')).toBeDefined();
  });
});

describe('events', () => {
  test('events are recorded for the object unless another one is given', () => {
    ctx.event('Normal', 'One', 'said');
    ctx.event('Normal', 'Two', 'said', { about: map });
    ctx.event('Normal', 'Three', 'said', { about: { metadata: { name: 'made-by-hand' } } });
    expect(parts.recorded.map(({ about }) => about)).toEqual(['a', 'm', 'a']);
  });
});

test('delete requires an object that was read', async () => {
  await expect(ctx.delete(ConfigMap, { metadata: { name: 'm', namespace: 'team' } })).rejects.toMatchObject({
    code: 'E_NO_UID',
  });
});

test('reads of the cache return the same frozen object each time', async () => {
  const first = await ctx.get(ConfigMap, map.metadata.name);
  expect(first).toBeDefined();
  expect(await ctx.get(ConfigMap, map.metadata.name)).toBe(first);
  expect((await ctx.list(ConfigMap)).find(({ metadata }) => metadata.name === map.metadata.name)).toBe(first);
  expect(() => Object.assign(first?.metadata ?? {}, { name: 'other' })).toThrow('read only property');
});

describe('a list by fields and owner', () => {
  const config = (name: string, immutable: boolean): ConfigMap & KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'team', uid: `u${name}`, resourceVersion: '10' },
    immutable,
  });
  const named = (objects: readonly ReadonlyDeep<KubeObject>[]) => objects.map(({ metadata }) => metadata.name);
  const secret = (name: string, type: string): Secret & KubeObject => ({
    ...config(name, false),
    kind: 'Secret',
    type,
  });

  test('a list by fields and owner reads the cache', async () => {
    for (const object of [config('x', true), owned(config('y', true)), owned(config('z', false))])
      parts.caches.observe(ConfigMap, object);
    expect(named(await ctx.list(ConfigMap, { where: { immutable: true } }))).toEqual(['x', 'y']);
    expect(named(await ctx.list(ConfigMap, { ownedBy: gizmo('a') }))).toEqual(['y', 'z']);
    expect(named(await ctx.list(ConfigMap, { ownedBy: gizmo('a'), where: { immutable: true } }))).toEqual(['y']);
    expect(parts.reads).toEqual([]);
  });

  test('a list by fields and owner is the same on the server when the kind is not cached', async () => {
    parts.liveItems = () => [secret('x', 'Opaque'), owned(secret('y', 'Opaque')), owned(secret('z', 'other'))];
    expect(named(await ctx.list(Secret, { where: { type: 'Opaque' } }))).toEqual(['x', 'y']);
    expect(named(await ctx.list(Secret, { ownedBy: gizmo('a') }))).toEqual(['y', 'z']);
    expect(named(await ctx.list(Secret, { ownedBy: gizmo('a'), where: { type: 'Opaque' } }))).toEqual(['y']);
  });

  test('a list by a field that the part does not have is rejected before a request is sent', async () => {
    const Names = partOf(Secret, { metadataOnly: true });
    await expect(ctx.list(Names, { where: { type: 'Opaque' } as never })).rejects.toMatchObject({ code: 'E_PART' });
    expect(parts.reads).toEqual([]);
  });

  test('a list by an owner without uid is rejected', async () => {
    await expect(ctx.list(ConfigMap, { ownedBy: { metadata: { name: 'a' } } })).rejects.toMatchObject({
      code: 'E_NO_UID',
    });
  });
});
