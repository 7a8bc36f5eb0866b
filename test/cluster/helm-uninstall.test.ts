import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client, CustomResourceDefinition, Job, loadClusterConfig, Pod } from 'kindwright';
import { eventually } from 'kindwright/testing';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { TemporaryProject } from '../cli/temporary-project.js';
import { findHelm } from '../controlplane/binaries.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { OperatorProcess } from '../e2e/operator-process.js';
import { kubeconfigOf } from '../e2e/service-account.js';
import { limitTests } from '../time-limits.js';

limitTests(120_000);

const VAULT = `
import { CustomResource, Field, Finalizer, Kind } from 'kindwright';

class VaultSpec {
  @Field({ format: 'int32' }) size?: number;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Vault extends CustomResource {
  @Field({ optional: true }) spec?: VaultSpec;
  reconcile(): void {}

  @Finalizer('demo.example.com/close')
  close(): void {}
}
`;
const Vault: KindRef<UnstructuredObject> = {
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Vault',
  plural: 'vaults',
  scope: 'Namespaced',
};
const namespace = 'vaults';

const project = new TemporaryProject({ 'operators/vault.ts': VAULT });
let cluster: RunningControlPlane;
let client: Client;
let running: OperatorProcess | undefined;
afterEach(() => running?.stop());
beforeAll(async () => {
  cluster = await startControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  const { exitCode, stderr } = await project.run('generate-manifests', ['--layout', 'helm', '--image', 'vault:1']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
}, 600_000);
afterAll(async () => {
  client.close();
  project.remove();
  await cluster.stop();
});

async function helm(...args: string[]): Promise<string> {
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, HOME: project.folder };
  const options = { env, cwd: project.folder };
  return (await promisify(execFile)(await findHelm(), [...args, '--namespace', namespace], options)).stdout;
}

async function startOperator(): Promise<void> {
  const kubeconfig = await kubeconfigOf(cluster, client, { namespace, name: 'vault-controller-manager' });
  running = OperatorProcess.start(kubeconfig, [`${project.folder}/operators/vault.ts`]);
  await running.started();
}

async function createVault(name: string): Promise<void> {
  await client.create(Vault, { metadata: { name, namespace: 'default' } });
  await eventually(async () => {
    const { metadata } = await client.get(Vault, name, { namespace: 'default' });
    expect(metadata.finalizers).toEqual(['demo.example.com/close']);
  });
}

/** Runs the container of the hook's pod, with its account, and reports its end as the kubelet does. */
async function runHook(): Promise<string> {
  const selected = { namespace, labelSelector: 'batch.kubernetes.io/job-name=vault-delete-objects' };
  const pod = await eventually(async () => {
    const [first] = (await client.list(Pod, selected)).items;
    if (!first) throw new Error('the Job has no pod');
    return first;
  });
  const { serviceAccountName: name = '', containers = [] } = pod.spec ?? {};
  const KUBECONFIG = await kubeconfigOf(cluster, client, { namespace, name });
  const { exitCode, stdout, stderr } = await project.run('run-operator', containers[0]?.args ?? [], { KUBECONFIG });
  if (exitCode !== 0) throw new Error(`the hook failed: ${stdout}${stderr}`);
  const where = { namespace, subresource: 'status' } as const;
  await client.patch(Pod, pod.metadata.name, { status: { phase: 'Succeeded' } }, where);
  return stdout + stderr;
}

const definition = () =>
  client.get(CustomResourceDefinition, 'vaults.demo.example.com').then(
    () => 'exists',
    () => 'deleted',
  );

test('the notes of a chart name the objects that cannot be deleted after helm uninstall', async () => {
  const notes = await helm('install', 'vault', 'crds-out/vault/chart', '--create-namespace');
  expect(notes).toContain('Objects of vaults.demo.example.com have finalizers of the operator.');
  expect(notes).toContain('kubectl delete vaults.demo.example.com --all --all-namespaces');
  await startOperator();
  await createVault('kept');
  await running?.stop();
  await helm('uninstall', 'vault');
  expect(await definition()).toBe('exists');
  expect((await client.list(Job, { namespace })).items).toEqual([]);
  expect(await client.get(Vault, 'kept', { namespace: 'default' })).toMatchObject({ metadata: { name: 'kept' } });
});

test('helm uninstall with crds.keep=false deletes the objects while the operator runs, then everything else', async () => {
  // No node runs the pod of the hook, so that this test ends it.
  const values = ['--set', 'crds.keep=false', '--set', 'nodeSelector.none=x'];
  const notes = await helm('install', 'vault', 'crds-out/vault/chart', '--take-ownership', ...values);
  expect(notes).toContain('helm uninstall first deletes all objects of vaults.demo.example.com');
  await startOperator();
  await createVault('first');
  await createVault('second');
  const uninstalled = helm('uninstall', 'vault', '--timeout', '90s');
  expect(await runHook()).toMatch(/No object of vaults\.demo\.example\.com is left/);
  await uninstalled;
  await running?.stop();
  await eventually(async () => expect(await definition()).toBe('deleted'), { timeout: '30s' });
  const left = await cluster.kubectl(['get', 'sa,job,clusterrole,clusterrolebinding', '-A', '--output=name']);
  expect(left).not.toContain('vault');
});
