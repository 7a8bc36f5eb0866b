import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConflictError, NotFoundError } from 'kindwright';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { StatusWriter } from '../../../src/controller/write/status-writer.js';
import { ControllerParts, Gizmo, gizmo, gizmoModel } from '../gizmo.js';

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

test('a member that the server did not store is logged once, and sent again by a reconcile after a minute', async () => {
  parts.answer = () => gizmo('a');
  await reconcile();
  await parts.clock.advance(59_999);
  await reconcile();
  expect(parts.sent).toHaveLength(1);
  await parts.clock.advance(1);
  await reconcile();
  expect(parts.sent).toHaveLength(2);
  expect(parts.logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { message: 'The server did not store the status as it was sent', fields: { fields: 'status.seen' } },
  ]);
});

test('a member that is null and absent is not sent', async () => {
  Gizmo.behavior = (self) => {
    self.status.seen = null as unknown as string;
  };
  await reconcile();
  expect(parts.sent).toEqual([]);
});

describe('the resourceVersion of a patch', () => {
  const withStatus = (status: object, resourceVersion = '1') => ({ ...gizmo('a', { resourceVersion }), status });
  const write = (read: KubeObject, status: unknown, latest = read) =>
    new StatusWriter(gizmoModel.kind, parts.services.client, parts.services.writer, parts.clock).write(
      parts.request(),
      { read, latest: () => latest },
      status,
    );
  const metadata = () => parts.sent.map(({ body }) => (body as KubeObject).metadata);

  test('a patch without lists has no resourceVersion', async () => {
    await write(withStatus({ phase: 'a', nodes: ['x'] }), { phase: 'b', nodes: ['x'] });
    expect(metadata()).toEqual([{ uid: 'uid-a' }]);
  });

  test('a patch that replaces a list has the latest resourceVersion', async () => {
    await write(withStatus({ nodes: ['x'] }), { nodes: ['y'] }, withStatus({ nodes: ['x'] }, '2'));
    expect(metadata()).toEqual([{ uid: 'uid-a', resourceVersion: '2' }]);
  });

  test('a list that another writer has changed is rejected, also if the cache shows the change', async () => {
    parts.live = () => withStatus({ nodes: ['z'] }, '2');
    parts.answer = () => {
      throw conflict;
    };
    const latest = withStatus({ nodes: ['z'] }, '2');
    await expect(write(withStatus({ nodes: ['x'] }), { nodes: ['y'] }, latest)).rejects.toBe(conflict);
    expect(metadata()).toEqual([{ uid: 'uid-a', resourceVersion: '1' }]);
  });

  test('after a conflict, the list is merged into the state of the server, five times at most', async () => {
    parts.live = () => withStatus({ nodes: ['x'], phase: 'b' }, '2');
    parts.answer = () => {
      throw conflict;
    };
    await expect(write(withStatus({ nodes: ['x'], phase: 'a' }), { nodes: ['y'], phase: 'a' })).rejects.toBe(conflict);
    expect(metadata().map(({ resourceVersion }) => resourceVersion)).toEqual(['1', '2', '2', '2', '2']);
    expect(parts.sent[1]?.body).toMatchObject({ status: { nodes: ['y'] } });
    expect(parts.sent[1]?.body).not.toHaveProperty('status.phase');
  });
});
