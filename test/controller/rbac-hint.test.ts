import { describe, expect, test } from '@jest/globals';
import { ForbiddenError } from 'kindwright';
import { rbacHint } from '../../src/controller/rbac-hint.js';
import { gizmoModel } from './gizmo.js';

const refuse = (what: string) =>
  new ForbiddenError(`x is forbidden: User "system:serviceaccount:a:b" ${what} in the namespace "team"`, {
    status: 403,
    reason: 'Forbidden',
    request: { method: 'PATCH', path: '/' },
  });

describe('rbacHint', () => {
  test.each([
    [
      'cannot patch resource "nodes" in API group ""',
      `add @Rbac({ groups: [''], resources: ['nodes'] }, 'patch') to Gizmo`,
    ],
    [
      'cannot patch resource "pods/ephemeralcontainers" in API group ""',
      `add @Rbac({ groups: [''], resources: ['pods/ephemeralcontainers'] }, 'patch') to Gizmo`,
    ],
    ['cannot create resource "gizmos" in API group "test.kindwright.dev"', `add @Rbac(Gizmo, 'create') to Gizmo`],
    ['cannot list resource "configmaps" in API group ""', 'the roles of Gizmo allow it'],
  ])('%s', (what, hint) => {
    expect(rbacHint(refuse(what), gizmoModel)).toContain(hint);
  });

  test('has nothing to say of a refusal that RBAC did not make', () => {
    expect(rbacHint(refuse('exceeded quota'), gizmoModel)).toBeUndefined();
    expect(rbacHint(new Error('no'), gizmoModel)).toBeUndefined();
  });
});
