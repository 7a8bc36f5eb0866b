import { describe, expect, test } from '@jest/globals';
import { ClusterRoleBinding, NotFoundError, ValidatingWebhookConfiguration } from 'kindwright';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { assertNoOtherOperator } from '../../../src/cli/deploy/other-operators.js';
import type { OperatorObject } from '../../../src/cli/deploy/operator-objects.js';
import type { Client } from '../../../src/client/client.js';

const at = { apiVersion: 'v1', metadata: { name: 'database-manager-rolebinding' } };
const account = 'database-controller-manager';

function binding(namespace: string): OperatorObject {
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace }];
  return { kind: ClusterRoleBinding as unknown as OperatorObject['kind'], object: { ...at, subjects } };
}

function configuration(namespace: string): OperatorObject {
  const webhooks = [{ clientConfig: { service: { name: 'database-webhooks', namespace } } }];
  return { kind: ValidatingWebhookConfiguration as unknown as OperatorObject['kind'], object: { ...at, webhooks } };
}

/** A cluster with an object, and with accounts and services in these namespaces. */
function clusterWith({ kind, object }: OperatorObject, ...namespaces: string[]): Client {
  const get = async ({ kind: asked }: KindRef, _name: string, { namespace }: { readonly namespace?: string }) => {
    if (asked === kind.kind) return object;
    if (namespace !== undefined && namespaces.includes(namespace)) return { metadata: {} } as UnstructuredObject;
    throw new NotFoundError('not found', { status: 404, reason: 'NotFound', request: { method: 'GET', path: '/' } });
  };
  return { get } as unknown as Client;
}

describe('a deployment over the objects of another operator', () => {
  test.each([
    ['binding', binding, 'ServiceAccount team-a/database-controller-manager'],
    ['webhook configuration', configuration, 'Service team-a/database-webhooks'],
  ])('a %s of another operator is not taken over, and the error names its owner', async (_, object, owner) => {
    await expect(
      assertNoOtherOperator(clusterWith(object('team-a'), 'team-a'), [object('team-b')]),
    ).rejects.toMatchObject({
      code: 'E_CONFLICT',
      message: expect.stringContaining(`belongs to another operator, with ${owner}`),
    });
  });

  test('the own objects are applied again', async () => {
    await assertNoOtherOperator(clusterWith(binding('team-a'), 'team-a'), [binding('team-a')]);
  });

  test('an object of an operator that no longer exists is taken over', async () => {
    await assertNoOtherOperator(clusterWith(binding('team-a')), [binding('team-b')]);
  });
});
