import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, ConflictError, ForbiddenError, partOf, Secret, type KubeObject } from 'kindwright';
import { LiveContext } from '../../src/controller/context/live-context.js';
import { ControllerParts, gizmo } from './gizmo.js';

const labels = { app: 'x' };
const whole = (kind: string, name: string): Secret => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'team', uid: `u${name}`, resourceVersion: '10', labels },
  data: { password: 'cA==' },
});

const conflict = new ConflictError('changed', {
  ...{ status: 409, reason: 'Conflict', request: { method: 'PATCH', path: '/' } },
});

let parts: ControllerParts;
let ctx: LiveContext;
beforeEach(async () => {
  parts = await ControllerParts.with();
  ctx = new LiveContext(parts.services, parts.request(), gizmo('a'));
});
afterEach(() => parts.stop());

describe.each([
  ['is not cached', Secret],
  ['is cached whole', ConfigMap],
])('an update of a part of a kind that %s', (_, kind) => {
  const Names = partOf(kind, { metadataOnly: true });
  const { data: _data, ...listed } = whole(kind.kind, 'x');
  const forbidden = new ForbiddenError(`x is forbidden: User "u" cannot patch resource "x" in API group ""`, {
    ...{ status: 403, reason: 'Forbidden', request: { method: 'PATCH', path: '/' } },
  });
  const update = () => ctx.update(Names, listed, (draft) => (draft.metadata.labels = { seen: 'yes' }));
  const replaced = {
    ...whole(kind.kind, 'x'),
    metadata: { ...whole(kind.kind, 'x').metadata, labels: { seen: 'yes' } },
  };

  beforeEach(() => {
    parts.live = (name) => whole(name, 'x');
  });

  test('is one patch of the changed fields, without a read', async () => {
    await update();
    const metadata = { uid: `ux`, resourceVersion: '10', labels: { app: null, seen: 'yes' } };
    expect(parts.sent).toEqual([{ verb: 'patch', name: 'x', body: { metadata } }]);
    expect(parts.reads).toEqual([]);
  });

  test('is repeated with the state of the server after a conflict', async () => {
    const changed = whole(kind.kind, 'x');
    changed.metadata = { ...changed.metadata, resourceVersion: '11', labels: { app: 'x', other: 'y' } };
    parts.live = () => changed;
    parts.answer = ({ body }) => {
      if ((body as KubeObject).metadata.resourceVersion === '10') throw conflict;
      return changed;
    };
    await update();
    const labels = { app: null, other: null, seen: 'yes' };
    expect(parts.sent.at(-1)?.body).toEqual({ metadata: { uid: 'ux', resourceVersion: '11', labels } });
    expect(parts.sent).toHaveLength(2);
  });

  test('gives up after a conflict if another object has the name', async () => {
    parts.live = () => ({ ...whole(kind.kind, 'x'), metadata: { ...whole(kind.kind, 'x').metadata, uid: 'other' } });
    parts.answer = () => {
      throw conflict;
    };
    await expect(update()).rejects.toBe(conflict);
    expect(parts.sent).toHaveLength(1);
  });

  test('replaces the whole object, from then on, if the roles do not allow patches', async () => {
    parts.answer = ({ verb, body }) => {
      if (verb === 'patch') throw forbidden;
      return body as KubeObject;
    };
    await update();
    await update();
    expect(parts.sent.map(({ verb }) => verb)).toEqual(['patch', 'update', 'update']);
    expect(parts.sent[1]?.body).toEqual(replaced);
    const message = expect.stringContaining('do not allow to patch');
    expect(parts.logger.messages('warn').filter((line) => line.includes('do not allow to patch'))).toEqual([message]);
  });
});

test('a read of one object of a part returns no more than the part', async () => {
  parts.live = (name) => whole(name, 'x');
  const read = await ctx.get(partOf(Secret, { metadataOnly: true }), 'x');
  expect(read).toEqual({ ...whole('Secret', 'x'), data: undefined });
  expect(await ctx.get(partOf(Secret, { labelSelector: 'app=y' }), 'x')).toBeUndefined();
  expect(await ctx.get(partOf(Secret, { labelSelector: 'app=x' }), 'x')).toEqual(whole('Secret', 'x'));
});
