import { describe, expect, test } from '@jest/globals';
import { CustomResource, Finalizer, ForbiddenError, Kind, Node, Rbac, Secret } from 'kindwright';
import { silentLogger } from '../../../src/base/logger.js';
import { rbacHint } from '../../../src/controller/read/rbac-hint.js';
import { UnwatchedKinds } from '../../../src/controller/read/unwatched-kinds.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceModel } from '../../../src/resource/model.js';
import { gizmoModel } from '../gizmo.js';

const refuse = (what: string) =>
  new ForbiddenError(`x is forbidden: User "system:serviceaccount:a:b" ${what} in the namespace "team"`, {
    status: 403,
    reason: 'Forbidden',
    request: { method: 'PATCH', path: '/' },
  });

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Rbac(Node, 'update')
@Rbac({ groups: [''], resources: ['namespaces'], resourceNames: ['team'] }, 'patch')
@Rbac({ groups: ['coordination.k8s.io'], resources: ['leases'], namespace: 'other' }, 'patch')
class Valve extends CustomResource {
  reconcile(): void {}

  @Finalizer('test.kindwright.dev/close')
  close(): void {}
}

const [valveModel] = buildResourceModels([Valve]) as [ResourceModel];
const unwatched = new UnwatchedKinds(gizmoModel, silentLogger);
unwatched.ownedWrite(Secret);

describe('rbacHint', () => {
  test.each([
    [
      'cannot patch resource "things" in API group "x.io"',
      `add @Rbac({ groups: ['x.io'], resources: ['things'] }, 'patch') to Gizmo`,
    ],
    ['cannot patch resource "nodes" in API group ""', `add @Rbac(Node, 'patch') to Gizmo`],
    ['cannot create resource "events" in API group ""', `add @Rbac(CoreEvent, 'create') to Gizmo`],
    [
      'cannot list resource "nodes" in API group ""',
      `add @Watches(Node, …) to Gizmo if its changes must lead to a reconcile, else @Rbac(Node, 'list')`,
    ],
    ['cannot get resource "secrets" in API group ""', 'add @Owns(Secret) to Gizmo'],
    ['cannot create resource "configmaps" in API group ""', 'the roles of Gizmo allow it'],
    ['cannot deletecollection resource "configmaps" in API group ""', `add 'deletecollection' to the verbs of @Owns(`],
    [
      'cannot patch resource "pods/ephemeralcontainers" in API group ""',
      `add @Rbac(Pod, 'patch', { subresource: 'ephemeralcontainers' }) to Gizmo`,
    ],
    ['cannot create resource "gizmos" in API group "test.kindwright.dev"', `add @Rbac(Gizmo, 'create') to Gizmo`],
    ['cannot list resource "configmaps" in API group ""', 'the roles of Gizmo allow it'],
    ['cannot patch resource "gizmos/status" in API group "test.kindwright.dev"', 'the roles of Gizmo allow it'],
    ['cannot patch resource "gizmos" in API group "test.kindwright.dev"', `add @Rbac(Gizmo, 'patch') to Gizmo`],
  ])('rbacHint contains the decorator to add: %s', (what, hint) => {
    expect(rbacHint(refuse(what), gizmoModel, unwatched)).toContain(hint);
  });

  test.each([
    ['cannot patch resource "valves" in API group "test.kindwright.dev"', 'the roles of Valve allow it'],
    ['cannot update resource "nodes" in API group ""', 'the roles of Valve allow it'],
    [
      'cannot update resource "nodes/status" in API group ""',
      `@Rbac(Node, 'update', { subresource: 'status' }) to Valve`,
    ],
    ['cannot patch resource "namespaces" in API group ""', `add @Rbac(Namespace, 'patch') to Valve`],
    ['cannot patch resource "leases" in API group "coordination.k8s.io"', `add @Rbac(Lease, 'patch') to Valve`],
  ])('rbacHint does not repeat what @Finalizer and @Rbac grant for all objects: %s', (what, hint) => {
    expect(rbacHint(refuse(what), valveModel)).toContain(hint);
  });

  test('rbacHint returns nothing for an error that RBAC did not cause', () => {
    expect(rbacHint(refuse('exceeded quota'), gizmoModel, unwatched)).toBeUndefined();
    expect(rbacHint(new Error('no'), gizmoModel, unwatched)).toBeUndefined();
  });
});
