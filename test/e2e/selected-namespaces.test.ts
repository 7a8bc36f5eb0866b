import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  type Context,
  CustomResource,
  Dependent,
  type Desired,
  Kind,
  loadClusterConfig,
  Namespace,
  NotFoundError,
  RoleBinding,
  Secret,
  ServiceAccount,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { operatorRoles } from '../../src/manifests/access/operator-roles.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { kubeconfigOf } from './service-account.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const NAME = 'selecting';
const PATIENCE = { timeout: '40s' };

/** Owns a ConfigMap, and waits for a Secret of another. */
@Kind({ group: 'selected.example.com', version: 'v1' })
class Note extends CustomResource {
  @Dependent(Secret, { observeOnly: true })
  key(): Desired<Secret> {
    return { metadata: { name: `${this.metadata.name}-key` } };
  }

  @Dependent(ConfigMap)
  text(): Desired<ConfigMap> {
    return { metadata: { name: this.metadata.name } };
  }

  @Dependent(ConfigMap, { dependsOn: ['key'] })
  secretText(_ctx: Context): Desired<ConfigMap> {
    return { metadata: { name: `${this.metadata.name}-secret` } };
  }
}

const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole' };
const subjects = [{ kind: 'ServiceAccount', name: NAME, namespace: 'default' }];
const labels = { team: 'x' };
let cluster: SuiteControlPlane;
let client: Client;
let operator: Client;
let manager: RunningManager;

const bind = (namespace: string) =>
  client.create(RoleBinding, { metadata: { name: NAME, namespace }, roleRef: { ...roleRef, name: NAME }, subjects });
const create = (name: string, namespace: string) => client.create(Note, { metadata: { name, namespace } });
const isWritten = (name: string, namespace: string) =>
  eventually(() => client.get(ConfigMap, name, { namespace }), PATIENCE);
const isMissing = (name: string, namespace: string) =>
  expect(client.get(ConfigMap, name, { namespace })).rejects.toBeInstanceOf(NotFoundError);

/** With the rights in the namespaces `sel-a` and `sel-b` only. */
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Note]);
  await client.create(ServiceAccount, { metadata: { name: NAME, namespace: 'default' } });
  const models = buildResourceModels([Note]);
  for (const { rules } of operatorRoles({ name: NAME, models, watchNamespaces: [] }))
    await client.create(ClusterRole, { metadata: { name: NAME }, rules: [...rules] });
  const namespaces = { apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch'] };
  await client.create(ClusterRole, { metadata: { name: 'namespaces' }, rules: [namespaces] });
  await client.create(ClusterRoleBinding, {
    metadata: { name: NAME },
    roleRef: { ...roleRef, name: 'namespaces' },
    subjects,
  });
  await client.create(Namespace, { metadata: { name: 'sel-a', labels } });
  await client.create(Namespace, { metadata: { name: 'sel-b' } });
  await client.create(Namespace, { metadata: { name: 'sel-c', labels } });
  await client.create(Namespace, { metadata: { name: 'other', labels } });
  for (const namespace of ['sel-a', 'sel-b', 'other']) await bind(namespace);
  const kubeconfig = await kubeconfigOf(cluster, client, { name: NAME, namespace: 'default' });
  operator = new Client(await loadClusterConfig({ kubeconfig }));
  for (const namespace of ['sel-a', 'sel-b', 'sel-c', 'other']) await create('first', namespace);
  manager = new RunningManager(operator, [Note], { namespaceSelector: 'team=x', namespacePatterns: ['sel-*'] });
  await manager.workersStarted();
});
afterAll(async () => {
  await manager.stop();
  operator.close();
  client.close();
  await cluster.stop();
});

test('the objects of selected namespaces are reconciled, although one of them cannot be read, and no others', async () => {
  await isWritten('first', 'sel-a');
  await manager.logged(/A watched namespace cannot be read/);
  await create('second', 'sel-a');
  await isWritten('second', 'sel-a');
  for (const namespace of ['sel-b', 'sel-c', 'other']) await isMissing('first', namespace);
});

test('a namespace joins when it gets the label, with the objects that it has, and what they observe', async () => {
  await client.patch(Namespace, 'sel-b', { metadata: { labels } });
  await isWritten('first', 'sel-b');
  await client.create(Secret, { metadata: { name: 'first-key', namespace: 'sel-b' } });
  await isWritten('first-secret', 'sel-b');
  await create('third', 'sel-a');
  await isWritten('third', 'sel-a');
});

test('a namespace leaves when it loses the label', async () => {
  await client.patch(Namespace, 'sel-b', { metadata: { labels: { team: null } } });
  await eventually(() => {
    const lines = manager.logger.lines.filter(({ message }) => message === 'The watched namespaces have changed');
    expect(lines.at(-1)?.fields['left']).toEqual(['sel-b']);
  });
  await create('fourth', 'sel-b');
  await create('fourth', 'sel-a');
  await isWritten('fourth', 'sel-a');
  await isMissing('fourth', 'sel-b');
});

test('a namespace that could not be read is reconciled when the rights are granted, and a new one when it is created', async () => {
  await bind('sel-c');
  await isWritten('first', 'sel-c');
  await client.create(Namespace, { metadata: { name: 'sel-d', labels } });
  await bind('sel-d');
  await create('first', 'sel-d');
  await isWritten('first', 'sel-d');
  // The watch of notes can get its rights before that of Secrets, so that a first reconcile fails.
  for (const { level, message, fields } of manager.logger.lines)
    if (level === 'error') expect(`${message} ${String(fields['err'])}`).toMatch(/in the namespace "sel-[cd]"/);
});
