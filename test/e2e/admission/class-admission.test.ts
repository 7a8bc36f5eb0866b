import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  CustomResource,
  Field,
  Kind,
  loadClusterConfig,
  Mutate,
  Review,
  Validate,
} from 'kindwright';
import { startSuiteCluster, type SuiteCluster } from '../suite-cluster.js';
import { installKinds, RunningManager } from '../sdk/running-manager.js';

@Kind({ group: 'reviews.example.com', version: 'v1' })
abstract class Zone extends CustomResource {
  @Field({ optional: true }) note?: string;

  @Mutate() fill(): void {
    this.note ??= 'filled';
  }

  @Validate() async check(review: Review<Zone>): Promise<void> {
    const forbidden = await review.get(ConfigMap, 'forbidden');
    if (forbidden?.data?.['note'] === this.note) review.refuse('note', 'is forbidden');
  }
}

let cluster: SuiteCluster;
let client: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteCluster();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Zone]);
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  manager = new RunningManager(client, [Zone], {
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
  test('has its webhooks served, without a controller and without a lease', async () => {
    const metadata = { name: 'a', namespace: 'default' };
    await client.create(ConfigMap, { metadata: { ...metadata, name: 'forbidden' }, data: { note: 'no' } });
    expect(await client.create(Zone, { metadata })).toMatchObject({ note: 'filled' });
    await expect(client.create(Zone, { metadata: { ...metadata, name: 'b' }, note: 'no' })).rejects.toThrow(
      /note: is forbidden/,
    );
    expect(manager.logger.messages().filter((message) => /worker|lease|lead/i.test(message))).toEqual([]);
  });
});
