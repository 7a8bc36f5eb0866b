import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  type Context,
  CustomResource,
  Deployment,
  DisruptionBudgetError,
  Field,
  type ForbiddenError,
  Kind,
  loadClusterConfig,
  type OperatorError,
  Owns,
  Pod,
  PodDisruptionBudget,
  Scale,
  ServiceAccount,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { Secret } from '../../src/client/secret.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager | undefined;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Fleet, Probe]);
});
afterEach(async () => {
  await manager?.stop();
  for (const { metadata } of (await client.list(Probe)).items) await client.delete(Probe, metadata.name, { namespace });
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

class FleetSpec {
  @Field({ format: 'int32' }) ships!: number;
}

class FleetStatus {
  @Field({ format: 'int32', optional: true }) ships?: number;
}

@Kind({ group: 'access.example.com', version: 'v1' })
@Scale({ specReplicasPath: '.spec.ships', statusReplicasPath: '.status.ships' })
abstract class Fleet extends CustomResource {
  @Field() spec!: FleetSpec;
  @Field() status!: FleetStatus;
}

class ProbeSpec {
  @Field() action!: string;
}

class ProbeStatus {
  @Field({ optional: true }) seen?: string;
}

/** Runs an action with the client of its context. */
@Kind({ group: 'access.example.com', version: 'v1' })
@Owns(ConfigMap)
class Probe extends CustomResource {
  static actions: Record<string, (ctx: Context, probe: Probe) => Promise<string | void>> = {};

  @Field() spec!: ProbeSpec;
  @Field() status!: ProbeStatus;

  async reconcile(ctx: Context): Promise<void> {
    const seen = await Probe.actions[this.spec.action]?.(ctx, this);
    if (seen !== undefined) this.status.seen = seen;
  }
}

/** A client of the same server with a token instead of a certificate. */
function withToken(token = ''): Client {
  const { ca } = client.config.tls ?? {};
  return new Client({ ...client.config, tls: { ...(ca && { ca }) }, auth: { token: new Secret(token) } });
}

const act = async (action: string): Promise<void> => {
  await client.create(Probe, { metadata: { name: action, namespace }, spec: { action } });
};
const seenBy = async (name: string) => (await client.get(Probe, name, { namespace })).status?.seen;
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'nginx' }] } };
const selector = { matchLabels: { app: 'web' } };

test('the scale of a Deployment and of a custom kind is read, patched and replaced', async () => {
  await client.create(Deployment, { metadata: { name: 'web', namespace }, spec: { replicas: 0, selector, template } });
  await client.create(Fleet, { metadata: { name: 'web', namespace }, spec: { ships: 3 } });
  const options = { namespace, subresource: 'scale' } as const;
  for (const kind of [Deployment, Fleet] as const) {
    const patched = await client.patch(kind, 'web', { spec: { replicas: 1 } }, options);
    expect(patched).toMatchObject({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 1 } });
    const scale = await client.get(kind, 'web', options);
    const metadata = { name: 'web', namespace }; // without a resourceVersion: controllers write concurrently
    await client.update(kind, { ...scale, metadata, spec: { replicas: 0 } }, options);
    expect((await client.get(kind, 'web', options)).spec ?? {}).not.toMatchObject({ replicas: 1 });
  }
  expect((await client.get(Fleet, 'web', { namespace })).spec.ships).toBe(0);
});

test('a token of a ServiceAccount authenticates', async () => {
  await client.create(ServiceAccount, { metadata: { name: 'reader', namespace } });
  const request = { metadata: { name: 'reader', namespace }, spec: { audiences: [], expirationSeconds: 600 } };
  const { status } = await client.create(ServiceAccount, request, { subresource: 'token' });
  const reader = withToken(status?.token);
  const error = await reader.get(ConfigMap, 'any', { namespace }).catch((thrown: unknown) => thrown);
  expect((error as ForbiddenError).message).toContain('system:serviceaccount:default:reader');
  reader.close();
});

