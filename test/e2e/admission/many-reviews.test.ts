import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client, CustomResource, Field, Kind, loadClusterConfig, Mutate, Validate } from 'kindwright';
import { installKinds, RunningManager } from '../sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

/** Creates, each with two reviews. */
const REVIEWS = process.env['FULL_SCALE'] ? 10_000 : 1000;
/** Objects that a leak of one per review would make visible: 16 MB after all of them. */
const NOTE = 'x'.repeat(16_384_000 / REVIEWS);
/** Few enough for the time limit of 5 s of a review on a busy machine. */
const AT_ONCE = 8;
const MAX_GROWTH = 4 * 1024 * 1024;

@Kind({ group: 'many.example.com', version: 'v1' })
class Note extends CustomResource {
  @Field() text!: string;
  @Field({ optional: true }) zone?: string;

  reconcile(): void {
    return undefined;
  }

  @Mutate() fill(): void {
    this.zone ??= 'a';
  }

  @Validate() check(): void {
    return undefined;
  }
}

let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Note]);
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  manager = new RunningManager(client, [Note], {
    webhooks: { register: client, onServing: served },
    metricsBindAddress: '127.0.0.1:0',
  });
  await Promise.race([serving, manager.ended]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

let count = 0;

/** Sends dry runs, of which the API server keeps nothing. */
async function reviews(number: number): Promise<void> {
  const end = count + number;
  const worker = async () => {
    while (count < end)
      await client.create(
        Note,
        { metadata: { name: `note-${count++}`, namespace: 'default' }, text: NOTE },
        { dryRun: true },
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usage() {
  collectGarbage();
  const resources = process.getActiveResourcesInfo();
  const numberOf = (type: RegExp) => resources.filter((resource) => type.test(resource)).length;
  return { heap: process.memoryUsage().heapUsed, sockets: numberOf(/TCP|TLS/), timers: numberOf(/Timeout/) };
}

test('many reviews leave no memory, sockets or timers behind, and each is counted (W30)', async () => {
  await reviews(300); // fills the pools of connections and compiles the code
  const before = usage();
  await reviews(REVIEWS);
  const after = usage();
  expect(after.heap - before.heap).toBeLessThan(MAX_GROWTH);
  expect(after.sockets).toBeLessThanOrEqual(before.sockets + 2 * AT_ONCE);
  expect(after.timers).toBeLessThanOrEqual(before.timers + AT_ONCE);
  const address = String((await manager.logged(/^Serving metrics$/)).fields.address);
  const metrics = await (await fetch(`http://${address}/metrics`)).text();
  for (const path of ['/mutate-many-example-com-note', '/validate-many-example-com-note']) {
    const requests = new RegExp(`webhook_requests_total\\{webhook="${path}",code="200"\\} (\\d+)`).exec(metrics)?.[1];
    const inFlight = new RegExp(`webhook_requests_in_flight\\{webhook="${path}"\\} (\\d+)`).exec(metrics)?.[1];
    expect({ path, requests, inFlight }).toEqual({ path, requests: String(count), inFlight: '0' });
  }
}, 900_000);
