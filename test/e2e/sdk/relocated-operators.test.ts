import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Deployment, loadClusterConfig, type UnstructuredObject } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { CertificateSource } from '../../../src/manifests/operator.js';
import { writeManifests } from '../../../src/manifests/output/write.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { applyObjects } from '../../../src/testing/apply-objects.js';
import { limitTests } from '../../time-limits.js';
import { kubeconfigOf } from '../service-account.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { GuardedSet, GuardedSetV1Beta1 } from './guarded-set.js';
import { RunningManager } from './running-manager.js';
import { ServiceBalancer } from './service-balancer.js';

limitTests(240_000);

const OVERLAY = 'namePrefix: eu-\nnameSuffix: -v2\nnamespace: team-a\n';
const out = mkdtempSync(join(tmpdir(), 'kindwright-relocated-'));
let cluster: SuiteControlPlane;
let admin: Client;
let service: ServiceBalancer;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  admin = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  service = await ServiceBalancer.start();
});
afterAll(async () => {
  admin.close();
  await service.stop();
  await cluster.stop();
  rmSync(out, { recursive: true });
});

/** Writes the layout kustomize, and returns the folder of its default kustomization. */
function write(certificates: CertificateSource): string {
  const models = buildResourceModels([GuardedSet, GuardedSetV1Beta1]);
  const sources = models.map((model) => ({ model, sourceFile: 'guardedset.ts' }));
  const folder = join(out, certificates);
  writeManifests(generateManifests(sources, { layout: 'kustomize', certificates }), folder);
  return join(folder, 'guardedset', 'config', 'default');
}

async function built(folder: string): Promise<UnstructuredObject[]> {
  return parseYamlDocuments(await cluster.kubectl(['kustomize', folder]), 'output') as UnstructuredObject[];
}

async function relocated(): Promise<UnstructuredObject[]> {
  write('self');
  const overlay = join(out, 'overlay');
  mkdirSync(overlay, { recursive: true });
  writeFileSync(join(overlay, 'kustomization.yaml'), `${OVERLAY}resources: [../self/guardedset/config/default]\n`);
  return built(overlay);
}

/** The object with the Service as a name of this host, and the port of the balancer; pods have no network here. */
function atBalancer(object: UnstructuredObject): UnstructuredObject {
  if (object.kind === 'Service') return { ...object, spec: { type: 'ExternalName', externalName: 'localhost' } };
  return JSON.parse(JSON.stringify(object), (key, value: unknown) =>
    key === 'service' ? { ...(value as object), port: service.port } : value,
  ) as UnstructuredObject;
}

/** The values of an option of the operator in its Deployment. */
function argumentsOf(objects: readonly UnstructuredObject[], option: string): string[] {
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as unknown as Deployment;
  const { args = [] } = deployment.spec!.template.spec!.containers[0]!;
  return args.flatMap((arg, index) => (args[index - 1] === option ? [arg] : []));
}

test('an operator that an overlay of kustomize renames and moves serves its webhooks with its own permissions', async () => {
  const objects = await relocated();
  await applyObjects(admin, objects.filter(({ kind }) => kind !== 'Deployment').map(atBalancer));
  const account = { namespace: 'team-a', name: 'eu-guardedset-controller-manager-v2' };
  const client = new Client(await loadClusterConfig({ kubeconfig: await kubeconfigOf(cluster, admin, account) }));
  const objectNames = argumentsOf(objects, '--webhook-object');
  const manager = new RunningManager(client, [GuardedSet], {
    webhooks: { bindAddress: '127.0.0.1:0', authority: { client, operator: 'guardedset', objectNames } },
    leaderElection: false,
  });
  service.ready.add(Number((await manager.logged(/^Serving webhooks$/)).fields.port));
  const created = await eventually(
    () =>
      admin.create(GuardedSetV1Beta1, { metadata: { generateName: 'a-', namespace: 'default' }, replicas: 'small' }),
    { timeout: '50s' },
  );
  expect(created).toMatchObject({ replicas: 'small', zone: 'a' });
  await manager.stop();
  client.close();
});

test('the objects that an overlay renames refer to each other', async () => {
  const objects = await relocated();
  const text = JSON.stringify(objects.filter(({ kind }) => kind !== 'Namespace'));
  const names = [...text.matchAll(/"([a-z-]*guardedset-(?:webhook|mutating|validating|controller)[a-z0-9-]*)"/g)];
  expect(names.map(([, name = '']) => name).filter((name) => !name.startsWith('eu-'))).toEqual([]);
  expect(text).not.toContain('guardedset-system');
});

test('the certificates of cert-manager follow names that the default kustomization sets', async () => {
  const folder = write('cert-manager');
  const file = join(folder, 'kustomization.yaml');
  writeFileSync(file, OVERLAY + readFileSync(file, 'utf8'));
  const objects = await built(folder);
  const certificate = objects.find(({ kind }) => kind === 'Certificate');
  expect(certificate?.['spec']).toMatchObject({
    dnsNames: [
      'eu-guardedset-webhook-service-v2.team-a.svc',
      'eu-guardedset-webhook-service-v2.team-a.svc.cluster.local',
    ],
    issuerRef: { name: 'eu-guardedset-selfsigned-issuer-v2' },
  });
  const annotated = objects.flatMap(({ metadata }) => metadata.annotations?.['cert-manager.io/inject-ca-from'] ?? []);
  expect(annotated).toEqual(Array(3).fill('team-a/eu-guardedset-serving-cert-v2'));
});
