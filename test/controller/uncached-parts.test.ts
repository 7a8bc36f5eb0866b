import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ConfigMap, partOf, Secret } from 'kindwright';
import { LiveContext } from '../../src/controller/context/live-context.js';
import { ControllerParts, gizmo } from './gizmo.js';

const labels = { app: 'x' };
const whole = (kind: string, name: string): Secret => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'team', uid: `u${name}`, resourceVersion: '10', labels },
  data: { password: 'cA==' },
});

let parts: ControllerParts;
let ctx: LiveContext;
beforeEach(async () => {
  parts = await ControllerParts.with();
  ctx = new LiveContext(parts.services, parts.request(), gizmo('a'));
});
afterEach(() => parts.stop());

test.each([
  ['is not cached', Secret],
  ['is cached whole', ConfigMap],
])('an update of a part of a kind that %s keeps the fields outside of the part', async (_, kind) => {
  const Names = partOf(kind, { metadataOnly: true });
  parts.live = (name) => whole(name, 'x');
  const { data: _data, ...listed } = whole(kind.kind, 'x');
  await ctx.update(Names, listed, (draft) => (draft.metadata.labels = { seen: 'yes' }));
  const { metadata, ...rest } = whole(kind.kind, 'x');
  expect(parts.sent).toMatchObject([
    { verb: 'update', body: { ...rest, metadata: { ...metadata, labels: { seen: 'yes' } } } },
  ]);
});

test('a read of one object of a part returns no more than the part', async () => {
  parts.live = (name) => whole(name, 'x');
  const read = await ctx.get(partOf(Secret, { metadataOnly: true }), 'x');
  expect(read).toEqual({ ...whole('Secret', 'x'), data: undefined });
  expect(await ctx.get(partOf(Secret, { labelSelector: 'app=y' }), 'x')).toBeUndefined();
  expect(await ctx.get(partOf(Secret, { labelSelector: 'app=x' }), 'x')).toEqual(whole('Secret', 'x'));
});
