import { expect, test } from '@jest/globals';
import { Namespace } from 'kindwright';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { ProjectSuite } from './project-suite.js';

const VAULT = `
import { Controller, CustomResource, Finalizer, Kind, Namespace, ObjectController } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Vault extends CustomResource {
  reconcile(): void {}

  @Finalizer('demo.example.com/close')
  close(): void {}
}

@Controller({ for: Namespace, name: 'quotas' })
export class Quotas extends ObjectController<Namespace> {
  reconcile(): void {}

  @Finalizer('demo.example.com/quota')
  release(): void {}
}
`;
const Vault: KindRef<UnstructuredObject> = {
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Vault',
  plural: 'vaults',
  scope: 'Namespaced',
};

const suite = new ProjectSuite({ 'operators/vault.ts': VAULT });

test('undeploy warns about objects whose finalizers nothing removes after the operator', async () => {
  await suite.kindwright('install');
  const finalizers = ['demo.example.com/close'];
  await suite.client.create(Vault, { metadata: { name: 'held', namespace: 'default', finalizers } });
  await suite.client.create(Namespace, { metadata: { name: 'held', finalizers: ['demo.example.com/quota'] } });
  const warnings = async (...args: string[]) => {
    const { exitCode, stderr } = await suite.kindwright('undeploy', '--dry-run', ...args);
    expect(exitCode).toBe(0);
    return stderr.trim().split('\n').sort();
  };
  const nothing = 'warning: after the operator, nothing removes the finalizers';
  const ofNamespaces =
    `${nothing} demo.example.com/quota of 1 object of namespaces, first held: ` +
    `afterwards, run kubectl patch namespaces <name> --type=json --patch='[{"op":"remove","path":"/metadata/finalizers"}]'`;
  expect(await warnings()).toEqual([
    `${nothing} demo.example.com/close of 1 object of vaults.demo.example.com, first default/held: ` +
      'delete the objects first, while it runs, or pass --crds',
    ofNamespaces,
  ]);
  expect(await warnings('--crds')).toEqual([ofNamespaces]);
  await suite.client.patch(Vault, 'held', { metadata: { finalizers: null } }, { namespace: 'default' });
  await suite.client.patch(Namespace, 'held', { metadata: { finalizers: null } });
});
