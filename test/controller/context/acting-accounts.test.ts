import { expect, test } from '@jest/globals';
import { ActingAccounts } from '../../../src/controller/context/acting-accounts.js';
import { gizmo, gizmoModel } from '../gizmo.js';

const accounts = (impersonate?: true | readonly string[]) =>
  new ActingAccounts({ ...gizmoModel, controller: { ...gizmoModel.controller, ...(impersonate && { impersonate }) } });

test('a class acts as the ServiceAccounts that it declares only', () => {
  const owner = gizmo('a');
  expect(accounts(['deployer']).user(owner, { serviceAccount: 'deployer' })).toBe(
    'system:serviceaccount:team:deployer',
  );
  for (const declared of [accounts(), accounts(['deployer'])])
    expect(() => declared.user(owner, { serviceAccount: 'admin' })).toThrow(
      expect.objectContaining({ code: 'E_IMPERSONATION', hint: expect.stringContaining("impersonate: ['admin']") }),
    );
});

test('a cluster-scoped object names the namespace of the ServiceAccount', () => {
  const kind = { ...gizmoModel.kind, scope: 'Cluster' as const };
  const declared = new ActingAccounts({
    ...gizmoModel,
    kind,
    controller: { ...gizmoModel.controller, impersonate: true },
  });
  const { namespace: _, ...metadata } = gizmo('a').metadata;
  const owner = { ...gizmo('a'), metadata };
  expect(declared.user(owner, { serviceAccount: 'x', namespace: 'y' })).toBe('system:serviceaccount:y:x');
  expect(() => declared.user(owner, { serviceAccount: 'x' })).toThrow(
    'the namespace of the ServiceAccount "x" is missing',
  );
});
