import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, CustomResourceDefinition, loadClusterConfig } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { PodSet } from '../../operators/podset.js';
import { applyFile } from './apply-file.js';
import { OperatorProcess, projectRoot } from './operator-process.js';
import { OperatorAccount } from './operator-account.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

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

const crds = {
  podset: ['apps.jicki.cn_podsets', 'podsets.apps.jicki.cn'],
  helloapp: ['apps.anupam.com_helloapps', 'helloapps.apps.anupam.com'],
  mydemo: ['crddemo.k8s.io_mydemos', 'mydemos.crddemo.k8s.io'],
  nodepool: ['nodes.lailin.xyz_nodepools', 'nodepools.nodes.lailin.xyz'],
  podbugger: ['podbugger.kindwright.dev_podbuggers', 'podbuggers.podbugger.kindwright.dev'],
} as const;
type Name = keyof typeof crds;

describe('an operator that is started before its CRD exists', () => {
  const accounts = new Map<Name, OperatorAccount>();
  const operators = new Map<Name, OperatorProcess>();
  // All of them, then each test: they wait longer and longer between attempts, and can do so at the same time.
  beforeAll(async () => {
    for (const name of Object.keys(crds) as Name[]) {
      const account = await OperatorAccount.install(cluster, client, name, ['CustomResourceDefinition']);
      accounts.set(name, account);
      operators.set(name, OperatorProcess.start(account.kubeconfig, [`operators/${name}.ts`]));
    }
  }, 60_000);
  afterAll(async () => {
    for (const operator of operators.values()) await operator.stop('SIGKILL');
  });

  test.each(Object.entries(crds))('%s reports the missing CRD', async (name, [, crd]) => {
    const operator = operators.get(name as Name)!;
    const line = await operator.logged(/could not find the requested resource/);
    expect(line.level).toBe('error');
    expect(JSON.stringify(line)).toContain(crd);
    expect(operator.messages).not.toContain('Started workers');
  });

  test('an operator starts to work when its CRD is installed', async () => {
    for (const [file] of Object.values(crds)) await applyFile(client, join(projectRoot, 'crds-out', `${file}.yaml`));
    for (const [name, operator] of operators) {
      await operator.started();
      expect(await operator.stop()).toBe(0);
      await accounts.get(name)!.expectNoForbiddenCall();
    }
  });
});

test('an operator whose CRD is missing does not block others in the same process', async () => {
  await client.delete(CustomResourceDefinition, 'podsets.apps.jicki.cn');
  await eventually(async () => expect(await client.serves(PodSet)).toBe(false));
  const operator = OperatorProcess.start(cluster.kubeconfig, ['operators/podset.ts', 'operators/mydemo.ts']);
  try {
    await operator.logged(/could not find the requested resource/);
    const started = await operator.logged(/^Started workers$/);
    expect(started['controller']).toBe('mydemo');
  } finally {
    await operator.stop('SIGKILL');
  }
});
