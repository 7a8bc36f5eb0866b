import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, loadClusterConfig } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { OperatorProcess, projectRoot } from '../operator-process.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { kubeconfigOf } from '../service-account.js';

/** A refused list is repeated after up to 30 s. */
const RETRIED = { timeout: '60s' };

let cluster: SuiteControlPlane;
let client: Client;
let operator: OperatorProcess;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await cluster.kubectl(['create', 'namespace', 'team-a']);
  await installRoles('team-a');
  const account = { namespace: 'jicki-system', name: 'podset-controller-manager' };
  operator = await OperatorProcess.start(await kubeconfigOf(cluster, client, account), [
    'operators/podset.ts',
    ...['--namespace', 'team-a', '--namespace', 'team-b'],
  ]).started();
});
afterAll(async () => {
  await operator.stop();
  client.close();
  await cluster.stop();
});

async function installRoles(...namespaces: string[]): Promise<void> {
  const generate = join(projectRoot, 'dist', 'cli', 'bin', 'generate-manifests.js');
  const manifests = join(cluster.dir, 'manifests');
  const args = ['operators/podset.ts', '--out', manifests, '--watch-namespace', namespaces.join(',')];
  await promisify(execFile)(process.execPath, [generate, ...args], { cwd: projectRoot });
  const files = [join(manifests, 'apps.jicki.cn_podsets.yaml'), join(manifests, 'podset')];
  await cluster.kubectl(['apply', ...files.flatMap((file) => ['-f', file])]);
}

const createPodSet = (namespace: string) =>
  cluster.kubectl(['apply', '-n', namespace, '-f', join(projectRoot, 'crds-out', 'samples', 'podset.yaml')]);

const deploymentsIn = async (namespace: string) =>
  (await cluster.kubectl(['get', 'deployments', '-n', namespace, '-o', 'name'])).trim();

test('a watched namespace that does not exist does not stop the others, and is served once it can be read', async () => {
  await createPodSet('team-a');
  await eventually(async () => expect(await deploymentsIn('team-a')).not.toBe(''));
  await operator.logged(/^A watched namespace cannot be read/);
  await cluster.kubectl(['create', 'namespace', 'team-b']);
  await createPodSet('team-b');
  await installRoles('team-a', 'team-b');
  await eventually(async () => expect(await deploymentsIn('team-b')).not.toBe(''), RETRIED);
  await operator.logged(/^A watched namespace can be read now/);
});
