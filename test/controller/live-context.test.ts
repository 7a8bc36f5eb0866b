import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ConfigMap,
  ConflictError,
  Deployment,
  Node,
  partOf,
  Secret,
  type KubeObject,
  type ReadonlyDeep,
} from 'kindwright';
import { LiveContext } from '../../src/controller/live-context.js';
import type { ReconcileRequest } from '../../src/controller/reconcile-request.js';
import { ControllerParts, gizmo } from './gizmo.js';

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

const conflict = new ConflictError('changed', {
  status: 409,
  reason: 'Conflict',
  request: { method: 'PUT', path: '/' },
});

/** Owned by the reconciled Gizmo. */
function owned<T extends KubeObject>(object: T): T {
  const reference = { apiVersion: 'test.kindwright.dev/v1', kind: 'Gizmo', name: 'a', uid: 'uid-a', controller: true };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [reference] } };
}

describe('apply', () => {
  const desired = { metadata: { name: 'web' }, spec: { replicas: 2 } };
  const deployment = (version: string, change: object = {}): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'team', uid: 'ud', resourceVersion: version },
    ...{ spec: { replicas: 2 }, status: { replicas: 0 }, ...change },
  });
  const see = (object: KubeObject) => {
    parts.caches.observe(Deployment, object);
  };
  beforeEach(async () => {
    parts.answer = () => owned(deployment('10'));
    await ctx.apply(Deployment, desired);
  });

  test('apply sends identity, namespace and owner with the desired fields', () => {
    expect(parts.sent[0]?.body).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'team', ownerReferences: [{ kind: 'Gizmo', name: 'a', uid: 'uid-a' }] },
      spec: { replicas: 2 },
    });
  });

  test('apply of the same object sends nothing', async () => {
    const applied = await ctx.apply(Deployment, desired);
    expect(applied.spec?.replicas).toBe(2);
    expect(parts.sent).toHaveLength(1);
  });

  test('apply rejects an object that exists without the owner reference and was never owned', async () => {
    const existing = deployment('11', { spec: { replicas: 7 } });
    see(existing);
    parts.live = () => existing;
    await expect(ctx.apply(Deployment, desired)).rejects.toMatchObject({
      code: 'E_NOT_OWNED',
      message: 'Deployment team/web already exists and was not created for Gizmo team/a',
    });
    expect(parts.sent).toHaveLength(1);
  });

  test('apply with adopt takes over an object that exists', async () => {
    see(deployment('11', { spec: { replicas: 7 } }));
    await ctx.apply(Deployment, desired, { adopt: true });
    expect(parts.sent).toHaveLength(2);
    expect(parts.reads).toEqual([{ kind: 'Gizmo', name: 'a' }]); // which may be deleted without its children
  });

  test('apply sends an object that is not cached without force, and rejects one of another owner', async () => {
    parts.answer = () => {
      throw conflict;
    };
    parts.live = () => deployment('5');
    const other = { ...desired, metadata: { name: 'other' } };
    await expect(ctx.apply(Deployment, other)).rejects.toMatchObject({ code: 'E_NOT_OWNED' });
    expect(parts.sent.slice(1)).toMatchObject([{ name: 'other', force: false }]);
  });

  test('apply forces a conflict on an own object that is not in the cache yet', async () => {
    parts.answer = ({ force }) => {
      if (force !== true) throw conflict;
      return deployment('12');
    };
    parts.live = () => owned(deployment('5'));
    await ctx.apply(Deployment, { ...desired, metadata: { name: 'other' } });
    expect(parts.sent.slice(1)).toMatchObject([{ force: false }, { force: true }]);
  });

  test('apply sends nothing when only the status has changed', async () => {
    see(owned(deployment('11', { status: { replicas: 2 } })));
    const applied = await ctx.apply(Deployment, desired);
    expect(applied.status?.replicas).toBe(2);
    expect(parts.sent).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['a field', { spec: { replicas: 7 } }],
    ['a field that is not ours', { spec: { replicas: 2, paused: true } }],
  ])('apply sends again when another client changed %s, and then no more', async (_, change) => {
    see(owned(deployment('11', change)));
    parts.answer = () => owned(deployment('12'));
    await ctx.apply(Deployment, desired);
    await ctx.apply(Deployment, desired);
    expect(parts.sent).toHaveLength(2);
  });

  test('apply sends again when the desired object changes', async () => {
    await ctx.apply(Deployment, { ...desired, spec: { replicas: 3 } });
    expect(parts.sent).toHaveLength(2);
  });

  test('apply sends again after a delete of the object', async () => {
    await ctx.delete(Deployment, deployment('10'));
    await ctx.apply(Deployment, desired);
    expect(parts.sent.map(({ verb }) => verb)).toEqual(['apply', 'delete', 'apply']);
  });

  test('apply returns a copy that the user may change', async () => {
    const applied = await ctx.apply(Deployment, desired);
    applied.metadata.labels = { mutated: 'yes' };
    await ctx.apply(Deployment, desired);
    expect(parts.sent).toHaveLength(1);
  });

  test('apply does not change the given object', () => {
    expect(desired).toEqual({ metadata: { name: 'web' }, spec: { replicas: 2 } });
  });

  test('apply without an owner sends no owner reference', async () => {
    await ctx.apply(Node, { metadata: { name: 'n' } }, { owned: false });
    expect(parts.sent[1]?.body).toEqual({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  });
});

describe('reads', () => {
  test('reads of the cache use the namespace of the object', async () => {
    expect((await ctx.get(ConfigMap, 'm'))?.data).toEqual({ a: '1' });
    expect(await ctx.get(ConfigMap, 'm', { namespace: 'other' })).toBeUndefined();
  });

  test('reads of the server combine labels and selector', async () => {
    await ctx.list(Secret, { labels: { a: '1' }, selector: { matchLabels: { b: '2' } } });
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
    expect(named(await ctx.list(ConfigMap, { fields: { immutable: true } }))).toEqual(['x', 'y']);
    expect(named(await ctx.list(ConfigMap, { ownedBy: gizmo('a') }))).toEqual(['y', 'z']);
    expect(named(await ctx.list(ConfigMap, { ownedBy: gizmo('a'), fields: { immutable: true } }))).toEqual(['y']);
    expect(parts.reads).toEqual([]);
  });

  test('a list by fields and owner is the same on the server when the kind is not cached', async () => {
    parts.liveItems = () => [secret('x', 'Opaque'), owned(secret('y', 'Opaque')), owned(secret('z', 'other'))];
    expect(named(await ctx.list(Secret, { fields: { type: 'Opaque' } }))).toEqual(['x', 'y']);
    expect(named(await ctx.list(Secret, { ownedBy: gizmo('a') }))).toEqual(['y', 'z']);
    expect(named(await ctx.list(Secret, { ownedBy: gizmo('a'), fields: { type: 'Opaque' } }))).toEqual(['y']);
  });

  test('a list by a field that the part does not have is rejected before a request is sent', async () => {
    const Names = partOf(Secret, { metadataOnly: true });
    await expect(ctx.list(Names, { fields: { type: 'Opaque' } as never })).rejects.toMatchObject({ code: 'E_PART' });
    expect(parts.reads).toEqual([]);
  });

  test('a list by an owner without uid is rejected', async () => {
    await expect(ctx.list(ConfigMap, { ownedBy: { metadata: { name: 'a' } } })).rejects.toMatchObject({
      code: 'E_NO_UID',
    });
  });
});
