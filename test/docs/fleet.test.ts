import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Clusters,
  ConfigMap,
  Namespace,
  Secret,
  ServiceAccount,
  type KubeObject,
  type UnstructuredObject,
} from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { FleetMember, SharedConfig } from '../../docs/examples/fleet.js';
import { TeamLabels } from '../../docs/examples/fleet-controller.js';
import { parseYaml, parseYamlDocuments } from '../../src/base/yaml.js';
import { generateManifests } from '../../src/manifests/generate.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { applyObjects } from '../../src/testing/apply-objects.js';
import { modulesOf } from './doc-files.js';

const namespace = 'default';
const MEMBERS = { namespace: 'fleet-system' };
const patience = { timeout: '20s' };
let home: Cluster;
let members: Cluster[];

beforeAll(async () => {
  [home, ...members] = (await Promise.all([1, 2, 3].map(() => startCluster({ server: 'embedded' })))) as [
    Cluster,
    ...Cluster[],
  ];
  await home.create(Namespace, { metadata: { name: MEMBERS.namespace } });
  await home.run(FleetMember, SharedConfig, TeamLabels);
}, 60_000);
afterAll(() => Promise.all([home, ...members].map((cluster) => cluster.stop())));

async function addMember(name: string, kubeconfig: string, place = MEMBERS): Promise<void> {
  const labels = { 'fleet.example.com/kubeconfig': 'true' };
  await home.create(Secret, { metadata: { name, ...place, labels }, stringData: { kubeconfig } });
}
const statusOf = async (name: string) => (await home.client.get(SharedConfig, name, { namespace })).status;
const share = (name: string): Promise<KubeObject> =>
  home.create(SharedConfig, { metadata: { name, namespace }, spec: { data: { greeting: 'hello' } } });

test('docs/clusters.md shows the examples', () => {
  const folder = join(import.meta.dirname, '../../docs/examples');
  const examples = ['fleet.ts', 'fleet-providers.ts', 'fleet-controller.ts'].map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  expect(modulesOf('docs/clusters.md')).toEqual(examples);
});

