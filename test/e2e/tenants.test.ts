import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  type Context,
  Controller,
  CustomResource,
  Field,
  ForbiddenError,
  Kind,
  loadClusterConfig,
  Namespace,
  NotFoundError,
  Role,
  RoleBinding,
  ServiceAccount,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { grantedClient } from './granted-account.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'team-a';

class BundleSpec {
  @Field() serviceAccountName!: string;
  @Field({ optional: true }) from?: string;
}

class BundleStatus {
  @Field({ optional: true }) result?: string;
}

/** Writes a ConfigMap with the rights of the tenant, and reads what the operator alone may read. */
@Kind({ group: 'tenants.example.com', version: 'v1' })
@Controller({ impersonate: true })
class Bundle extends CustomResource {
  @Field() spec!: BundleSpec;
  @Field() status!: BundleStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { serviceAccountName: serviceAccount, from } = this.spec;
    try {
      const tenant = ctx.as({ serviceAccount, ...(from !== undefined && { namespace: from }) });
      await tenant.apply(ConfigMap, { metadata: { name: this.metadata.name, namespace } });
      const refused: string[] = [];
      await tenant.list(Bundle, { namespace }).catch((error: unknown) => refused.push(refusalOf(error)));
      try {
        for await (const _ of tenant.watch(Bundle, { namespace })) break;
      } catch (error) {
        refused.push(refusalOf(error));
      }
      this.status.result = `written; ${refused.join(' ')}`;
    } catch (error) {
      this.status.result = (error as Error).message;
      throw error;
    }
  }
}

function refusalOf(error: unknown): string {
  return error instanceof ForbiddenError ? (/cannot (\w+)/.exec(error.message)?.[1] ?? '') : String(error);
}

let cluster: SuiteControlPlane;
let client: Client;
let operator: Client;
let manager: RunningManager;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Bundle]);
  await client.create(Namespace, { metadata: { name: namespace } });
  for (const name of ['deployer', 'reader']) await client.create(ServiceAccount, { metadata: { name, namespace } });
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch'] }];
  await client.create(Role, { metadata: { name: 'deployer', namespace }, rules });
  await client.create(RoleBinding, {
    metadata: { name: 'deployer', namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'deployer' },
    subjects: [{ kind: 'ServiceAccount', name: 'deployer', namespace }],
  });
  operator = await grantedClient(cluster, client, 'tenants', [Bundle]);
  manager = await RunningManager.start(operator, [Bundle]);
});
afterAll(async () => {
  await manager.stop();
  operator.close();
  client.close();
  await cluster.stop();
});

const create = (name: string, spec: BundleSpec) => client.create(Bundle, { metadata: { name, namespace }, spec });
const hasResult = (name: string, result: unknown) =>
  eventually(async () => expect((await client.get(Bundle, name, { namespace })).status?.result).toEqual(result));

test('the rights of the ServiceAccount that an object names allow and limit its requests, also reads and watches', async () => {
  await create('allowed', { serviceAccountName: 'deployer' });
  await hasResult('allowed', 'written; list watch');
  await client.get(ConfigMap, 'allowed', { namespace });
});

test('a ServiceAccount without rights cannot write, and the log names the ServiceAccount to bind a role to', async () => {
  await create('forbidden', { serviceAccountName: 'reader' });
  await hasResult(
    'forbidden',
    expect.stringContaining('User "system:serviceaccount:team-a:reader" cannot patch resource "configmaps"'),
  );
  await expect(client.get(ConfigMap, 'forbidden', { namespace })).rejects.toBeInstanceOf(NotFoundError);
  await eventually(() => {
    const line = manager.logger.lines.find(({ fields }) => String(fields['hint']).startsWith('bind a role'));
    expect(line?.fields['hint']).toContain('to the ServiceAccount reader in namespace team-a');
  });
});

test.each([
  [
    'elsewhere',
    { serviceAccountName: 'deployer', from: 'kube-system' },
    /cannot act as a ServiceAccount of namespace kube-system/,
  ],
  ['injected', { serviceAccountName: 'a:b' }, /"a:b" is not the name of a ServiceAccount/],
])('an object cannot choose other identities: %s', async (name, spec, message) => {
  await create(name, spec);
  await hasResult(name, expect.stringMatching(message));
});
