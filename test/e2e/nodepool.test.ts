import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CoreEvent, NotFoundError, Node, Pod, RuntimeClass, type Client } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { NodePool } from '../../operators/nodepool.js';
import { GARBAGE_COLLECTED, startSuite, type OperatorSuite } from './operator-suite.js';

let suite: OperatorSuite;
let client: Client;

beforeAll(async () => {
  suite = await startSuite('nodepool');
  client = suite.client;
});
afterAll(() => suite.stop());

const ROLE = 'node-role.kubernetes.io/';
const MASTER = {
  taints: [{ key: 'node-pool.lailin.xyz', value: 'master', effect: 'NoSchedule' }],
  labels: { 'node-pool.lailin.xyz/master': '8', 'node-pool.lailin.xyz/test': '2' },
  handler: 'runc',
};
const masterTaint = MASTER.taints[0];
const systemTaint = { key: 'kubernetes.io/reserved', value: 'yes', effect: 'NoSchedule' };

const node = (name: string) => client.get(Node, name);
const createPool = (name: string, spec: object) => client.create(NodePool, { metadata: { name }, spec });
const changePool = (name: string, spec: object) => client.patch(NodePool, name, { spec }, { type: 'merge' });
const createNode = (name: string, pools: string[], labels: object = {}) =>
  client.create(Node, {
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        ...Object.fromEntries(pools.map((pool) => [ROLE + pool, ''])),
        ...labels,
      },
    },
    spec: { taints: [systemTaint] },
  });
const role = (name: string, pool: string, value: '' | null) =>
  client.patch(Node, name, { metadata: { labels: { [ROLE + pool]: value } } });

/** Labels and taints of the node, without those the cluster itself sets. */
async function settings(name: string): Promise<{ labels: Record<string, string>; taints: string[] }> {
  const { metadata, spec } = await node(name);
  const labels = Object.entries(metadata.labels ?? {}).filter(([key]) => !key.includes('kubernetes'));
  const taints = (spec?.taints ?? []).filter(({ key }) => !key.startsWith('node.kubernetes.io/'));
  return {
    labels: Object.fromEntries(labels),
    taints: taints.map(({ key, value, effect }) => `${key}=${value ?? ''}:${effect}`),
  };
}
const reserved = 'kubernetes.io/reserved=yes:NoSchedule';
const masterOnly = { labels: MASTER.labels, taints: [reserved, 'node-pool.lailin.xyz=master:NoSchedule'] };
const nothing = { labels: {}, taints: [reserved] };

async function converged(name: string, expected: { labels: object; taints: string[] }): Promise<void> {
  await eventually(async () => expect(await settings(name)).toEqual(expected));
}
const gone = (promise: Promise<unknown>) => expect(promise).rejects.toBeInstanceOf(NotFoundError);
async function deletePools(): Promise<void> {
  for (const { metadata } of (await client.list(NodePool)).items)
    await client.delete(NodePool, metadata.name).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error; // one that a test deleted may go meanwhile
    });
  await eventually(async () => expect((await client.list(NodePool)).items).toEqual([]));
}

