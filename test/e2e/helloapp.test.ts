import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Deployment, Pod, ReplicaSet, type Client } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { HelloApp } from '../../operators/helloapp.js';
import { GARBAGE_COLLECTED, startSuite, type OperatorSuite } from './operator-suite.js';

let suite: OperatorSuite;
let client: Client;
const namespace = 'default';

beforeAll(async () => {
  suite = await startSuite('helloapp');
  client = suite.client;
});
afterAll(() => suite.stop());

const create = (name: string, image: string, size: number) =>
  client.create(HelloApp, { metadata: { name, namespace }, spec: { image, size } });
const change = (spec: object) => client.patch(HelloApp, 'web', { spec }, { namespace });
const podsOf = async (name: string) =>
  (await client.list(Pod, { namespace, labelSelector: `app=helloApp,helloApp_cr=${name}` })).items;

/** Exactly `size` pods of `name` run `image`. */
async function converged(name: string, image: string, size: number): Promise<void> {
  await eventually(
    async () => {
      const pods = await podsOf(name);
      expect(pods.map(({ spec }) => spec?.containers.map((container) => [container.name, container.image]))).toEqual(
        Array.from({ length: size }, () => [['helloapp', image]]),
      );
      const app = await client.get(HelloApp, name, { namespace });
      expect(app.status?.availableReplicas).toBe(size);
    },
    { timeout: '20s' },
  );
}

describe('HelloApp', () => {
  test('a HelloApp runs the given number of pods of the given image, owned by the HelloApp', async () => {
    await create('web', 'nginx:1.28', 2);
    await converged('web', 'nginx:1.28', 2);
    const { metadata } = await client.get(Deployment, 'web', { namespace });
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'HelloApp', name: 'web', controller: true }]);
    expect(metadata.labels).toEqual({ app: 'helloApp', helloApp_cr: 'web' });
  });

  test('a changed image of a HelloApp is rolled out', async () => {
    await change({ image: 'nginx:1.29' });
    await converged('web', 'nginx:1.29', 2);
  });

  test('a HelloApp is scaled up and down', async () => {
    await change({ size: 4 });
    await converged('web', 'nginx:1.29', 4);
    await change({ size: 1 });
    await converged('web', 'nginx:1.29', 1);
  });

  test('the pod count of a HelloApp is corrected when pods or replicas are changed by hand', async () => {
    await client.patch(Deployment, 'web', { spec: { replicas: 5 } }, { namespace, subresource: 'scale' });
    await converged('web', 'nginx:1.29', 1);
    for (const { metadata } of await podsOf('web')) await client.delete(Pod, metadata.name, { namespace });
    await converged('web', 'nginx:1.29', 1);
  });

  test('the deleted Deployment of a HelloApp is created again', async () => {
    await client.delete(Deployment, 'web', { namespace });
    await converged('web', 'nginx:1.29', 1);
  });

  test('two HelloApps in one namespace keep their own pods', async () => {
    await create('other', 'busybox', 2);
    await converged('other', 'busybox', 2);
    await converged('web', 'nginx:1.29', 1);
  });

  test('both fields of a HelloApp are required', async () => {
    const withoutImage = { metadata: { name: 'x', namespace }, spec: { size: 1 } };
    await expect(client.create(HelloApp, withoutImage)).rejects.toThrow(/spec\.image: Required value/);
    const withoutSize = { metadata: { name: 'x', namespace }, spec: { image: 'a' } };
    await expect(client.create(HelloApp, withoutSize)).rejects.toThrow(/spec\.size: Required value/);
  });

  test('an operator that is killed during a rollout finishes it after its start', async () => {
    await change({ image: 'nginx:1.30', size: 3 });
    await suite.kill();
    await change({ size: 2 });
    await suite.start();
    await converged('web', 'nginx:1.30', 2);
  });

  test('a deleted HelloApp takes everything it owns with it and leaves the other alone', async () => {
    await client.delete(HelloApp, 'web', { namespace });
    await eventually(async () => {
      expect((await client.list(Deployment, { namespace })).items.map(({ metadata }) => metadata.name)).toEqual([
        'other',
      ]);
      expect((await client.list(ReplicaSet, { namespace })).items).toHaveLength(1);
      expect(await podsOf('web')).toEqual([]);
    }, GARBAGE_COLLECTED);
    await converged('other', 'busybox', 2);
  });

  test('HelloApp needs only the permissions that are generated for it', () => suite.account.expectNoForbiddenCall());
});
