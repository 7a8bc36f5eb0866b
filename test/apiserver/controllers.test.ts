import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configMap, TestServer, type Reply } from './api-client.js';

let api: TestServer;
let namespaces = 0;

beforeAll(async () => {
  api = await TestServer.start({ withoutControllers: false });
});
afterAll(() => api.stop());

async function newNamespace(): Promise<string> {
  const name = `n${++namespaces}`;
  await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

async function newDeployment(namespace: string, replicas: number): Promise<string> {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await api.send('POST', path, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas, selector: { matchLabels: labels }, template },
  });
  return `${path}/web`;
}

const count = ({ body }: Reply): number => (body.items as unknown as unknown[]).length;
const hasReady =
  (wanted: number) =>
  ({ body }: Reply): boolean =>
    Number(body.status?.readyReplicas ?? 0) === wanted;

describe('a Deployment', () => {
  test('a Deployment creates pods that run on nodes', async () => {
    const namespace = await newNamespace();
    await api.until(await newDeployment(namespace, 3), hasReady(3));
    const { body } = await api.send('GET', `/api/v1/namespaces/${namespace}/pods`);
    const phases = (body.items as unknown as { spec: { nodeName: string }; status: { phase: string } }[]).map(
      ({ spec, status }) => `${status.phase} ${typeof spec.nodeName}`,
    );
    expect(phases).toEqual(['Running string', 'Running string', 'Running string']);
  });

  test('a Deployment is scaled by its scale subresource', async () => {
    const path = await newDeployment(await newNamespace(), 1);
    await api.until(path, hasReady(1));
    await api.patch(`${path}/scale`, 'merge', { spec: { replicas: 2 } });
    expect((await api.until(path, hasReady(2))).body.status!.replicas).toBe(2);
  });

  test('a Deployment replaces a deleted pod', async () => {
    const namespace = await newNamespace();
    const path = await newDeployment(namespace, 1);
    await api.until(path, hasReady(1));
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const [old] = (await api.send('GET', pods)).body.items as unknown as { metadata: { name: string; uid: string } }[];
    await api.send('DELETE', `${pods}/${old!.metadata.name}`);
    const reply = await api.until(
      pods,
      (list) => count(list) === 1 && !JSON.stringify(list.body).includes(old!.metadata.uid),
    );
    expect(count(reply)).toBe(1);
  });

  test('a deleted Deployment deletes its ReplicaSets and pods', async () => {
    const namespace = await newNamespace();
    const path = await newDeployment(namespace, 2);
    await api.until(path, hasReady(2));
    await api.send('DELETE', path);
    await api.until(`/apis/apps/v1/namespaces/${namespace}/replicasets`, (list) => count(list) === 0);
    expect(count(await api.until(`/api/v1/namespaces/${namespace}/pods`, (list) => count(list) === 0))).toBe(0);
  });

  test('a Deployment that is deleted with Orphan keeps its ReplicaSets and pods', async () => {
    const namespace = await newNamespace();
    const path = await newDeployment(namespace, 1);
    await api.until(path, hasReady(1));
    await api.send('DELETE', path, { propagationPolicy: 'Orphan' });
    await api.until(path, ({ code }) => code === 404);
    expect(count(await api.send('GET', `/apis/apps/v1/namespaces/${namespace}/replicasets`))).toBe(1);
  });

  test('a Deployment that is deleted in the foreground is removed after its dependents', async () => {
    const namespace = await newNamespace();
    const path = await newDeployment(namespace, 1);
    await api.until(path, hasReady(1));
    expect((await api.send('DELETE', path, { propagationPolicy: 'Foreground' })).code).toBe(200);
    await api.until(path, ({ code }) => code === 404);
    expect(count(await api.send('GET', `/apis/apps/v1/namespaces/${namespace}/replicasets`))).toBe(0);
  });
});

describe('a namespace', () => {
  test('a namespace has a default service account', async () => {
    const namespace = await newNamespace();
    expect(
      (await api.until(`/api/v1/namespaces/${namespace}/serviceaccounts/default`, ({ code }) => code === 200)).code,
    ).toBe(200);
  });

  test('a deleted namespace is emptied and removed', async () => {
    const namespace = await newNamespace();
    await api.send('POST', `/api/v1/namespaces/${namespace}/configmaps`, configMap('a'));
    await api.send('DELETE', `/api/v1/namespaces/${namespace}`);
    expect((await api.until(`/api/v1/namespaces/${namespace}`, ({ code }) => code === 404)).code).toBe(404);
  });
});

test('a child of an owner in another namespace is deleted', async () => {
  const [first, second] = [await newNamespace(), await newNamespace()];
  const owner = await api.send('POST', `/api/v1/namespaces/${first}/configmaps`, configMap('owner'));
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.body.metadata!.uid };
  await api.send(
    'POST',
    `/api/v1/namespaces/${second}/configmaps`,
    configMap('child', {}, { ownerReferences: [reference] }),
  );
  expect((await api.until(`/api/v1/namespaces/${second}/configmaps/child`, ({ code }) => code === 404)).code).toBe(404);
});
