import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from 'kindwright/testing';
import { ApiEndpoint } from '../../fidelity/api-endpoint.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const CLUSTER_ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
}

let cluster: SuiteControlPlane;
let api: ApiEndpoint;
beforeAll(async () => {
  cluster = await startSuiteControlPlane({ nodes: 0 });
  api = new ApiEndpoint(cluster.kubeconfig);
}, 60_000);
afterAll(async () => {
  api.close();
  await cluster.stop();
});

async function create(name: string, ownerReferences: Owner[] = [], path = CONFIG_MAPS): Promise<Owner> {
  const { code, body } = await api.send({ method: 'POST', path, body: { metadata: { name, ownerReferences } } });
  expect(code).toBe(201);
  const { uid } = (body as { metadata: { uid: string } }).metadata;
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid };
}

const exists = async (name: string, path = CONFIG_MAPS): Promise<boolean> =>
  (await api.send({ method: 'GET', path: `${path}/${name}` })).code === 200;
const gone = (...names: string[]): Promise<void> =>
  eventually(async () => expect(await Promise.all(names.map((name) => exists(name)))).not.toContain(true), {
    timeout: '30s',
  });
const remove = (name: string, policy: string) =>
  api.send({ method: 'DELETE', path: `${CONFIG_MAPS}/${name}?propagationPolicy=${policy}` });
const GONE: Owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'never' };

test('an object with an owner that cannot be looked up is not deleted', async () => {
  const owner = await create('owner');
  const unknown = { apiVersion: 'no.such/v1', kind: 'Foo', name: 'x', uid: 'u' };
  await create('of-unknown', [unknown]);
  await create('of-unknown-and-gone', [unknown, GONE]);
  await create('of-namespaced', [owner], CLUSTER_ROLES);
  await create('of-gone', [GONE]);
  await gone('of-gone'); // looked at after the others
  expect(await exists('of-unknown')).toBe(true);
  expect(await exists('of-unknown-and-gone')).toBe(true);
  expect(await exists('of-namespaced', CLUSTER_ROLES)).toBe(true);
});

test('an Event is not garbage-collected, whatever its owners', async () => {
  const events = '/api/v1/namespaces/default/events';
  const event = { metadata: { name: 'e', ownerReferences: [GONE] }, involvedObject: { namespace: 'default' } };
  expect((await api.send({ method: 'POST', path: events, body: event })).code).toBe(201);
  await create('beside-an-event', [GONE]);
  await gone('beside-an-event');
  expect(await exists('e', events)).toBe(true);
});

test('an owner deleted in the foreground is removed when its dependents with other owners are kept', async () => {
  const [first, second] = [await create('first'), await create('second')];
  await create('of-both', [{ ...first, blockOwnerDeletion: true }, second]);
  await remove('first', 'Foreground');
  await gone('first');
  expect(await exists('of-both')).toBe(true);
});

test('objects that own each other are both deleted', async () => {
  const one = await create('one');
  const other = await create('other', [{ ...one, blockOwnerDeletion: true }]);
  await api.send({
    method: 'PATCH',
    path: `${CONFIG_MAPS}/one`,
    body: { metadata: { ownerReferences: [{ ...other, blockOwnerDeletion: true }] } },
    contentType: 'application/merge-patch+json',
  });
  await remove('one', 'Foreground');
  await gone('one', 'other');
});
