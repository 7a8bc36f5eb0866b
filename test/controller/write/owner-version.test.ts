import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ConfigMap, ForbiddenError, NotFoundError } from 'kindwright';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { enqueueOwner } from '../../../src/controller/sources/event-handler.js';
import { LiveContext } from '../../../src/controller/context/live-context.js';
import { ControllerParts, Gizmo, gizmo, gizmoModel, owned } from '../gizmo.js';

let parts: ControllerParts;
beforeEach(() => {
  Gizmo.behavior = () => undefined;
});
afterEach(() => parts.stop());

const child = owned({ kind: 'ConfigMap', metadata: { name: 'm', namespace: 'team', uid: 'm', resourceVersion: '2' } });

function withVersion(version: string): KubeObject {
  const references = (child as KubeObject).metadata.ownerReferences ?? [];
  const ownerReferences = references.map((each) => ({ ...each, apiVersion: `test.kindwright.dev/${version}` }));
  return { ...child, metadata: { ...child.metadata, ownerReferences } };
}

const create = () =>
  new LiveContext(parts.services, parts.request(), gizmo('a')).create(ConfigMap, { metadata: { name: 'm' } });

test('an existing child whose owner reference has a former version gets the version of the class', async () => {
  parts = await ControllerParts.with([ConfigMap, withVersion('v1beta1')]);
  parts.answer = () => withVersion('v1');
  await create();
  expect(parts.sent).toMatchObject([
    {
      verb: 'patch',
      name: 'm',
      body: [
        { op: 'test', path: '/metadata/ownerReferences/0/uid', value: 'uid-a' },
        { op: 'replace', path: '/metadata/ownerReferences/0/apiVersion', value: 'test.kindwright.dev/v1' },
      ],
    },
  ]);
});

test('an existing child with the version of the class causes no request', async () => {
  parts = await ControllerParts.with([ConfigMap, withVersion('v1')]);
  await create();
  expect(parts.sent).toEqual([]);
});

test('a missing permission to update the reference is logged once, and the child is returned', async () => {
  parts = await ControllerParts.with([ConfigMap, withVersion('v1beta1')]);
  parts.answer = () => {
    throw new ForbiddenError('forbidden', {
      status: 403,
      reason: 'Forbidden',
      request: { method: 'PATCH', path: '/' },
    });
  };
  await create();
  await create();
  expect(parts.logger.messages('warn')).toEqual([
    'The owner reference of an object has an old version and cannot be updated',
  ]);
});

test('children that no reconcile writes get the version of the class after the next reconcile of their owner', async () => {
  parts = await ControllerParts.with([gizmoModel.kind, gizmo('a')], [ConfigMap, withVersion('v1beta1')]);
  parts.answer = () => withVersion('v1');
  const { ownerVersion } = parts.services.creator;
  const handler = enqueueOwner(gizmoModel.kind, false, (object, uid) => {
    ownerVersion.addOutdated(ConfigMap, object, uid);
  });
  handler({ type: 'add', isInitial: true, object: withVersion('v1beta1') }, () => undefined, {});
  handler({ type: 'add', isInitial: true, object: withVersion('v1') }, () => undefined, {});
  await parts.reconciler.reconcile(parts.request());
  await parts.reconciler.reconcile(parts.request());
  expect(parts.sent).toMatchObject([{ verb: 'patch', name: 'm' }]);
});

test('a child that was deleted before its reference is updated is not an error', async () => {
  parts = await ControllerParts.with([gizmoModel.kind, gizmo('a')], [ConfigMap, withVersion('v1beta1')]);
  parts.answer = () => {
    throw new NotFoundError('not found', {
      status: 404,
      reason: 'NotFound',
      request: { method: 'PATCH', path: '/' },
      details: { kind: 'configmaps' },
    });
  };
  parts.services.creator.ownerVersion.addOutdated(ConfigMap, withVersion('v1beta1'), 'uid-a');
  expect(await parts.reconciler.reconcile(parts.request())).toEqual({ type: 'done' });
});
