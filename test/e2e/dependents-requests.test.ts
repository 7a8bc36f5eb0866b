import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  ClusterRoleBinding,
  ConfigMap,
  CustomResource,
  Dependent,
  Deployment,
  type Desired,
  type Job,
  Kind,
  loadClusterConfig,
  Secret,
  ServiceAccount,
  StatefulSet,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { WebApp } from '../../docs/examples/web-app.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { kubeconfigOf } from './service-account.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const OPERATOR = { namespace, name: 'web-app' };
const READS = /^(list|watch) |selfsubject/;

/** A kind with a dependent with empty lists: one atomic, the others of type map. */
@Kind({ group: 'lists.example.com', version: 'v1' })
class Proxy extends CustomResource {
  @Dependent(Deployment)
  deployment(): Desired<Deployment> {
    const { name } = this.metadata;
    const matchLabels = { app: name };
    const container = { name: 'proxy', image: 'proxy', args: [], env: [], ports: [] };
    const template = { metadata: { labels: matchLabels }, spec: { containers: [container], volumes: [] } };
    return { metadata: { name }, spec: { selector: { matchLabels }, template } };
  }
}

let cluster: SuiteControlPlane;
let client: Client;
let ownClient: Client;
let manager: RunningManager;
let before: Record<string, number> = {};

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ audit: true, parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [WebApp, Proxy]);
  await client.create(ServiceAccount, { metadata: OPERATOR });
  await client.create(ClusterRoleBinding, {
    metadata: { name: 'web-app' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', ...OPERATOR }],
  });
  ownClient = new Client(await loadClusterConfig({ kubeconfig: await kubeconfigOf(cluster, client, OPERATOR) }));
  manager = await RunningManager.start(ownClient, [WebApp, Proxy]);
});
afterAll(async () => {
  await manager.stop();
  ownClient.close();
  client.close();
  await cluster.stop();
});

async function total(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { user, verb, resource = '', subresource } of await cluster.auditEvents()) {
    const request = `${verb} ${[resource, subresource].filter(Boolean).join('/')}`;
    if (user !== `system:serviceaccount:${namespace}:web-app` || READS.test(request)) continue;
    counts[request] = (counts[request] ?? 0) + 1;
  }
  return counts;
}

/** Asserts the requests of the operator during a step, and after it has had time to send more. */
async function expectSent(step: () => Promise<unknown>, expected: Record<string, number>): Promise<void> {
  before = await total();
  await step();
  const sent = async (): Promise<Record<string, number>> => {
    const counts = Object.entries(await total()).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  };
  await eventually(async () => expect(await sent()).toEqual(expected));
  // A later reconcile of the operator shows that it has seen everything.
  await client.patch(WebApp, 'shop', { metadata: { labels: { seen: String(Date.now()) } } }, { namespace });
  await new Promise((resolve) => setTimeout(resolve, 1000)); // the absence of a write cannot be waited for
  expect(await sent()).toEqual(expected);
}

const restart = async (): Promise<void> => {
  await manager.stop();
  manager = await RunningManager.start(ownClient, [WebApp, Proxy]);
};
const setStatus = (kind: typeof StatefulSet | typeof Job, name: string, status: object) =>
  client.patch(kind, name, { status }, { namespace, subresource: 'status' });

test('a new object has one write of each dependent without dependencies, and of its conditions', async () => {
  const spec = { image: 'shop:1', replicas: 2, queues: ['mail', 'orders'] };
  await expectSent(() => client.create(WebApp, { metadata: { name: 'shop', namespace }, spec }), {
    'patch configmaps': 1,
    'create secrets': 1,
    'patch statefulsets': 1,
    'patch webapps/status': 1,
  });
});

test('a dependent that becomes ready has one write of each dependent that waited for it', async () => {
  await expectSent(() => setStatus(StatefulSet, 'shop-database', { replicas: 1, readyReplicas: 1 }), {
    'create jobs': 1,
    'patch webapps/status': 1,
  });
});

test('a restart with everything in place has no write', async () => {
  await expectSent(restart, {});
});

test('a change of fields that are not those of the operator has no write', async () => {
  const note = { metadata: { annotations: { 'example.com/note': 'x' } } };
  const interfere = async (): Promise<void> => {
    for (const kind of [ConfigMap, Secret, WebApp]) await client.patch(kind, 'shop', note, { namespace });
    await client.patch(StatefulSet, 'shop-database', note, { namespace });
    await client.patch(StatefulSet, 'shop-database', { spec: { minReadySeconds: 1 } }, { namespace });
  };
  await expectSent(interfere, {});
});

test('a changed object has one write of each changed dependent', async () => {
  const change = { spec: { settings: { color: 'red' } } };
  await expectSent(() => client.patch(WebApp, 'shop', change, { namespace }), {
    'patch configmaps': 1,
    'patch webapps/status': 1,
  });
});

test('dependents with empty lists are applied once for their kind after a restart, not once for each object', async () => {
  const names = ['one', 'two', 'three'];
  const create = () => Promise.all(names.map((name) => client.create(Proxy, { metadata: { name, namespace } })));
  await expectSent(create, { 'patch deployments': 3 });
  await expectSent(restart, { 'patch deployments': 1 });
});