describe('NodePool', () => {
  test('a NodePool sets labels and taints of its nodes and takes over those without an owner', async () => {
    await createNode('m1', ['master'], { stray: 'x' });
    await createNode('w1', []);
    await createPool('master', MASTER);
    await converged('m1', masterOnly);
    expect((await node('m1')).metadata.labels).toMatchObject({ 'kubernetes.io/hostname': 'm1', [`${ROLE}master`]: '' });
    expect(await settings('w1')).toEqual(nothing);
  });

  test('a NodePool creates a RuntimeClass of its name, owned by it', async () => {
    await eventually(async () => {
      expect(await client.get(RuntimeClass, 'master')).toMatchObject({
        handler: 'runc',
        scheduling: { nodeSelector: MASTER.labels, tolerations: [{ ...masterTaint, operator: 'Equal' }] },
        metadata: { ownerReferences: [{ kind: 'NodePool', name: 'master', controller: true }] },
      });
    });
  });

  test('the status of a NodePool contains the number of nodes and that all settings are applied', async () => {
    await eventually(async () => {
      const { status } = await client.get(NodePool, 'master');
      expect(status).toMatchObject({ nodes: 1, conditions: [{ type: 'Ready', status: 'True', reason: 'Applied' }] });
    });
  });

  test('a node that joins a NodePool gets the settings, with an Event', async () => {
    await role('w1', 'master', '');
    await converged('w1', masterOnly);
    await eventually(async () => expect((await client.get(NodePool, 'master')).status?.nodes).toBe(2));
    await eventually(async () => {
      const { items } = await client.list(CoreEvent, {
        namespace: 'default',
        fieldSelector: 'involvedObject.name=master',
      });
      expect(items.map(({ message }) => message)).toContain('node w1 joined the pool');
    });
  });

  test('a node that leaves a NodePool loses its settings and nothing else', async () => {
    await client.patch(Node, 'w1', { metadata: { labels: { [`${ROLE}master`]: null, mine: 'kept' } } });
    await converged('w1', { labels: { mine: 'kept' }, taints: [reserved] });
    expect((await node('w1')).metadata.annotations ?? {}).not.toHaveProperty('nodes.lailin.xyz/applied');
  });

  test('a pod with the runtime class of a NodePool runs on a node of the pool', async () => {
    const spec = {
      runtimeClassName: 'master',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'c', image: 'busybox' }],
    };
    await client.create(Pod, { metadata: { name: 'on-master', namespace: 'default' }, spec });
    await eventually(async () => {
      expect((await client.get(Pod, 'on-master', { namespace: 'default' })).spec?.nodeName).toBe('m1');
    });
  });

  test('labels and taints of a node that are changed by hand are restored', async () => {
    await client.patch(Node, 'm1', { metadata: { labels: { 'node-pool.lailin.xyz/master': '9', extra: 'y' } } });
    await converged('m1', masterOnly);
    await client.patch(Node, 'm1', { spec: { taints: [] } });
    await eventually(async () =>
      expect((await settings('m1')).taints).toEqual(['node-pool.lailin.xyz=master:NoSchedule']),
    );
    await client.patch(Node, 'm1', { spec: { taints: [systemTaint] } });
    await converged('m1', masterOnly);
  });

  test('settings that are removed from a NodePool are removed from its nodes and RuntimeClass', async () => {
    await changePool('master', {
      taints: null,
      labels: { 'node-pool.lailin.xyz/master': '10', 'node-pool.lailin.xyz/test': null },
    });
    await converged('m1', { labels: { 'node-pool.lailin.xyz/master': '10' }, taints: [reserved] });
    await eventually(async () => {
      const { scheduling } = await client.get(RuntimeClass, 'master');
      expect(scheduling?.nodeSelector).toEqual({ 'node-pool.lailin.xyz/master': '10' });
      expect(scheduling?.tolerations ?? []).toEqual([]);
    });
  });

  test('a changed handler of a NodePool replaces the RuntimeClass', async () => {
    const { uid } = (await client.get(RuntimeClass, 'master')).metadata;
    await changePool('master', { handler: 'kata' });
    await eventually(async () => {
      const runtimeClass = await client.get(RuntimeClass, 'master');
      expect(runtimeClass.handler).toBe('kata');
      expect(runtimeClass.metadata.uid).not.toBe(uid);
    });
  });

  test('a RuntimeClass that is deleted by hand is created again', async () => {
    const { uid } = (await client.get(RuntimeClass, 'master')).metadata;
    await client.delete(RuntimeClass, 'master');
    await eventually(async () => expect((await client.get(RuntimeClass, 'master')).metadata.uid).not.toBe(uid));
  });

  test('a NodePool without a handler has no RuntimeClass', async () => {
    await changePool('master', { handler: null });
    await eventually(() => gone(client.get(RuntimeClass, 'master')));
  });

  test('a deleted NodePool cleans up its nodes, then removes its finalizer', async () => {
    await changePool('master', MASTER);
    await converged('m1', masterOnly);
    const finalizers = (await client.get(NodePool, 'master')).metadata.finalizers;
    expect(finalizers).toEqual(['nodes.lailin.xyz/node-finalizer']);
    await client.delete(NodePool, 'master');
    await eventually(() => gone(client.get(NodePool, 'master')));
    expect(await settings('m1')).toEqual(nothing);
    await eventually(() => gone(client.get(RuntimeClass, 'master')), GARBAGE_COLLECTED);
  });
});

