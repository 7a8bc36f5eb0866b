import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ConflictError, NotFoundError } from 'kindwright';
import type { KubeObject } from '../../src/api/kube-object.js';
import { ControllerParts, Gizmo, gizmo, gizmoModel } from './gizmo.js';

let parts: ControllerParts;
const conflict = new ConflictError('admission webhook denied the request', {
  status: 409,
  reason: 'Conflict',
  request: { method: 'PATCH', path: '/' },
});

beforeEach(async () => {
  parts = await ControllerParts.with([gizmoModel.kind, gizmo('a')]);
  Gizmo.behavior = (self) => {
    self.status.seen = 'x';
  };
});
afterEach(() => parts.stop());

const reconcile = () => parts.reconciler.reconcile(parts.request());

test('a conflict on an object that still has the uid is retried', async () => {
  parts.answer = () => {
    throw conflict;
  };
  parts.live = () => gizmo('a');
  expect(await reconcile()).toMatchObject({ type: 'requeue' });
});

test.each<[string, KubeObject | undefined]>([
  ['is deleted', undefined],
  ['is replaced', gizmo('a', { uid: 'successor' })],
])('a conflict on an object that %s is ignored', async (_, live) => {
  parts.answer = () => {
    throw conflict;
  };
  parts.live = () => live;
  expect(await reconcile()).toEqual({ type: 'done' });
});

/** Also what a real server responds for an object that exists, if its definition has no subresource `status`. */
const notFound = new NotFoundError('gizmos.test.kindwright.dev "a" not found', {
  status: 404,
  reason: 'NotFound',
  request: { method: 'PATCH', path: '/' },
  details: { kind: 'gizmos', name: 'a' },
});

test('a status that the server does not serve for an existing object is an error', async () => {
  parts.answer = () => {
    throw notFound;
  };
  parts.live = () => gizmo('a');
  expect(await reconcile()).toMatchObject({
    type: 'failed',
    error: { message: expect.stringContaining('no subresource status'), hint: expect.stringContaining('CRD') },
  });
});

test('a status of an object that is deleted is ignored', async () => {
  parts.answer = () => {
    throw notFound;
  };
  parts.live = () => undefined;
  expect(await reconcile()).toEqual({ type: 'done' });
});

test('a member that the server prunes is sent once for each version of the object', async () => {
  parts.answer = () => gizmo('a');
  await reconcile();
  await reconcile();
  expect(parts.sent).toHaveLength(1);
  parts.caches.observe(gizmoModel.kind, gizmo('a', { resourceVersion: '12' }));
  await reconcile();
  expect(parts.sent).toHaveLength(2);
});

test('a member that is null and absent is not sent', async () => {
  Gizmo.behavior = (self) => {
    self.status.seen = null as unknown as string;
  };
  await reconcile();
  expect(parts.sent).toEqual([]);
});
