import { expect, test } from '@jest/globals';
import { ConfigMap, CustomResource, Finalizer, Kind, NotFoundError, type KubeObject } from 'kindwright';
import { Finalizers } from '../../../src/controller/reconcile/finalizers.js';
import { ReconciledCondition } from '../../../src/controller/run/reconciled-condition.js';
import { Reconciler } from '../../../src/controller/reconcile/reconciler.js';
import { StatusWriter } from '../../../src/controller/write/status-writer.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { ProvidedValues } from '../../../src/resource/provided-values.js';
import { ControllerParts, gizmo, gizmoModel } from '../gizmo.js';

const NAME = 'test.kindwright.dev/cleanup';
const request = { method: 'PATCH', path: '/' };

const notFound = (details?: { kind: string; name: string }): NotFoundError =>
  new NotFoundError('not found', { status: 404, reason: 'NotFound', request, details });

test.each<[string, Parameters<typeof notFound>[0], 'resolves' | 'rejects']>([
  ['of an object that is deleted is not an error', { kind: 'gizmos', name: 'a' }, 'resolves'],
  ['of a kind that the server does not serve is an error, since the object still has it', undefined, 'rejects'],
])('the removal of the finalizer %s', async (_, details, outcome) => {
  const parts = await ControllerParts.with([ConfigMap, gizmo('other')]);
  const { client, writer } = parts.services;
  const error = notFound(details);
  parts.answer = (): KubeObject => {
    throw error;
  };
  const removal = new Finalizers(gizmoModel.kind, [NAME], client, writer).remove(
    parts.request(),
    gizmo('a', { finalizers: [NAME] }),
  );
  const expected = outcome === 'rejects' ? error : undefined;
  expect(await removal.catch((thrown: unknown) => thrown)).toBe(expected);
  expect(parts.sent).toHaveLength(1);
  await parts.stop();
});

@Kind({ group: 'test.kindwright.dev', version: 'v1', kind: 'Gizmo', plural: 'gizmos' })
class FinalizedGizmo extends CustomResource {
  static reconciles = 0;

  reconcile(): void {
    FinalizedGizmo.reconciles += 1;
  }

  @Finalizer(NAME)
  cleanup(): void {
    // Nothing to clean up.
  }
}

test.each<[string, Parameters<typeof notFound>[0], string]>([
  ['of an object that was just deleted ends its reconcile without an error', { kind: 'gizmos', name: 'a' }, 'done'],
  ['of a kind that the server does not serve fails the reconcile', undefined, 'failed'],
])('the addition of the finalizer %s', async (_, details, outcome) => {
  const [model] = buildResourceModels([FinalizedGizmo]) as [ReturnType<typeof buildResourceModels>[number]];
  const parts = await ControllerParts.with([gizmoModel.kind, gizmo('a')]);
  const { client, writer } = parts.services;
  parts.answer = (): KubeObject => {
    throw notFound(details);
  };
  const reconciler = new Reconciler(
    model,
    parts.services,
    new Finalizers(model.kind, [NAME], client, writer),
    new StatusWriter(model.kind, client, writer, parts.clock),
    new ReconciledCondition(model, parts.clock),
    true,
    new ProvidedValues(),
  );
  expect((await reconciler.reconcile(parts.request())).type).toBe(outcome);
  expect(FinalizedGizmo.reconciles).toBe(0);
  expect(parts.sent).toHaveLength(1);
  await parts.stop();
});

test.each<[string, string[], (finalizers: Finalizers, parts: ControllerParts, object: KubeObject) => Promise<unknown>]>(
  [
    ['was not added', [], (finalizers, parts, object) => finalizers.ensure(parts.request(), object)],
    ['was not removed', [NAME], (finalizers, parts, object) => finalizers.remove(parts.request(), object)],
  ],
)('a finalizer that %s because admission changed the write is an error', async (_, stored, act) => {
  const parts = await ControllerParts.with([gizmoModel.kind, gizmo('a')]);
  const { client, writer } = parts.services;
  const object = gizmo('a', { finalizers: stored });
  parts.answer = () => object;
  const finalizers = new Finalizers(gizmoModel.kind, [NAME], client, writer);
  await expect(act(finalizers, parts, object)).rejects.toMatchObject({
    code: 'E_FINALIZERS',
    hint: expect.stringContaining('admission'),
  });
  await parts.stop();
});