describe('two NodePools on one node', () => {
  beforeEach(deletePools);

  test('a node of two NodePools has the settings of both, and keeps those of the other when one is deleted', async () => {
    await createNode('both', ['alpha', 'beta']);
    await createPool('alpha', { labels: { a: '1' }, taints: [{ key: 'a', value: '1', effect: 'NoSchedule' }] });
    await createPool('beta', { labels: { b: '2' }, taints: [{ key: 'b', value: '2', effect: 'NoExecute' }] });
    await converged('both', { labels: { a: '1', b: '2' }, taints: [reserved, 'a=1:NoSchedule', 'b=2:NoExecute'] });
    await client.delete(NodePool, 'alpha');
    await converged('both', { labels: { b: '2' }, taints: [reserved, 'b=2:NoExecute'] });
  });

  test('the first NodePool by name wins a conflict, and the other reports it until it is solved', async () => {
    await createPool('beta', { labels: { tier: 'beta' } });
    await converged('both', { labels: { tier: 'beta' }, taints: [reserved] });
    await createPool('alpha', { labels: { tier: 'alpha' } });
    await converged('both', { labels: { tier: 'alpha' }, taints: [reserved] });
    await eventually(async () => {
      const { status } = await client.get(NodePool, 'beta');
      expect(status?.conditions).toMatchObject([
        { type: 'Ready', status: 'False', reason: 'Conflict', message: 'label tier has another value in pool alpha' },
      ]);
    });
    await eventually(async () => {
      const { items } = await client.list(CoreEvent, {
        namespace: 'default',
        fieldSelector: 'involvedObject.name=beta,reason=Conflict',
      });
      expect(items).toMatchObject([{ type: 'Warning', message: 'label tier has another value in pool alpha' }]);
    });
    await client.delete(NodePool, 'alpha');
    await converged('both', { labels: { tier: 'beta' }, taints: [reserved] });
    await eventually(async () => {
      expect((await client.get(NodePool, 'beta')).status?.conditions).toMatchObject([{ status: 'True' }]);
    });
  });
});

describe('the taints of a NodePool', () => {
  beforeEach(deletePools);

  test("a taint of a NodePool may have every field of Kubernetes' Taint", async () => {
    await createNode('timed', ['timed']);
    await createPool('timed', {
      taints: [{ key: 'a', value: '1', effect: 'NoExecute', timeAdded: '2026-01-02T03:04:05Z' }],
    });
    await eventually(async () => {
      const { spec } = await node('timed');
      expect(spec?.taints?.find(({ key }) => key === 'a')).toMatchObject({ timeAdded: '2026-01-02T03:04:05Z' });
    });
  });

  test('a taint of a NodePool must have a valid effect', async () => {
    await expect(createPool('odd', { taints: [{ key: 'a', effect: 'Never' }] })).rejects.toThrow(
      'spec.taints[0]: Invalid value: must have effect NoSchedule, PreferNoSchedule or NoExecute',
    );
  });

  test('taints are part of the spec of a NodePool, which is required', async () => {
    const withoutSpec = { metadata: { name: 'empty' } } as Parameters<typeof client.create<typeof NodePool>>[1];
    await expect(client.create(NodePool, withoutSpec)).rejects.toThrow('spec: Required value');
  });
});

describe('NodePool across a crash', () => {
  beforeEach(deletePools);

  test('a NodePool that is deleted while the operator is down is cleaned up after its start', async () => {
    await createNode('crash', ['crashing']);
    await createPool('crashing', MASTER);
    await converged('crash', masterOnly);
    await suite.kill();
    await client.delete(NodePool, 'crashing');
    await suite.start();
    await eventually(() => gone(client.get(NodePool, 'crashing')));
    expect(await settings('crash')).toEqual(nothing);
  });

  test('a node that leaves while the operator is down is cleaned up after its start', async () => {
    await createPool('crashing', MASTER);
    await converged('crash', masterOnly);
    await suite.kill();
    await role('crash', 'crashing', null);
    await suite.start();
    await converged('crash', nothing);
  });

  test('a kill during the cleanup of many nodes does not change the result', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `many-${i}`);
    for (const name of names) await createNode(name, ['crashing']);
    await createPool('crashing', MASTER);
    for (const name of names) await converged(name, masterOnly);
    await client.delete(NodePool, 'crashing');
    await suite.kill();
    await suite.start();
    await eventually(() => gone(client.get(NodePool, 'crashing')), { timeout: '20s' });
    for (const name of names) expect(await settings(name)).toEqual(nothing);
  });

  test('NodePool needs only the permissions that are generated for it', () => suite.account.expectNoForbiddenCall());
});
