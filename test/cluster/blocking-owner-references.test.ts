import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { Client, ClusterRole, Deployment, loadClusterConfig, RuntimeClass, type ObjectMeta } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { applyFile } from '../e2e/apply-file.js';
import { OperatorAccount } from '../e2e/operator-account.js';
import { OperatorProcess, projectRoot } from '../e2e/operator-process.js';

let cluster: RunningControlPlane;
let client: Client;
let operator: OperatorProcess;
const accounts = new Map<string, OperatorAccount>();
beforeAll(async () => {
  const apiserverArgs = ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'];
  cluster = await startControlPlane({ audit: true, apiserverArgs });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  // All kinds before the first use of one: the plugin looks for new ones every 30 s, and refuses those it does not know.
  for (const [name] of OWNERS) accounts.set(name, await OperatorAccount.install(cluster, client, name));
});
afterEach(() => operator.stop());
afterAll(async () => {
  client.close();
  await cluster.stop();
});

interface Owned {
  readonly metadata: ObjectMeta;
}

const namespace = 'default';
const OWNERS: [name: string, owned: () => Promise<Owned>, deleteOwned: () => Promise<unknown>][] = [
  [
    'podset',
    () => client.get(Deployment, 'example', { namespace }),
    () => client.delete(Deployment, 'example', { namespace }),
  ],
  [
    'helloapp',
    () => client.get(Deployment, 'hello', { namespace }),
    () => client.delete(Deployment, 'hello', { namespace }),
  ],
  ['nodepool', () => client.get(RuntimeClass, 'master'), () => client.delete(RuntimeClass, 'master')],
];

/** The role of an operator without the rights on one subresource. */
async function takeAway(operatorName: string, subresource: string): Promise<void> {
  const role = await client.get(ClusterRole, `${operatorName}-manager-role`);
  const rules = role.rules?.filter(({ resources }) => !resources?.some((name) => name.endsWith(subresource))) ?? [];
  expect(rules.length).toBe((role.rules?.length ?? 0) - 1);
  await client.patch(ClusterRole, role.metadata.name, { rules }, { type: 'merge' });
}

describe.each(OWNERS)('under OwnerReferencesPermissionEnforcement %s', (name, owned, deleteOwned) => {
  test('the generated permissions allow owner references that block deletion', async () => {
    const account = accounts.get(name)!;
    operator = await OperatorProcess.start(account.kubeconfig, [`operators/${name}.ts`]).started();
    await applyFile(client, join(projectRoot, 'crds-out', 'samples', `${name}.yaml`));
    await eventually(async () => {
      expect((await owned()).metadata.ownerReferences).toMatchObject([{ controller: true, blockOwnerDeletion: true }]);
    });
    await account.expectNoForbiddenCall();
  });

  test('owner references that block deletion are forbidden without permission to update finalizers', async () => {
    const account = accounts.get(name)!;
    await takeAway(name, '/finalizers');
    operator = await OperatorProcess.start(account.kubeconfig, [`operators/${name}.ts`]).started();
    await deleteOwned();
    await eventually(() => expect(JSON.stringify(operator.lines)).toContain('cannot set blockOwnerDeletion'));
    await eventually(async () => expect((await account.calls()).some(({ code }) => code === 403)).toBe(true));
    await expect(owned()).rejects.toThrow(/not found/);
  });
});
