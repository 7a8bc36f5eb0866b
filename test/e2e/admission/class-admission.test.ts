import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Admission,
  AlreadyExistsError,
  Client,
  ConfigMap,
  CustomResource,
  Field,
  Kind,
  loadClusterConfig,
  Mutate,
  Pod,
  Review,
  ServiceAccount,
  Validate,
} from 'kindwright';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { installKinds, RunningManager } from '../sdk/running-manager.js';

@Kind({ group: 'reviews.example.com', version: 'v1' })
abstract class Zone extends CustomResource {
  @Field({ optional: true }) note?: string;

  @Mutate() fill(): void {
    this.note ??= 'filled';
  }

  @Validate() async check(review: Review<Zone>): Promise<void> {
    const forbidden = await review.get(ConfigMap, 'forbidden');
    if (forbidden?.data?.['note'] === this.note) review.invalid('note', 'is forbidden');
  }
}

@Admission(Pod, { allow: 'cluster-wide' })
class VersionedPods {
  @Mutate() mark(pod: Pod, review: Review<Pod>): void {
    if (pod.metadata.labels?.['throw'] === 'true') throw new Error('on purpose');
    (pod.metadata.annotations ??= {})['reviews.example.com/seen'] ??= review.operation;
  }

  @Validate() check(pod: Pod, review: Review<Pod>): void {
    if (pod.spec?.containers.some(({ image }) => image === 'latest'))
      review.invalid('spec.containers', 'must name a version');
  }

  @Validate({ subresources: ['status'] }) checkStatus(pod: Pod, review: Review<Pod>): void {
    const conditions = pod.status?.conditions ?? [];
    if (conditions.some(({ type }) => type === 'Blocked')) review.forbidden('condition Blocked');
  }
}

let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Zone]);
  // Made by a controller in a cluster; the real control plane of the tests runs none.
  for (const namespace of ['default', 'kube-system'])
    await client.create(ServiceAccount, { metadata: { name: 'default', namespace } }).catch((error: unknown) => {
      if (!(error instanceof AlreadyExistsError)) throw error;
    });
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  manager = new RunningManager(client, [Zone, VersionedPods], {
    leaderElection: true,
    webhooks: { register: client, onServing: served },
  });
  await Promise.race([serving, manager.ended]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

describe('a class with webhooks but no reconcile', () => {
  test('a class with webhooks but no reconcile is served without a controller and without a lease', async () => {
    const metadata = { name: 'a', namespace: 'default' };
    await client.create(ConfigMap, { metadata: { ...metadata, name: 'forbidden' }, data: { note: 'no' } });
    expect(await client.create(Zone, { metadata })).toMatchObject({ note: 'filled' });
    await expect(client.create(Zone, { metadata: { ...metadata, name: 'b' }, note: 'no' })).rejects.toThrow(
      /note: is forbidden/,
    );
    expect(manager.logger.messages().filter((message) => /worker|lease|lead/i.test(message))).toEqual([]);
  });
});

describe('a class with @Admission', () => {
  const spec = (image = 'example') => ({ containers: [{ name: 'app', image }] });

  test('a class with @Admission reviews pods, but not those of kube-system', async () => {
    const refused = client.create(Pod, { metadata: { name: 'a', namespace: 'default' }, spec: spec('latest') });
    await expect(refused).rejects.toThrow(/Pod \\?"a\\?" is invalid: spec\.containers: must name a version/);
    const pod = await client.create(Pod, { metadata: { name: 'b', namespace: 'default' }, spec: spec() });
    expect(pod.metadata.annotations).toMatchObject({ 'reviews.example.com/seen': 'CREATE' });
    const system = { name: 'a', namespace: 'kube-system' };
    await client.create(Pod, { metadata: system, spec: spec('latest') });
  });

  test('a class with @Admission reviews subresources, and changes nothing else of the object', async () => {
    await client.create(Pod, { metadata: { name: 'c', namespace: 'default' }, spec: spec() });
    const status = { conditions: [{ type: 'Blocked', status: 'True' as const }] };
    const patched = client.patch(Pod, 'c', { status }, { namespace: 'default', subresource: 'status' });
    await expect(patched).rejects.toThrow(/is forbidden: condition Blocked/);
  });

  test('a class with @Admission and failurePolicy Ignore does not block writes when its method throws', async () => {
    const metadata = { name: 'throwing', namespace: 'default', labels: { throw: 'true' } };
    const pod = await client.create(Pod, { metadata, spec: spec() });
    expect(pod.metadata.annotations?.['reviews.example.com/seen']).toBeUndefined();
    await manager.logged(/Review failed/);
  });
});
