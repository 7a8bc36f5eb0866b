import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AlreadyExistsError, ConfigMap, ConflictError, NotFoundError, type KubeObject } from 'kindwright';
import { LiveContext } from '../../src/controller/context/live-context.js';
import { ControllerParts, gizmo } from './gizmo.js';

let parts: ControllerParts;
let ctx: LiveContext;
const map: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'team', uid: 'um', resourceVersion: '2' },
  data: { a: '1' },
};

beforeEach(async () => {
  parts = await ControllerParts.with([ConfigMap, map]);
  ctx = new LiveContext(parts.services, parts.request(), gizmo('a'));
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

describe('create', () => {
  const desired = { metadata: { name: 'fresh' }, data: { password: 'x' } };
  const existing = { ...map, metadata: { ...map.metadata, name: 'fresh', uid: 'uf', resourceVersion: '10' } };
  const taken = new AlreadyExistsError('configmaps "fresh" already exists', {
    status: 409,
    reason: 'AlreadyExists',
    request: { method: 'POST', path: '/' },
  });

  test('create sends identity, namespace and owner, and reads return the object immediately', async () => {
    parts.answer = ({ body }) => ({ ...(body as KubeObject), metadata: { ...existing.metadata } });
    await ctx.create(ConfigMap, desired);
    expect(parts.sent).toMatchObject([
      {
        verb: 'create',
        body: { kind: 'ConfigMap', metadata: { namespace: 'team', ownerReferences: [{ uid: 'uid-a' }] } },
      },
    ]);
    expect((await ctx.get(ConfigMap, 'fresh'))?.data).toEqual({ password: 'x' });
  });

  test('create returns a cached object that is already owned', async () => {
    parts.caches.observe(ConfigMap, owned(existing));
    expect((await ctx.create(ConfigMap, desired)).data).toEqual({ a: '1' });
    expect(parts.sent).toEqual([]);
  });

  test('create returns the owned object that another process created first, and caches it', async () => {
    parts.answer = () => {
      throw taken;
    };
    parts.live = () => owned(existing);
    expect((await ctx.create(ConfigMap, desired)).data).toEqual({ a: '1' });
    expect((await ctx.get(ConfigMap, 'fresh'))?.data).toEqual({ a: '1' });
  });

  test.each<[string, KubeObject | undefined, unknown]>([
    ['without an owner', existing, taken],
    ['that was deleted again', undefined, taken],
    [
      'another controller owns',
      {
        ...existing,
        metadata: {
          ...existing.metadata,
          ownerReferences: [{ apiVersion: 'v1', kind: 'Rival', name: 'r', uid: 'ur', controller: true }],
        },
      },
      expect.objectContaining({ code: 'E_ALREADY_OWNED' }),
    ],
  ])('create throws for an object %s', async (_, live, error) => {
    parts.answer = () => {
      throw taken;
    };
    parts.live = () => live;
    await expect(ctx.create(ConfigMap, desired)).rejects.toEqual(error);
  });
});

describe('delete', () => {
  const reads = async () => [
    (await ctx.get(ConfigMap, 'm'))?.metadata.deletionTimestamp ?? (await ctx.get(ConfigMap, 'm')) !== undefined,
    (await ctx.list(ConfigMap)).length,
  ];

  test('delete hides the object from reads', async () => {
    await ctx.delete(ConfigMap, map);
    expect(await reads()).toEqual([false, 0]);
    const next = new LiveContext(parts.services, parts.request(), gizmo('a'));
    expect(await next.list(ConfigMap)).toEqual([]);
  });

  test('delete shows the deletionTimestamp of an object that finalizers keep', async () => {
    const metadata = { ...map.metadata, resourceVersion: '10', deletionTimestamp: 'now', finalizers: ['x/y'] };
    parts.answerDelete = () => ({ ...map, metadata });
    await ctx.delete(ConfigMap, map);
    expect(await reads()).toEqual(['now', 1]);
  });

  test('delete throws a conflict that is not about the uid', async () => {
    parts.answerDelete = () => {
      throw conflict;
    };
    parts.live = () => map;
    await expect(ctx.delete(ConfigMap, map)).rejects.toBe(conflict);
    expect(await reads()).toEqual([true, 1]);
  });

  test('delete throws when the server does not serve the kind, and reads still return the object', async () => {
    const unserved = new NotFoundError('the server could not find the requested resource', {
      status: 404,
      reason: 'NotFound',
      request: { method: 'DELETE', path: '/' },
    });
    parts.answerDelete = () => {
      throw unserved;
    };
    await expect(ctx.delete(ConfigMap, map)).rejects.toBe(unserved);
    expect(await ctx.get(ConfigMap, 'm')).toEqual(map);
  });

  test('delete ignores the conflict with a successor, and hides the deleted object', async () => {
    parts.answerDelete = () => {
      throw conflict;
    };
    parts.live = () => ({ ...map, metadata: { ...map.metadata, uid: 'successor' } });
    await ctx.delete(ConfigMap, map);
    expect(await reads()).toEqual([false, 0]);
  });

  test('removing the last finalizer hides the object', async () => {
    const metadata = { ...map.metadata, resourceVersion: '10', deletionTimestamp: 'now' };
    parts.answer = () => ({ ...map, metadata });
    await ctx.patch(ConfigMap, 'm', { metadata: { finalizers: null } });
    expect(await reads()).toEqual([false, 0]);
  });
});
