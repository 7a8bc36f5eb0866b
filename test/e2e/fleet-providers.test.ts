import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  Client,
  clusterApiClusters,
  clusterProfiles,
  ConfigMap,
  type Context,
  Controller,
  CustomResourceDefinition,
  kindByName,
  loadClusterConfig,
  Manager,
  Namespace,
  ObjectController,
  Rbac,
  Secret,
} from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';
import { parseYaml } from '../../src/base/yaml.js';
import { grantedRules } from '../../src/manifests/access/granted-rules.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { WorkloadClusters } from '../../docs/examples/fleet-providers.js';
import { RestrictedOperator } from './sdk/restricted-operator.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'fleet-system';
const patience = { timeout: '30s' };
const ClusterProfile = kindByName({ group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'ClusterProfile' });
/** A program that returns the token which the profile passes to it. */
const TOKEN_OF_PROFILE = `
  const { spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
  const status = { token: spec.cluster.config.token };
  console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }));
`;
const execConfig = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: process.execPath,
  args: ['-e', TOKEN_OF_PROFILE],
  provideClusterInfo: true,
};
const Inventory = clusterProfiles({ namespaces: [namespace], providers: [{ name: 'test', execConfig }] });
/** `<replica> <cluster> <object>` of each reconcile. */
const reconciled: string[] = [];
/** The number of running reconciles, by cluster and object. */
const running = new Map<string, number>();
const overlaps: string[] = [];

/** The class of one replica. */
function markerOf(replica: string) {
  @Controller({ for: ConfigMap, name: 'marker', clusters: 'all', cache: { labelSelector: 'fleet=true' } })
  @Rbac(ConfigMap, 'patch', { clusters: true })
  class Marker extends ObjectController<ConfigMap> {
    async reconcile(ctx: Context): Promise<void> {
      const { name, annotations } = this.object.metadata;
      const key = `${String(ctx.clusterName)} ${name}`;
      running.set(key, (running.get(key) ?? 0) + 1);
      if (running.get(key) !== 1) overlaps.push(key);
      try {
        reconciled.push(`${replica} ${key}`);
        if (annotations?.['replica'] !== replica)
          await ctx.patch(ConfigMap, name, { metadata: { annotations: { replica } } });
      } finally {
        running.set(key, running.get(key)! - 1);
      }
    }
  }
  return Marker;
}

let home: SuiteControlPlane;
let admin: Client;
let operator: RestrictedOperator;
let east: Cluster;
let west: Cluster;

beforeAll(async () => {
  [home, east, west] = await Promise.all([
    startSuiteControlPlane(),
    startCluster({ server: 'embedded' }),
    startCluster({ server: 'embedded' }),
  ]);
  admin = new Client(await loadClusterConfig({ kubeconfig: home.kubeconfig }));
  await admin.create(Namespace, { metadata: { name: namespace } });
  await admin.create(CustomResourceDefinition, {
    metadata: {
      name: 'clusterprofiles.multicluster.x-k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/enhancements/issues/4322' },
    },
    spec: {
      group: 'multicluster.x-k8s.io',
      scope: 'Namespaced',
      names: {
        kind: 'ClusterProfile',
        plural: 'clusterprofiles',
        singular: 'clusterprofile',
        listKind: 'ClusterProfileList',
      },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  // The permissions that the classes grant in the namespace of the fleet, and nothing else.
  const rights = buildResourceModels([WorkloadClusters, Inventory]).flatMap((model) =>
    grantedRules(model).map(({ rule }, index) => ({
      name: `rule-${index}`,
      group: rule.apiGroups[0]!,
      resource: rule.resources[0]!,
      verbs: rule.verbs,
    })),
  );
  const leases = {
    name: 'leases',
    group: 'coordination.k8s.io',
    resource: 'leases',
    verbs: ['get', 'list', 'create', 'update', 'delete'],
  };
  operator = await RestrictedOperator.create(admin, namespace, [...rights, leases], false);
});
afterAll(async () => {
  operator.client.close();
  admin.close();
  await Promise.all([home, east, west].map((cluster) => cluster.stop()));
});

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Record<string, unknown> }[];
}

const kubeconfigOf = (cluster: Cluster): Kubeconfig =>
  parseYaml(readFileSync(cluster.kubeconfig, 'utf8'), cluster.kubeconfig) as Kubeconfig;

async function addWorkloadCluster(name: string, cluster: Cluster): Promise<void> {
  await admin.create(Secret, {
    metadata: { name: `${name}-kubeconfig`, namespace, labels: { 'cluster.x-k8s.io/cluster-name': name } },
    type: 'cluster.x-k8s.io/secret',
    stringData: { value: readFileSync(cluster.kubeconfig, 'utf8') },
  });
}

/** A manager that works for one replica. */
class Replica {
  readonly logger = new RecordingLogger();
  readonly manager: Manager;
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>;

  constructor(name: string, options: { readonly sharding?: { readonly name: string } } = {}) {
    const { logger } = this;
    this.manager = new Manager({ client: operator.client, logger, preflight: false, ...options });
    for (const each of [WorkloadClusters, Inventory, markerOf(name)]) this.manager.add(each);
    this.ended = this.manager.run(this.stopping.signal);
  }

  /** The clusters that it caches. */
  get watched(): string[] {
    const started = new Set<string>();
    for (const { message, fields } of this.logger.lines) {
      if (message === 'Watching cluster') started.add(String(fields['cluster']));
      if (message === 'Stopped watching cluster') started.delete(String(fields['cluster']));
    }
    return [...started].sort();
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('the end of the test'));
    await this.ended;
  }
}

