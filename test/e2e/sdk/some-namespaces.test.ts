import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, loadClusterConfig } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { OperatorProcess, projectRoot } from '../operator-process.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { kubeconfigOf } from '../service-account.js';

const ACCOUNT = 'system:serviceaccount:jicki-system:podset-controller-manager';

let cluster: SuiteControlPlane;
let client: Client;
let operator: OperatorProcess;
beforeAll(async () => {
  cluster = await startSuiteControlPlane({ audit: true });
  const generate = join(projectRoot, 'dist', 'cli', 'bin', 'generate-manifests.js');
  const args = ['operators/podset.ts', '--out', join(cluster.dir, 'manifests'), '--watch-namespace', 'team-a,team-b'];
  await promisify(execFile)(process.execPath, [generate, ...args], { cwd: projectRoot });
  for (const namespace of ['team-a', 'team-b', 'team-c']) await cluster.kubectl(['create', 'namespace', namespace]);
  const manifests = join(cluster.dir, 'manifests');
  await cluster.kubectl([
    'apply',
    '-f',
    join(manifests, 'apps.jicki.cn_podsets.yaml'),
    '-f',
    join(manifests, 'podset'),
  ]);
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  const account = { namespace: 'jicki-system', name: 'podset-controller-manager' };
  operator = await OperatorProcess.start(await kubeconfigOf(cluster, client, account), [
    'operators/podset.ts',
    ...['--namespace', 'team-a', '--namespace', 'team-b'],
    ...['--leader-elect', '--leader-election-namespace', 'jicki-system'],
  ]).started();
});
afterAll(async () => {
  await operator.stop();
  client.close();
  await cluster.stop();
});

const mayList = (namespace: string) =>
  cluster
    .kubectl(['auth', 'can-i', 'list', 'pods', '-n', namespace, `--as=${ACCOUNT}`])
    .then((answer) => answer.trim())
    .catch(() => 'no');

describe('an operator of some namespaces', () => {
  test('an operator of some namespaces does its work in them without a forbidden request', async () => {
    for (const namespace of ['team-a', 'team-b', 'team-c'])
      await cluster.kubectl(['apply', '-n', namespace, '-f', join(projectRoot, 'crds-out', 'samples', 'podset.yaml')]);
    for (const namespace of ['team-a', 'team-b']) {
      await eventually(async () => {
        const nodes = await cluster.kubectl([
          'get',
          'podset',
          'example',
          '-n',
          namespace,
          '-o',
          'jsonpath={.status.nodes}',
        ]);
        expect(JSON.parse(nodes)).toHaveLength(3);
      });
    }
    const calls = (await cluster.auditEvents()).filter(({ user }) => user === ACCOUNT);
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.filter(({ code }) => code === 403)).toEqual([]);
  });

  test('an operator of some namespaces has no permissions elsewhere, and changes nothing there', async () => {
    expect([await mayList('team-a'), await mayList('team-c')]).toEqual(['yes', 'no']);
    expect((await cluster.kubectl(['get', 'deployments', '-n', 'team-c', '-o', 'name'])).trim()).toBe('');
  });
});