test('objects are written to the clusters of all kubeconfigs, and an unreachable one delays none of the others', async () => {
  const [first, second] = members as [Cluster, Cluster];
  const text = readFileSync(first.kubeconfig, 'utf8');
  await addMember('first', text);
  await addMember('second', readFileSync(second.kubeconfig, 'utf8'));
  // A Secret of another namespace replaces no cluster.
  await addMember('first', readFileSync(second.kubeconfig, 'utf8'), { namespace });
  await addMember('unreachable', text.replace(/https:\/\/[^\s"]+/, 'https://127.0.0.1:1'));
  await share('shared');
  await eventually(async () => {
    expect(await statusOf('shared')).toEqual({ synced: ['first', 'second'], failed: ['unreachable'] });
  }, patience);
  for (const member of members) {
    expect((await member.client.get(ConfigMap, 'shared', { namespace })).data).toEqual({ greeting: 'hello' });
  }
});

test('the namespaces of all clusters of the fleet are labeled, also after their kubeconfig is read', async () => {
  await home.create(ConfigMap, { metadata: { name: 'teams', namespace }, data: { shop: 'retail', bank: 'finance' } });
  for (const [member, name] of [
    [members[0], 'shop'],
    [members[1], 'bank'],
    [home, 'shop'],
  ] as const) {
    await member?.create(Namespace, { metadata: { name } });
  }
  const teamOf = async (member: Cluster | undefined, name: string) =>
    (await member?.client.get(Namespace, name))?.metadata.labels?.['team'];
  await eventually(async () => {
    expect([await teamOf(members[0], 'shop'), await teamOf(members[1], 'bank')]).toEqual(['retail', 'finance']);
  }, patience);
  expect(await teamOf(home, 'shop')).toBeUndefined();
});

test('a cluster is removed with its Secret', async () => {
  await home.client.delete(Secret, 'unreachable', MEMBERS);
  await home.client.delete(Secret, 'second', MEMBERS);
  await eventually(async () => {
    expect(await statusOf('shared')).toEqual({ synced: ['first'], failed: [] });
  }, patience);
  await members[0]?.create(Namespace, { metadata: { name: 'bank' } });
  await members[1]?.create(Namespace, { metadata: { name: 'shop' } });
  await eventually(async () => {
    expect((await members[0]?.client.get(Namespace, 'bank'))?.metadata.labels?.['team']).toBe('finance');
  }, patience);
  expect((await members[1]?.client.get(Namespace, 'shop'))?.metadata.labels?.['team']).toBeUndefined();
});

test('the generated access to a cluster is enough for a kubeconfig of its account', async () => {
  const [member] = members as [Cluster, Cluster];
  const [model] = buildResourceModels([TeamLabels]);
  const files = generateManifests([{ model: model!, sourceFile: 'docs/examples/fleet-controller.ts' }]);
  const { path, content } = files.find((file) => file.path === 'team-labels/member-cluster/access.yaml')!;
  const objects = parseYamlDocuments(content, path) as UnstructuredObject[];
  await applyObjects(member.client, objects);
  const account = { name: 'team-labels-controller-manager', namespace: 'team-labels-system' };
  const { status } = await member.client.create(
    ServiceAccount,
    { metadata: account, spec: { audiences: [], expirationSeconds: 3600 } },
    { subresource: 'token' },
  );
  const kubeconfig = parseYaml(readFileSync(member.kubeconfig, 'utf8'), member.kubeconfig) as {
    users: { name: string; user: object }[];
  };
  const users = kubeconfig.users.map(({ name }) => ({ name, user: { token: status?.token } }));
  await home.client.delete(Secret, 'first', MEMBERS);
  await addMember('limited', JSON.stringify({ ...kubeconfig, users }));
  await home.client.patch(ConfigMap, 'teams', { data: { library: 'culture' } }, { namespace });
  await member.create(Namespace, { metadata: { name: 'library' } });
  await eventually(async () => {
    expect((await member.client.get(Namespace, 'library')).metadata.labels?.['team']).toBe('culture');
  }, patience);
});

test('a Secret whose kubeconfig changes to another cluster moves the work there', async () => {
  const [first, second] = members as [Cluster, Cluster];
  const kubeconfig = readFileSync(second.kubeconfig, 'utf8');
  await home.client.patch(Secret, 'limited', { stringData: { kubeconfig } }, MEMBERS);
  const teamOf = async (member: Cluster, name: string) =>
    (await member.client.get(Namespace, name)).metadata.labels?.['team'];
  await eventually(async () => {
    expect(await teamOf(second, 'shop')).toBe('retail');
  }, patience);
  await home.client.patch(ConfigMap, 'teams', { data: { moved: 'new' } }, { namespace });
  for (const member of [first, second]) await member.create(Namespace, { metadata: { name: 'moved' } });
  await eventually(async () => {
    expect(await teamOf(second, 'moved')).toBe('new');
  }, patience);
  expect(await teamOf(first, 'moved')).toBeUndefined();
});

test('a program of a kubeconfig is not run', () => {
  const clusters = new Clusters();
  const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'id', interactiveMode: 'Never' } };
  const kubeconfig = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user }],
  };
  expect(() => {
    clusters.setKubeconfig('edge', JSON.stringify(kubeconfig));
  }).toThrow('kubeconfig of cluster edge: exec is not allowed');
  expect(clusters.names).toEqual([]);
});

test('an unknown cluster is an error with the known names', () => {
  const clusters = new Clusters();
  clusters.set('edge', home.client.config);
  expect(() => clusters.client('egde')).toThrow('unknown cluster "egde"');
  expect(clusters.client('edge')).toBe(clusters.client('edge'));
  clusters.close();
  expect(clusters.names).toEqual([]);
});