test('an eviction that a disruption budget forbids is a DisruptionBudgetError, without retries', async () => {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const labels = { app: 'guarded' };
  await client.create(Pod, { metadata: { name: 'guarded', namespace, labels }, spec: template.spec });
  await client.patch(Pod, 'guarded', { status }, { namespace, subresource: 'status' });
  const budget = { minAvailable: 1, selector: { matchLabels: labels } };
  await client.create(PodDisruptionBudget, { metadata: { name: 'guarded', namespace }, spec: budget });
  const evict = () => client.create(Pod, { metadata: { name: 'guarded', namespace } }, { subresource: 'eviction' });
  const refusal = await evict().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DisruptionBudgetError);
  await client.delete(PodDisruptionBudget, 'guarded', { namespace });
  expect(await evict()).toMatchObject({ kind: 'Status', status: 'Success' });
});

test('the cache shows what ctx.client has written and deleted', async () => {
  Probe.actions['writes'] = async (ctx, { metadata: { name } }) => {
    const metadata = { name: 'written', namespace };
    await ctx.client.create(ConfigMap, { metadata, data: { by: name } });
    const created = await ctx.get(ConfigMap, 'written');
    await ctx.client.patch(ConfigMap, 'written', { data: { by: 'patch' } }, { namespace });
    const patched = await ctx.get(ConfigMap, 'written');
    await ctx.client.patch(ConfigMap, 'written', { data: { by: 'dry run' } }, { namespace, dryRun: true });
    const dry = await ctx.get(ConfigMap, 'written');
    await ctx.client.delete(ConfigMap, 'written', { namespace });
    const deleted = await ctx.get(ConfigMap, 'written');
    return [created, patched, dry, deleted].map((map) => map?.data?.['by'] ?? 'none').join(', ');
  };
  manager = await RunningManager.start(client, [Probe]);
  await act('writes');
  await eventually(async () => expect(await seenBy('writes')).toBe('writes, patch, patch, none'));
});

test('writes of ctx.client have the field manager of the controller', async () => {
  Probe.actions['manager'] = async (ctx) => {
    const written = await ctx.client.create(ConfigMap, { metadata: { name: 'managed', namespace }, data: { a: '1' } });
    return (written.metadata as { managedFields?: { manager: string }[] }).managedFields?.[0]?.manager;
  };
  manager = await RunningManager.start(client, [Probe]);
  await act('manager');
  await eventually(async () => expect(await seenBy('manager')).toBe('probe'));
});

test('a forbidden request of ctx.client fails the reconcile with the permission to declare', async () => {
  Probe.actions['forbidden'] = async (ctx) => {
    await ctx.client.create(Pod, { metadata: { name: 'any', namespace } }, { subresource: 'eviction' });
  };
  const subject = { metadata: { name: 'limited', namespace } };
  await client.create(ServiceAccount, subject);
  const resources = ['probes', 'probes/status', 'configmaps'];
  const rules = [{ apiGroups: ['access.example.com', ''], resources, verbs: ['*'] }];
  await client.create(ClusterRole, { metadata: { name: 'limited' }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'limited' };
  const subjects = [{ kind: 'ServiceAccount', name: 'limited', namespace }];
  await client.create(ClusterRoleBinding, { metadata: { name: 'limited' }, roleRef, subjects });
  const { status } = await client.create(ServiceAccount, subject, { subresource: 'token' });
  const limited = withToken(status?.token);
  manager = await RunningManager.start(limited, [Probe]);
  await act('forbidden');
  const { fields } = await manager.logged(/Reconciler error/);
  const hint = (fields['err'] as OperatorError).hint ?? fields['hint'];
  expect(hint).toContain("add @Rbac(Pod, 'create', { subresource: 'eviction' }) to Probe, then run generate-manifests");
  await manager.stop();
  limited.close();
});
