import { afterEach, expect, test } from '@jest/globals';
import { CustomResource, Field, Kind, Manager, Mutate, Validate, type Review } from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import type { InspectedManager } from '../../../src/manager/debug/debug-state.js';

class ReviewedSpec {
  @Field() value!: string;
}

@Kind({ group: 'test.example.com', version: 'v1' })
class Reviewed extends CustomResource {
  @Field() spec!: ReviewedSpec;

  @Mutate() fill(): void {
    this.spec.value = this.spec.value.trim();
  }

  @Validate() check(review: Review<Reviewed>): void {
    if (this.spec.value === 'bad') review.invalid('spec.value', 'is bad');
    if (this.spec.value === 'broken') throw new TypeError('a mistake in the method');
  }
}

@Kind({ group: 'test.example.com', version: 'v1' })
class Plain extends CustomResource {
  reconcile(): void {}
}

let cluster: Cluster | undefined;
const stop = new AbortController();
afterEach(async () => {
  stop.abort();
  await cluster?.stop();
});

test('a manager states its webhooks with their requests and the expiry of the certificate', async () => {
  cluster = await startCluster();
  const { client } = cluster;
  await cluster.install(Reviewed);
  let inspected: InspectedManager | undefined;
  const onInspectable = (manager: InspectedManager): void => {
    inspected = manager;
  };
  let isServing = false;
  const onServing = (): void => {
    isServing = true;
  };
  const manager = new Manager({ client, onInspectable, webhooks: { register: client, onServing } });
  const running = manager.add(Reviewed).run(stop.signal);
  await eventually(() => expect(isServing).toBe(true));
  const pathsOf = () => inspected?.webhooks()?.webhooks.map(({ type, kinds }) => [type, kinds.map(({ kind }) => kind)]);
  expect(pathsOf()).toEqual([
    ['Mutating', ['Reviewed']],
    ['Validating', ['Reviewed']],
  ]);
  expect(inspected?.shards()).toBeUndefined();
  const { port, expiresMs = 0 } = inspected?.webhooks() ?? {};
  expect(port).toBeGreaterThan(0);
  expect(expiresMs).toBeGreaterThan(Date.now() + 24 * 3600_000);
  const counts = (type: string) => inspected?.webhooks()?.webhooks.find((each) => each.type === type);
  const before = counts('Validating')?.requests ?? 0;
  const create = (value: string) =>
    client.create(Reviewed, { metadata: { name: value, namespace: 'default' }, spec: { value } });
  await create('good');
  await expect(create('bad')).rejects.toThrow('is bad');
  expect(counts('Validating')).toMatchObject({ requests: before + 2, failed: 0 });
  await expect(create('broken')).rejects.toThrow('Reviewed.check: TypeError');
  expect(counts('Validating')).toMatchObject({ requests: before + 3, failed: 1 });
  expect(counts('Mutating')).toMatchObject({ failed: 0 });
  stop.abort();
  await running;
});

test('a manager without webhooks states none', async () => {
  cluster = await startCluster();
  await cluster.install(Plain);
  let webhooks: unknown = 'not inspected';
  const own = new AbortController();
  const onInspectable = (manager: InspectedManager): void => {
    webhooks = manager.webhooks();
  };
  const running = new Manager({ client: cluster.client, onInspectable }).add(Plain).run(own.signal);
  own.abort();
  await running;
  expect(webhooks).toBeUndefined();
});
