import { expect, test } from '@jest/globals';
import { ConfigMap, NotFoundError, type KubeObject } from 'kindwright';
import { Finalizers } from '../../src/controller/finalizers.js';
import { ControllerParts, gizmo, gizmoModel } from './gizmo.js';

const NAME = 'test.kindwright.dev/cleanup';
const request = { method: 'PATCH', path: '/' };

test.each<[string, ConstructorParameters<typeof NotFoundError>[1]['details'], 'resolves' | 'rejects']>([
  ['of an object that is deleted is not an error', { kind: 'gizmos', name: 'a' }, 'resolves'],
  ['of a kind that the server does not serve is an error, since the object still has it', undefined, 'rejects'],
])('the removal of the finalizer %s', async (_, details, outcome) => {
  const parts = await ControllerParts.with([ConfigMap, gizmo('other')]);
  const { client, writer } = parts.services;
  const notFound = new NotFoundError('not found', { status: 404, reason: 'NotFound', request, details });
  parts.answer = (): KubeObject => {
    throw notFound;
  };
  const removal = new Finalizers(gizmoModel.kind, [NAME], client, writer).remove(
    parts.request(),
    gizmo('a', { finalizers: [NAME] }),
  );
  const expected = outcome === 'rejects' ? notFound : undefined;
  expect(await removal.catch((error: unknown) => error)).toBe(expected);
  expect(parts.sent).toHaveLength(1);
  await parts.stop();
});
