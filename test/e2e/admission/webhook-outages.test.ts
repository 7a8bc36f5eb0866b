import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, CustomResource, Field, Kind, loadClusterConfig, NotFoundError, Validate } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from '../sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

@Kind({ group: 'outages.example.com', version: 'v1' })
class Valve extends CustomResource {
  @Field({ optional: true }) note?: string;

  reconcile(): void {
    return undefined;
  }

  @Validate({ timeoutSeconds: 1, match: 'object.note == "strict"' }) strict(): void {
    return undefined;
  }

  @Validate({ timeoutSeconds: 1, match: 'object.note == "lax"', failurePolicy: 'Ignore' }) lax(): void {
    return undefined;
  }
}

const namespace = 'default';
let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;
let count = 0;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Valve]);
});
afterEach(() => manager.stop());
afterAll(async () => {
  client.close();
  await cluster.stop();
});

async function start(outage: 'down' | 'slow'): Promise<void> {
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  manager = new RunningManager(client, [Valve], { webhooks: { register: client, outage, onServing: served } });
  await Promise.race([serving, manager.ended]);
}

const create = (note: string, finalizers: string[] = []) =>
  client.create(Valve, { metadata: { name: `valve-${++count}`, namespace, finalizers }, note });

describe('a webhook that is down', () => {
  test('a webhook that is down rejects the writes it would review, and none with failurePolicy Ignore', async () => {
    await start('down');
    await expect(create('strict')).rejects.toThrow(/failed calling webhook .* connect.* refused/i);
    expect((await create('lax')).note).toBe('lax');
    expect((await create('other')).note).toBe('other');
  });

  test('a webhook that is down does not keep an object from being deleted (W9)', async () => {
    const { metadata } = await create('lax', ['example.com/wait']);
    // The API server may still have the configuration of the test before.
    await eventually(() => client.patch(Valve, metadata.name, { note: 'strict' }, { namespace }));
    await start('down');
    await expect(
      client.patch(Valve, metadata.name, { metadata: { labels: { a: 'b' } } }, { namespace }),
    ).rejects.toThrow(/failed calling webhook/);
    await client.delete(Valve, metadata.name, { namespace });
    await client.patch(Valve, metadata.name, { metadata: { finalizers: [] } }, { namespace });
    await expect(client.get(Valve, metadata.name, { namespace })).rejects.toThrow(NotFoundError);
  });
});

describe('a webhook that does not respond', () => {
  test('a webhook that does not respond rejects writes at its timeout, and none with failurePolicy Ignore (W11)', async () => {
    await start('slow');
    await expect(create('strict')).rejects.toThrow(/failed calling webhook .*(deadline exceeded|timeout)/i);
    expect((await create('lax')).note).toBe('lax');
  });
});