const createMap = (cluster: Cluster, name: string) =>
  cluster.create(ConfigMap, { metadata: { name, namespace: 'default', labels: { fleet: 'true' } } });
const markOf = async (cluster: Cluster, name: string) =>
  (await cluster.client.get(ConfigMap, name, { namespace: 'default' })).metadata.annotations?.['replica'];

test('clusters of Cluster API and of ClusterProfiles join and leave, with the permissions of the classes', async () => {
  const replica = new Replica('single');
  const { clusters } = replica.manager;
  await createMap(east, 'first');
  await createMap(west, 'first');
  await addWorkloadCluster('east', east);
  // Another Secret of the same cluster does not contain a kubeconfig.
  await admin.create(Secret, {
    metadata: { name: 'east-ca', namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'east' } },
    type: 'cluster.x-k8s.io/secret',
    stringData: { value: 'a key' },
  });
  await eventually(async () => expect(await markOf(east, 'first')).toBe('single'), patience);
  expect(clusters.names).toEqual([`${namespace}/east`]);

  const profile = await admin.create(ClusterProfile, {
    metadata: { name: 'west', namespace },
    spec: { clusterManager: { name: 'test' } },
  });
  const cluster = { ...kubeconfigOf(west).clusters[0]!.cluster };
  const { auth } = west.client.config;
  const token = auth?.token?.reveal();
  const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { token } }];
  const accessProviders = [
    { name: 'other', cluster: {} },
    { name: 'test', cluster: { ...cluster, extensions } },
  ];
  const access = { status: { accessProviders } };
  await admin.patch(ClusterProfile, profile.metadata.name, access, { namespace, subresource: 'status' });
  await eventually(async () => expect(await markOf(west, 'first')).toBe('single'), patience);
  expect(clusters.names).toEqual([`${namespace}/east`, `${namespace}/west`]);

  // A status that does not concern the access starts nothing again.
  const client = clusters.client(`${namespace}/west`);
  const version = { status: { version: { kubernetes: '1.36.3' } } };
  await admin.patch(ClusterProfile, 'west', version, { namespace, subresource: 'status' });
  await admin.delete(Secret, 'east-kubeconfig', { namespace });
  await eventually(() => expect(clusters.names).toEqual([`${namespace}/west`]), patience);
  expect(clusters.client(`${namespace}/west`)).toBe(client);

  const none = { status: { accessProviders: [{ name: 'other', cluster: {} }] } };
  await admin.patch(ClusterProfile, 'west', none, { namespace, subresource: 'status' });
  await eventually(() => expect(clusters.names).toEqual([]), patience);
  expect(replica.logger.messages('info')).toContain('The ClusterProfile has no known access provider');
  expect(operator.refused).toBe(0);
  await replica.stop();
});

test('a kubeconfig Secret that is rotated is used without a restart', async () => {
  const replica = new Replica('rotating');
  await createMap(east, 'rotated');
  await createMap(west, 'rotated');
  await addWorkloadCluster('moving', east);
  await eventually(async () => expect(await markOf(east, 'rotated')).toBe('rotating'), patience);
  const stringData = { value: readFileSync(west.kubeconfig, 'utf8') };
  await admin.patch(Secret, 'moving-kubeconfig', { stringData }, { namespace });
  await eventually(async () => expect(await markOf(west, 'rotated')).toBe('rotating'), patience);
  await admin.delete(Secret, 'moving-kubeconfig', { namespace });
  await replica.stop();
});

test('replicas with sharding divide the clusters, and each caches only its own', async () => {
  reconciled.length = 0;
  // Chance gives all of them to one replica in one of 30,000 runs.
  const names = Array.from({ length: 16 }, (_, index) => `member-${String(index).padStart(2, '0')}`);
  for (const name of names) await addWorkloadCluster(name, east);
  await createMap(east, 'shared');
  const all = names.map((name) => `${namespace}/${name}`);
  const sharding = { name: 'fleet-shards' };
  const a = new Replica('a', { sharding });
  const b = new Replica('b', { sharding });
  await eventually(() => {
    expect([...a.watched, ...b.watched].sort()).toEqual(all);
    expect(a.watched.length).toBeGreaterThan(0);
    expect(b.watched.length).toBeGreaterThan(0);
  }, patience);
  expect(a.manager.clusters.names).toEqual(all);
  expect(b.manager.clusters.names).toEqual(all);
  await eventually(() => {
    for (const [name, { watched }] of Object.entries({ a, b }))
      for (const cluster of watched) expect(reconciled).toContain(`${name} ${cluster} shared`);
  }, patience);

  const moved = b.watched;
  await b.stop();
  await eventually(() => {
    expect(a.watched).toEqual(all);
    for (const cluster of moved) expect(reconciled).toContain(`a ${cluster} shared`);
  }, patience);
  expect(b.watched).toEqual([]);
  expect(overlaps).toEqual([]);
  await a.stop();
});

test('the class of a provider grants permission to read the Secrets and nothing else, and its controller can have another name', () => {
  const [model] = buildResourceModels([clusterApiClusters({ namespaces: [namespace], name: 'second-fleet' })]);
  expect(model?.controller.name).toBe('second-fleet');
  expect(grantedRules(model!).map(({ rule }) => rule)).toEqual([
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
  ]);
});
