import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from '../../cli/temporary-project.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { OperatorProcess } from '../operator-process.js';

const GAUGE = `
import { CustomResource, Kind } from 'kindwright';
import type { Context } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  async reconcile(ctx: Context): Promise<void> {
    ctx.log.info('hangs');
    await new Promise(() => undefined);
  }
}
`;

const OTHER_GAUGE = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'others.demo.example.com' },
  spec: {
    group: 'demo.example.com',
    scope: 'Namespaced',
    names: { plural: 'others', singular: 'other', kind: 'Gauge', listKind: 'GaugeList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

let cluster: SuiteControlPlane;
let project: TemporaryProject;
let operator: OperatorProcess;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  project = new TemporaryProject({ 'gauge.ts': GAUGE });
});
afterEach(async () => {
  await operator.stop('SIGKILL');
  await cluster.kubectl(['delete', 'crd', '--all', '--timeout=30s']);
});
afterAll(async () => {
  project.remove();
  await cluster.stop();
});

const run = (file: string, ...args: string[]) => {
  operator = OperatorProcess.start(cluster.kubeconfig, [file, ...args]);
  return operator;
};
const gauge = () => join(project.folder, 'gauge.ts');

describe('run-operator --install', () => {
  test('run-operator --install installs the CRD before anything else, and exits cleanly', async () => {
    await run('operators/podset.ts', '--install').started();
    expect(operator.messages.slice(0, 2)).toEqual([
      'Options',
      'CustomResourceDefinition podsets.apps.jicki.cn is installed',
    ]);
    expect(await cluster.kubectl(['get', 'podsets'])).toBe('');
    expect(await operator.stop()).toBe(0);
  });

  test('run-operator --install accepts a CRD that exists', async () => {
    await run('operators/podset.ts', '--install').started();
    await operator.stop();
    await run('operators/podset.ts', '--install').started();
  });

  test('run-operator --install waits for an API server that cannot be reached', async () => {
    await cluster.stopPart('apiserver');
    run('operators/podset.ts', '--install');
    await operator.logged(/cannot reach .*; trying again in/);
    await cluster.startPart('apiserver');
    await operator.started();
  });

  test('run-operator --install exits when another CRD has the names, and reports it', async () => {
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(OTHER_GAUGE));
    run(gauge(), '--install');
    expect(
      await operator.logged(/^CustomResourceDefinition gauges\.demo\.example\.com: .*already in use/),
    ).toMatchObject({
      level: 'error',
      code: 'E_NAMES_TAKEN',
      hint: expect.stringContaining('Gauge'),
    });
    expect(await operator.ended()).toBe(1);
  });

  test('run-operator --install exits without permission, with the user and the missing permission', async () => {
    operator = OperatorProcess.start(await cluster.user('nobody'), ['operators/podset.ts', '--install']);
    const { msg } = await operator.logged(/customresourcedefinitions/);
    expect(msg).toMatch(/nobody.*cannot get/);
    expect(await operator.ended()).toBe(1);
  });
});

test('a second signal ends the operator immediately, although a reconcile is running', async () => {
  await run(gauge(), '--install').started();
  const object = { apiVersion: 'demo.example.com/v1', kind: 'Gauge', metadata: { name: 'example' } };
  await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(object));
  await operator.logged(/^hangs$/);
  const ended = operator.stop('SIGTERM');
  await operator.logged(/^Shutting down workers$/);
  void operator.stop('SIGTERM');
  expect(await ended).toBe(143);
});
