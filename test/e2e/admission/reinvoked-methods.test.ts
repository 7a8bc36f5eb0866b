import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, CustomResource, Field, Kind, loadClusterConfig, Mutate } from 'kindwright';
import { installKinds, RunningManager } from '../sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

const calls: string[] = [];

@Kind({ group: 'reinvoked.example.com', version: 'v1' })
class Tank extends CustomResource {
  @Field({ optional: true }) size?: string;
  @Field({ optional: true }) zone?: string;
  @Field({ optional: true }) sizeOfZone?: string;

  reconcile(): void {
    return undefined;
  }

  @Mutate({ reinvocation: true }) derive(): void {
    calls.push('derive');
    this.size ??= 'small';
    if (this.zone !== undefined) this.sizeOfZone = `${this.size} in ${this.zone}`;
  }

  @Mutate() locate(): void {
    calls.push('locate');
    this.zone ??= 'a';
  }
}

let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Tank]);
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  manager = new RunningManager(client, [Tank], { webhooks: { register: client, onServing: served } });
  await Promise.race([serving, manager.ended]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

test('a method with reinvocation runs again after a later webhook changed the object, and not otherwise (W6)', async () => {
  const { size, zone, sizeOfZone } = await client.create(Tank, { metadata: { name: 'a', namespace: 'default' } });
  expect({ size, zone, sizeOfZone }).toEqual({ size: 'small', zone: 'a', sizeOfZone: 'small in a' });
  expect(calls.splice(0)).toEqual(['derive', 'locate', 'derive']);
  await client.patch(Tank, 'a', { metadata: { labels: { a: 'b' } } }, { namespace: 'default' });
  expect(calls).toEqual(['derive', 'locate']);
});
