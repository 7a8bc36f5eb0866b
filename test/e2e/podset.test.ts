import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Deployment, Pod, ReplicaSet, type Client } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { PodSet } from '../../operators/podset.js';
import { GARBAGE_COLLECTED, startSuite, type OperatorSuite } from './operator-suite.js';

let suite: OperatorSuite;
let client: Client;
const namespace = 'default';
const selector = { namespace, labelSelector: { matchLabels: { app: 'podSet', podSet_cr: 'example' } } };

beforeAll(async () => {
  suite = await startSuite('podset');
  client = suite.client;
});
afterAll(() => suite.stop());

const podSet = () => client.get(PodSet, 'example', { namespace });
const deployment = () => client.get(Deployment, 'example', { namespace });
const podNames = async () => (await client.list(Pod, selector)).items.map(({ metadata }) => metadata.name).sort();
const resize = (size: number) => client.patch(PodSet, 'example', { spec: { size } }, { namespace });

/** The status names exactly the pods there are, `size` of them. */
async function converged(size: number): Promise<void> {
  await eventually(async () => {
    const names = await podNames();
    expect(names).toHaveLength(size);
    expect((await podSet()).status?.nodes).toEqual(names);
  });
}

describe('PodSet', () => {
  test('a PodSet creates its Deployment, and its status lists the pods in order', async () => {
    await client.create(PodSet, { metadata: { name: 'example', namespace }, spec: { size: 3 } });
    await converged(3);
    const { spec, metadata } = await deployment();
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'PodSet', name: 'example', controller: true }]);
    expect(spec?.selector.matchLabels).toEqual({ app: 'podSet', podSet_cr: 'example' });
    expect(spec?.template.metadata?.labels).toEqual({ app: 'podSet', podSet_cr: 'example' });
    expect(spec?.template.spec?.containers).toMatchObject([
      {
        name: 'podset',
        image: 'busybox',
        command: ['sleep', '3600'],
        ports: [{ name: 'podset', containerPort: 1234 }],
      },
    ]);
  });

  test('a PodSet follows a changed size, down to an empty list', async () => {
    await resize(5);
    await converged(5);
    await resize(0);
    await converged(0);
    expect((await podSet()).status).toEqual({ nodes: [] });
    await resize(2);
    await converged(2);
  });

  test('a Deployment scaled by hand is scaled back', async () => {
    await client.patch(Deployment, 'example', { spec: { replicas: 7 } }, { namespace });
    await eventually(async () => expect((await deployment()).spec?.replicas).toBe(2));
    await converged(2);
  });

  test('a field of the Deployment that is changed by hand is restored', async () => {
    const template = { spec: { containers: [{ name: 'podset', image: 'other' }] } };
    await client.patch(Deployment, 'example', { spec: { template } }, { namespace, type: 'strategic' });
    await eventually(async () => {
      expect((await deployment()).spec?.template.spec?.containers[0]?.image).toBe('busybox');
    });
    await converged(2);
  });

  test('a label that another manager set on the Deployment is kept', async () => {
    await client.patch(Deployment, 'example', { metadata: { labels: { team: 'blue' } } }, { namespace });
    await resize(3);
    await converged(3);
    expect((await deployment()).metadata.labels).toMatchObject({ team: 'blue', app: 'podSet' });
  });

  test('the deleted Deployment of a PodSet is created again', async () => {
    const { uid } = (await deployment()).metadata;
    const former = await podNames();
    await client.delete(Deployment, 'example', { namespace });
    await eventually(async () => expect((await deployment()).metadata.uid).not.toBe(uid));
    await eventually(async () => {
      const names = await podNames();
      expect(names.filter((name) => former.includes(name))).toEqual([]);
    });
    await converged(3);
  });

  test('the status of a PodSet follows a pod that is deleted and its successor', async () => {
    const [first = ''] = await podNames();
    await client.delete(Pod, first, { namespace });
    await eventually(async () => expect(await podNames()).not.toContain(first));
    await converged(3);
  });

  test('a PodSet writes nothing when nothing changed', async () => {
    // Of the deployment only what was applied: Kubernetes writes to it in its own time.
    const written = async () => {
      const { generation, ...metadata } = (await deployment()).metadata;
      const { managedFields } = metadata as { managedFields?: { operation: string }[] };
      const applied = managedFields?.filter(({ operation }) => operation === 'Apply');
      return { podSet: (await podSet()).metadata.resourceVersion, generation, applied };
    };
    const before = await written();
    expect(before.applied).toHaveLength(1);
    await suite.restart();
    await suite.quiet();
    expect(await written()).toEqual(before);
  });

  test('two PodSets in a namespace do not share pods', async () => {
    await client.create(PodSet, { metadata: { name: 'second', namespace }, spec: { size: 1 } });
    await eventually(async () => {
      const { status } = await client.get(PodSet, 'second', { namespace });
      expect(status?.nodes).toHaveLength(1);
    });
    await converged(3);
    await client.delete(PodSet, 'second', { namespace });
  });

  test('a PodSet with a negative or missing size is rejected by the server', async () => {
    await expect(resize(-1)).rejects.toThrow(/spec\.size.*greater than or equal to 0/);
    const incomplete = { metadata: { name: 'incomplete', namespace }, spec: {} };
    await expect(client.create(PodSet, incomplete)).rejects.toThrow(/spec\.size: Required value/);
  });

  test('changes while the operator is down are applied after its start', async () => {
    await suite.kill();
    await resize(4);
    await client.delete(Deployment, 'example', { namespace });
    await suite.start();
    await converged(4);
  });

  test('a kill in the middle of a change leaves nothing incomplete and nothing twice', async () => {
    for (const size of [1, 6, 2]) {
      await resize(size);
      await suite.kill();
      await suite.start();
    }
    await converged(2);
    const replicaSets = await client.list(ReplicaSet, selector);
    expect(replicaSets.items).toHaveLength(1);
  });

  test('a deleted PodSet deletes its Deployment, ReplicaSets and pods', async () => {
    await client.delete(PodSet, 'example', { namespace });
    await eventually(async () => {
      expect((await client.list(Deployment, { namespace })).items).toEqual([]);
      expect((await client.list(ReplicaSet, { namespace })).items).toEqual([]);
      expect((await client.list(Pod, { namespace })).items).toEqual([]);
    }, GARBAGE_COLLECTED);
  });

  test('PodSet needs only the permissions that are generated for it', () => suite.account.expectNoForbiddenCall());
});
