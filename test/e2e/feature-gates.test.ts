import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, loadClusterConfig } from 'kindwright';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { TemporaryProject } from '../cli/temporary-project.js';
import { OperatorProcess } from './operator-process.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const STORE = `
import { Context, CustomResource, Field, isFeatureEnabled, Kind, type FeatureGate } from 'kindwright';

const BACKUPS: FeatureGate = { name: 'Backups', stage: 'alpha' };

class StoreSpec {
  @Field({ format: 'int32' }) size?: number;
  @Field({ gate: BACKUPS }) backup?: string;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Store extends CustomResource {
  @Field() spec!: StoreSpec;
  reconcile(ctx: Context): void {
    ctx.log.info(isFeatureEnabled(BACKUPS) ? 'backups to ' + this.spec.backup : 'no backups');
  }
}
`;
const Store: KindRef<UnstructuredObject> = {
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Store',
  plural: 'stores',
  scope: 'Namespaced',
};
const project = new TemporaryProject({ 'operators/store.ts': STORE });
let cluster: SuiteControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});
afterAll(async () => {
  client.close();
  project.remove();
  await cluster.stop();
});

/** Runs the operator with its definition installed, while `use` runs. */
async function withOperator(args: readonly string[], use: (operator: OperatorProcess) => Promise<void>): Promise<void> {
  const file = `${project.folder}/operators/store.ts`;
  const operator = await OperatorProcess.start(cluster.kubeconfig, [file, '--install', ...args]).started();
  try {
    await use(operator);
  } finally {
    await operator.stop();
  }
}

async function createStore(name: string): Promise<unknown> {
  const spec = { size: 1, backup: 'bucket' };
  return (await client.create(Store, { metadata: { name, namespace: 'default' }, spec }))['spec'];
}

describe('an operator with a feature gate', () => {
  test('the API server drops fields behind a disabled gate, and reconcile knows that it is disabled', async () => {
    await withOperator([], async (operator) => {
      expect(await operator.logged(/^Feature gates$/)).toMatchObject({ Backups: false });
      expect(await createStore('plain')).toEqual({ size: 1 });
      await operator.logged(/^no backups$/);
    });
  });

  test('--feature-gates adds the field to the definition, and reconcile gets it', async () => {
    await withOperator(['--feature-gates=Backups=true'], async (operator) => {
      expect(await operator.logged(/^Feature gates$/)).toMatchObject({ Backups: true });
      expect(await createStore('saved')).toEqual({ size: 1, backup: 'bucket' });
      await operator.logged(/^backups to bucket$/);
    });
  });

  test('after the gate has been disabled again, the stored field is not read, and the next write removes it', async () => {
    await withOperator([], async () => {
      const where = { namespace: 'default' };
      expect((await client.get(Store, 'saved', where))['spec']).toEqual({ size: 1 });
      await client.patch(Store, 'saved', { spec: { size: 2 } }, where);
    });
    await withOperator(['--feature-gates=AllAlpha=true'], async () => {
      expect((await client.get(Store, 'saved', { namespace: 'default' }))['spec']).toEqual({ size: 2 });
    });
  });
});
