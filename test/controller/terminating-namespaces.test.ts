import { expect, test } from '@jest/globals';
import { ForbiddenError, TerminalError } from 'kindwright';
import { ControllerParts, Gizmo, gizmo, gizmoModel } from './gizmo.js';

const terminating = new ForbiddenError(
  'unable to create new content in namespace team because it is being terminated',
  {
    status: 403,
    reason: 'Forbidden',
    request: { method: 'POST', path: '/' },
    details: { causes: [{ reason: 'NamespaceTerminating', message: 'namespace team is being terminated' }] },
  },
);

test.each<[string, Error, string]>([
  ['a rejection by a terminating namespace', terminating, 'requeue'],
  ['an error that one has caused', new Error('failed', { cause: terminating }), 'requeue'],
  ['a TerminalError that one has caused', new TerminalError('no', { cause: terminating }), 'terminal'],
])('a reconcile that throws %s is retried without a failure, unless it is terminal', async (_, thrown, type) => {
  const parts = await ControllerParts.with([gizmoModel.kind, gizmo('a')]);
  Gizmo.behavior = () => {
    throw thrown;
  };
  expect((await parts.reconciler.reconcile(parts.request())).type).toBe(type);
  expect(parts.recorded).toHaveLength(type === 'terminal' ? 1 : 0);
  await parts.stop();
});
