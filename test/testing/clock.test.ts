import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Controller, CustomResource, Kind, Pod, type Context, type Result } from 'kindwright';
import { eventually, FakeClock, startCluster, type Cluster } from 'kindwright/testing';

const HOUR = 3_600_000;
const seen: number[] = [];
const clock = new FakeClock();

/** Ticker is reconciled once an hour */
@Kind({ group: 'demo.example.com', version: 'v1' })
@Controller({ name: 'ticker' })
class Ticker extends CustomResource {
  reconcile(_ctx: Context): Result {
    seen.push(clock.now());
    return { requeueAfter: HOUR };
  }
}

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded', clock, podStartDelay: '60s' });
});
afterAll(() => cluster.stop());

test('a requeued object is reconciled when the clock is advanced', async () => {
  await cluster.run(Ticker);
  await cluster.create(Ticker, { metadata: { name: 'hourly', namespace: 'default' } });
  await eventually(() => expect(seen).toHaveLength(1));
  await clock.advance(HOUR);
  await eventually(() => expect(seen).toHaveLength(2));
  expect(seen[1]! - seen[0]!).toBe(HOUR);
});

test('objects carry the time of the clock', async () => {
  const { metadata } = await cluster.client.get(Ticker, 'hourly', { namespace: 'default' });
  expect(metadata.creationTimestamp).toBe('2026-01-01T00:00:00Z');
});

test('a pod starts after its delay on the clock', async () => {
  const containers = [{ name: 'main', image: 'busybox' }];
  await cluster.create(Pod, { metadata: { name: 'slow', namespace: 'default' }, spec: { containers } });
  const pod = () => cluster.client.get(Pod, 'slow', { namespace: 'default' });
  await eventually(async () => expect((await pod()).spec?.nodeName).toBeDefined());
  expect((await pod()).status?.phase).toBe('Pending');
  await clock.advance(60_000);
  await eventually(async () => expect((await pod()).status?.phase).toBe('Running'));
});
