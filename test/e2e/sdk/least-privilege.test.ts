import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { Client, loadClusterConfig } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { OperatorProcess, projectRoot } from '../operator-process.js';
import { OperatorAccount } from '../operator-account.js';

let cluster: SuiteControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startSuiteControlPlane({ audit: true });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

/** The operator's own folder of manifests, and what to do to a sample so that every kind of call is made. */
const OPERATORS = [
  { name: 'podset', namespace: 'jicki-system', resource: 'podsets/example', change: { spec: { size: 1 } } },
  { name: 'helloapp', namespace: 'demo-operator-system', resource: 'helloapps/hello', change: { spec: { size: 1 } } },
  { name: 'mydemo', namespace: 'mydemo-system', resource: 'mydemos/example-mydemo', change: { spec: { port: 9090 } } },
  {
    name: 'nodepool',
    namespace: 'nodepool-system',
    resource: 'nodepools/master',
    change: { spec: { handler: 'kata' } },
  },
  {
    name: 'podbugger',
    namespace: 'podbugger-system',
    resource: 'podbuggers/example',
    change: { spec: { image: 'alpine' } },
  },
];

describe.each(OPERATORS)('$name under its generated ServiceAccount', ({ name, namespace, resource, change }) => {
  test(`${name} does its work under its generated ServiceAccount without a forbidden request`, async () => {
    const account = await OperatorAccount.install(cluster, client, name);
    const args = [`operators/${name}.ts`, '--leader-elect', '--leader-election-namespace', namespace];
    const operator = await OperatorProcess.start(account.kubeconfig, args).started();
    try {
      await cluster.kubectl(['label', 'node', '--all', 'node-role.kubernetes.io/master=']);
      await cluster.kubectl(['run', 'web', '--image=nginx', '--labels=app=helloApp']).catch(() => undefined); // the next operator finds it there
      await cluster.kubectl(['apply', '-f', join(projectRoot, 'crds-out', 'samples', `${name}.yaml`)]);
      const writes = async () => (await account.calls()).filter(({ verb }) => verb === 'create' || verb === 'patch');
      await eventually(async () => expect(await writes()).not.toEqual([]));
      await cluster.kubectl(['patch', resource, '--type=merge', '-p', JSON.stringify(change)]);
      await cluster.kubectl(['delete', resource, '--timeout=20s']);
      expect(await operator.stop()).toBe(0);
      await account.expectNoForbiddenCall();
    } finally {
      await operator.stop('SIGKILL');
    }
  });
});
