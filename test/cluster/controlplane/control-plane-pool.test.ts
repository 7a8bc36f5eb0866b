import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../src/testing/eventually.js';
import { ControlPlanePool } from '../../controlplane/control-plane-pool.js';
import { LentControlPlane } from '../../controlplane/lent-control-plane.js';
import { PoolConnection } from '../../controlplane/pool-connection.js';

const PARTS = ['etcd', 'apiserver'] as const;
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.pool.example.com' },
  spec: {
    group: 'pool.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const THING = {
  apiVersion: 'pool.example.com/v1',
  kind: 'Thing',
  metadata: { name: 'finalized', namespace: 'left', finalizers: ['pool.example.com/never'] },
};

let pool: ControlPlanePool;
const lent: LentControlPlane[] = [];
beforeAll(async () => {
  pool = await ControlPlanePool.start();
});
afterEach(async () => {
  for (const controlPlane of lent.splice(0)) await controlPlane.stop();
});
afterAll(() => pool.end());

async function borrow(): Promise<LentControlPlane> {
  const controlPlane = await LentControlPlane.borrow(pool.socket, PARTS);
  lent.push(controlPlane);
  return controlPlane;
}

const apply = (controlPlane: LentControlPlane, object: object): Promise<string> =>
  eventually(() => controlPlane.kubectl(['apply', '-f', '-'], JSON.stringify(object)));

test('the next suite gets the same control plane, without what a suite created, changed and deleted', async () => {
  const first = await borrow();
  await first.kubectl(['create', 'namespace', 'left']);
  await apply(first, DEFINITION);
  await apply(first, THING);
  await first.kubectl(['label', 'namespace', 'default', 'changed=true']);
  await first.kubectl(['delete', 'clusterrole', 'view']);
  await first.user('somebody');
  writeFileSync(join(first.dir, 'left'), '');
  await first.stop();

  const second = await borrow();
  expect(second.dir).toBe(first.dir);
  expect(await second.kubectl(['get', 'crds,namespaces', '-o', 'name'])).not.toMatch(/things|left/);
  expect(await second.kubectl(['get', 'namespace', 'default', '--show-labels'])).not.toContain('changed');
  expect(await second.kubectl(['get', 'clusterrole', 'view', '-o', 'name'])).toContain('view');
  expect(await second.kubectl(['api-resources'])).not.toContain('pool.example.com');
  await second.kubectl(['create', 'namespace', 'left']);
  await apply(second, DEFINITION);
  expect(await eventually(() => second.kubectl(['get', 'things', '-A', '-o', 'name']))).toBe('');
});

test('the audit log begins when the control plane is lent', async () => {
  const first = await borrow();
  await first.kubectl(['get', 'configmaps']);
  await first.stop();
  const second = await borrow();
  await second.kubectl(['get', 'secrets']);
  const resources = (await second.auditEvents()).map(({ resource }) => resource);
  expect(resources).toContain('secrets');
  expect(resources).not.toContain('configmaps');
});

test('two suites at the same time have different control planes', async () => {
  const [first, second] = await Promise.all([borrow(), borrow()]);
  expect(first.dir).not.toBe(second.dir);
});

test('an API server that a suite has stopped runs for the next one', async () => {
  const first = await borrow();
  await first.stopPart('apiserver');
  await first.stop();
  const second = await borrow();
  expect(await second.kubectl(['get', 'namespaces', '-o', 'name'])).toContain('namespace/default');
});

test('a control plane is not lent again if its suite has ended without a stop of it, or has stopped its etcd', async () => {
  const connection = await PoolConnection.open(pool.socket);
  const { dir } = await connection.request({ do: 'lend', parts: PARTS });
  connection.close();
  const other = await borrow();
  expect(other.dir).not.toBe(dir);
  await other.stopPart('etcd');
  await other.stop();
  expect((await borrow()).dir).not.toBe(other.dir);
});

test('an error of the pool is an error of the suite', async () => {
  const connection = await PoolConnection.open(pool.socket);
  await expect(connection.request({ do: 'return' })).rejects.toThrow('no control plane is lent on this connection');
  connection.close();
});
