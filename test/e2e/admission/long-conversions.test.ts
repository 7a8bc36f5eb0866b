import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Client, ConvertsTo, CustomResource, Field, Kind, loadClusterConfig, map, Validate } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from '../sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

const group = 'long-lists.example.com';
const namespace = 'default';
const OBJECTS = process.env['FULL_SCALE'] ? 10_000 : 1000;
const WRITERS = 20;

/** Objects that were converted to the version of the list. */
let converted = 0;
let onConverted = (): void => undefined;
/** The value of `converted` at each review while the list is converted. */
const reviewedAt: number[] = [];

@Kind({ group, version: 'v1', kind: 'Meter', storage: true })
class Meter extends CustomResource {
  @Field() reading!: string;

  reconcile(): void {
    return undefined;
  }

  @Validate() count(): void {
    reviewedAt.push(converted);
  }
}

/** Takes so long that a list keeps the operator busy for many turns of its event loop. */
function lastReading(reading: string): string {
  converted++;
  onConverted();
  for (let round = 0; round < 200; round++) createHash('sha256').update(reading).digest();
  return reading;
}

@Kind({ group, version: 'v1beta1', kind: 'Meter' })
@ConvertsTo(Meter, [map('last', 'reading', (last: string) => last, lastReading)])
abstract class MeterV1Beta1 extends CustomResource {
  @Field() last!: string;
}

let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Meter, MeterV1Beta1]);
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < OBJECTS) await create(next++);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  manager = new RunningManager(client, [Meter], { webhooks: { register: client, onServing: served } });
  await Promise.race([serving, manager.ended]);
}, 400_000);
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

const create = (index: number) =>
  client.create(Meter, { metadata: { name: `meter-${index}`, namespace }, reading: String(index) });

test('an operator reviews a write while it converts a long list (W27)', async () => {
  converted = 0;
  reviewedAt.length = 0;
  const begun = new Promise<void>((resolve) => (onConverted = resolve));
  // Until it has filled its cache, the real server responds with 429.
  const listed = eventually(() => client.list(MeterV1Beta1, { namespace, limit: 0 }), { timeout: '150s' });
  await begun;
  await create(OBJECTS);
  expect(reviewedAt).toEqual([expect.any(Number)]);
  expect(reviewedAt[0]).toBeLessThan(OBJECTS);
  const { items } = await listed;
  // The real server fills a cache of the version first, so that its list may contain the object that was created.
  const old = items.map(({ last }) => Number(last)).filter((last) => last < OBJECTS);
  expect(old.sort((a, b) => a - b)).toEqual(Array.from({ length: OBJECTS }, (_, index) => index));
}, 200_000);
