import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, ClusterRoleBinding, loadClusterConfig, ServiceAccount } from 'kindwright';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';

/** A ServiceAccount with all permissions, and a file with its token. */
class TokenFile {
  private constructor(
    private readonly world: World,
    readonly path: string,
    readonly client: Client,
  ) {}

  static async create(world: World): Promise<TokenFile> {
    const { cluster, proxy } = world;
    const folder = await mkdtemp(join(tmpdir(), 'token-'));
    world.onEnd(() => rm(folder, { recursive: true }));
    const path = join(folder, 'token');
    await createAccount(world);
    await writeFile(path, await issueToken(world));
    const kubeconfig = await cluster.kubeconfigFor(proxy.url, { tokenFile: path });
    const client = new Client(await loadClusterConfig({ kubeconfig }));
    world.onEnd(() => client.close());
    return new TokenFile(world, path, client);
  }

  write(text: string): Promise<void> {
    return writeFile(this.path, text);
  }

  /** Revokes all tokens and issues a new one. */
  async replaceAccount(): Promise<string> {
    const { admin, namespace } = this.world;
    await admin.delete(ServiceAccount, 'operator', { namespace });
    await admin.create(ServiceAccount, { metadata: { name: 'operator', namespace } });
    return issueToken(this.world);
  }
}

/** Creates the ServiceAccount `operator` with all permissions. */
export async function createAccount({ admin, namespace }: World): Promise<void> {
  await admin.create(ServiceAccount, { metadata: { name: 'operator', namespace } });
  await admin.create(ClusterRoleBinding, {
    metadata: { name: `${namespace}-operator` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace }],
  });
}

/** Requests a token of the ServiceAccount `operator`. */
export async function issueToken({ admin, namespace }: World): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/operator/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status } = await admin.request<{ status: { token: string } }>({ method: 'POST', path, body });
  return status.token;
}

/** The tokens of all requests so far. */
function tokensOf({ proxy }: World): Set<string> {
  return new Set(proxy.calls.map(({ headers }) => String(headers['authorization']).replace('Bearer ', '')));
}

const refusedCalls = ({ proxy }: World): number => proxy.calls.filter(({ status }) => status === 401).length;

const childWritesOf = ({ proxy }: World, name: string): number =>
  proxy.writes.filter((call) => call.resource === 'configmaps' && call.name === name).length;

export const CREDENTIAL_ROWS: readonly Row[] = [
  {
    id: 'F44',
    title:
      'when the certificate of the server is replaced before that in the file, connections wait and nothing is lost',
    async run(world) {
      const { cluster, proxy } = world;
      const folder = await mkdtemp(join(tmpdir(), 'authority-'));
      world.onEnd(() => rm(folder, { recursive: true }));
      const ca = join(folder, 'ca.crt');
      await writeFile(ca, cluster.identity.caPem);
      const kubeconfig = await cluster.kubeconfigFor(proxy.url, {}, { 'certificate-authority': ca });
      const client = new Client(await loadClusterConfig({ kubeconfig }));
      world.onEnd(() => client.close());
      await world.createGear('kept');
      await world.start({}, undefined, client);
      await assertConverged(world);
      const replaced = createServingIdentity(Date.now());
      await proxy.refuse();
      await proxy.listen(replaced);
      await world.changeGear('kept', 'b');
      const before = proxy.calls.length;
      await delay(3_000);
      assertEqual(proxy.calls.length, before, 'requests to a server with an unknown certificate');
      await writeFile(ca, replaced.caPem);
      await assertConverged(world, 60_000);
    },
  },
  {
    id: 'F91',
    title:
      'permissions that are revoked and granted again while an operator runs delay its writes, and nothing is lost',
    async run(world) {
      const { admin, namespace } = world;
      const file = await TokenFile.create(world);
      await world.createGear('kept');
      await world.start({}, undefined, file.client);
      await assertConverged(world);
      const binding = await admin.get(ClusterRoleBinding, `${namespace}-operator`);
      await admin.delete(ClusterRoleBinding, `${namespace}-operator`);
      await delay(1_000); // until the API server has noticed
      for (const watch of world.proxy.watches()) watch.reset();
      const before = childWritesOf(world, 'kept');
      await world.changeGear('kept', 'b');
      await world.createGear('late');
      await delay(5_000);
      const attempts = childWritesOf(world, 'kept') - before;
      assert(attempts <= 8, `${attempts} attempts to write without permission`);
      const { apiGroup, kind, name } = binding.roleRef;
      const metadata = { name: `${namespace}-operator` };
      await admin.create(ClusterRoleBinding, {
        metadata,
        roleRef: { apiGroup, kind, name },
        subjects: binding.subjects ?? [],
      });
      await assertConverged(world, 75_000);
    },
  },
  {
    id: 'F42',
    title: 'a token that the server rejects during the work is replaced by that of the file, and nothing is lost',
    async run(world) {
      const file = await TokenFile.create(world);
      await world.createGear('kept');
      await world.start({}, undefined, file.client);
      await assertConverged(world);
      const second = await file.replaceAccount();
      // The server caches the verdict on a token for ten seconds.
      for (const watch of world.proxy.watches()) watch.reset();
      await within(45_000, async () => {
        await world.changeGear('kept', String(performance.now()));
        assert(refusedCalls(world) > 0, 'the old token is accepted');
      });
      await file.write(second);
      for (const watch of world.proxy.watches()) watch.reset();
      await world.changeGear('kept', 'last');
      await assertConverged(world, 60_000);
      assert(tokensOf(world).has(second), 'the new token was not used');
    },
  },
  {
    id: 'F43',
    title: 'no empty token is sent while the token file is replaced and sometimes empty',
    async run(world) {
      const file = await TokenFile.create(world);
      await world.createGear('kept');
      await world.start({}, undefined, file.client);
      await assertConverged(world);
      for (let round = 0; round < 6; round++) {
        await file.write('');
        for (const watch of world.proxy.watches()) watch.reset();
        await world.changeGear('kept', `empty-${round}`);
        await delay(300);
        await file.write(await issueToken(world));
        await world.changeGear('kept', `full-${round}`);
        await delay(300);
      }
      await assertConverged(world, 45_000);
      const odd = [...tokensOf(world)].filter((token) => token.split('.').length !== 3);
      assertEqual(odd, [], 'requests without a valid token');
      assertEqual(refusedCalls(world), 0, 'refused requests');
    },
  },
];
