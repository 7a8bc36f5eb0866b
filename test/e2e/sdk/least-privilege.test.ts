import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { eventually } from 'kindwright/testing';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { OperatorProcess, projectRoot } from '../operator-process.js';
import { kubeconfigOf } from './service-account.js';

let cluster: SuiteControlPlane;
beforeAll(async () => {
  cluster = await startSuiteControlPlane({ audit: true });
});
afterAll(() => cluster.stop());

/** The operator's own folder of manifests, and what to do to a sample so that every kind of call is made. */
const OPERATORS = [
  { name: 'podset', namespace: 'podset-system', resource: 'podsets/example', change: { spec: { size: 1 } } },
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
  test('does its work without a single forbidden call', async () => {
    await cluster.kubectl(['apply', '-f', join(projectRoot, 'crds-out', name)]);
    const args = [`operators/${name}.ts`, '--leader-elect', '--leader-election-namespace', namespace];
    const operator = await OperatorProcess.start(await kubeconfigOf(cluster, name, namespace), args).started();
    try {
      await cluster.kubectl(['label', 'node', '--all', 'node-role.kubernetes.io/master=']);
      await cluster.kubectl(['run', 'web', '--image=nginx', '--labels=app=helloApp']).catch(() => undefined); // the next operator finds it there
      await cluster.kubectl(['apply', '-f', join(projectRoot, 'crds-out', 'samples', `${name}.yaml`)]);
      const user = `system:serviceaccount:${namespace}:${name}-controller-manager`;
      const writes = async () =>
        (await cluster.auditEvents()).filter((event) => event.user === user && event.verb !== 'watch');
      await eventually(async () =>
        expect((await writes()).some(({ verb }) => verb === 'create' || verb === 'patch')).toBe(true),
      );
      await cluster.kubectl(['patch', resource, '--type=merge', '-p', JSON.stringify(change)]);
      await cluster.kubectl(['delete', resource, '--timeout=20s']);
      expect(await operator.stop()).toBe(0);
      const calls = (await cluster.auditEvents()).filter((event) => event.user === user);
      expect(calls.length).toBeGreaterThan(5);
      expect(calls.filter(({ code }) => code === 403)).toEqual([]);
    } finally {
      await operator.stop('SIGKILL');
    }
  });
});
