import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ConfigMap, ConflictError } from 'kindwright';
import { LiveContext } from '../../src/controller/context/live-context.js';
import { ControllerParts, gizmo } from './gizmo.js';

const map: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'team', uid: 'um', resourceVersion: '2' },
  data: { a: '1' },
};
const conflict = new ConflictError('changed', {
  status: 409,
  reason: 'Conflict',
  request: { method: 'PUT', path: '/' },
});

let parts: ControllerParts;
let ctx: LiveContext;
beforeEach(async () => {
  parts = await ControllerParts.with([ConfigMap, map]);
  ctx = new LiveContext(parts.services, parts.request(), gizmo('a'));
});
afterEach(() => parts.stop());

test('an update gives up after five conflicts in a row', async () => {
  parts.answer = () => {
    throw conflict;
  };
  parts.live = () => map;
  await expect(ctx.update(ConfigMap, map, (draft) => (draft.data = { b: '2' }))).rejects.toBe(conflict);
  expect(parts.sent).toHaveLength(5);
});

test('after a conflict with an earlier write without a response, reads show what that write has stored', async () => {
  parts.answer = () => {
    throw conflict;
  };
  parts.live = () => ({ ...map, metadata: { ...map.metadata, resourceVersion: '30' }, data: { b: '2' } });
  await ctx.update(ConfigMap, map, (draft) => (draft.data = { b: '2' }));
  expect(parts.sent).toHaveLength(1);
  expect((await ctx.get(ConfigMap, 'm'))?.data).toEqual({ b: '2' });
  expect((await ctx.list(ConfigMap)).map(({ data }) => data)).toEqual([{ b: '2' }]);
});
