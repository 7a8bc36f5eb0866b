import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ControllerParts, Gizmo, gizmo, gizmoModel } from '../gizmo.js';

let parts: ControllerParts;
const object = { ...gizmo('a', { labels: { a: '1' } }), status: { seen: 'x', newer: { kept: true } } };

beforeEach(async () => {
  parts = await ControllerParts.strict([gizmoModel.kind, object]);
});
afterEach(() => parts.stop());

const reconcile = (behavior: (self: Gizmo) => unknown) => {
  Gizmo.behavior = behavior as typeof Gizmo.behavior;
  return parts.reconciler.reconcile(parts.request());
};

describe('in a strict controller', () => {
  test.each<[string, (self: Gizmo) => unknown, string]>([
    ['a field of spec', (self) => (self.spec.value = 'b'), 'Gizmo.spec.value'],
    ['a new member of spec', (self) => Object.assign(self.spec, { vlaue: 'b' }), 'Gizmo.spec.vlaue'],
    ['spec as a whole', (self) => (self.spec = undefined as never), 'Gizmo.spec'],
    ['a label', (self) => (self.metadata.labels!['b'] = '2'), 'Gizmo.metadata.labels.b'],
    ['a label that is removed', (self) => delete self.metadata.labels!['a'], 'Gizmo.metadata.labels.a'],
    ['the finalizers', (self) => (self.metadata.finalizers = ['x/y']), 'Gizmo.metadata.finalizers'],
  ])('in strict mode a change to %s is an error that names it', async (_, behavior, path) => {
    expect(await reconcile(behavior)).toMatchObject({
      type: 'failed',
      error: {
        code: 'E_DISCARDED',
        message: expect.stringContaining(`${path} was changed by reconcile; the change is not written`),
        hint: expect.stringContaining('ctx.update(Gizmo, …)'),
      },
    });
  });

  test('in strict mode an undeclared status field is an error that names field and class', async () => {
    const outcome = await reconcile(({ status }) => Object.assign(status, { phase: 'Ready' }));
    expect(outcome).toMatchObject({
      type: 'failed',
      error: {
        message: expect.stringContaining(
          'Gizmo.status.phase was set by reconcile, but GizmoStatus has no @Field phase',
        ),
        hint: 'add @Field() phase to GizmoStatus',
      },
    });
  });

  test('the declared status is written although another change is an error', async () => {
    parts.answer = () => object;
    await reconcile((self) => {
      self.status.seen = 'y';
      self.spec.value = 'b';
    });
    expect(parts.sent).toMatchObject([{ verb: 'patch', body: { status: { seen: 'y' } } }]);
  });

  test('declared status fields, and undeclared ones that the object came with, are not errors', async () => {
    parts.answer = () => object;
    expect(await reconcile(({ status }) => (status.seen = 'y'))).toEqual({ type: 'done' });
  });

  test('an error of the method takes precedence over that of a discarded change', async () => {
    const outcome = await reconcile((self) => {
      self.spec.value = 'b';
      throw new Error('the reason');
    });
    expect(outcome).toMatchObject({ error: { message: 'the reason' } });
  });
});
