import { afterEach, expect, test } from '@jest/globals';
import { ConfigMap, ForbiddenError } from 'kindwright';
import type { KubeObject } from '../../src/api/kube-object.js';
import { LiveContext } from '../../src/controller/live-context.js';
import { ControllerParts, gizmo, owned } from './gizmo.js';

let parts: ControllerParts;
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
