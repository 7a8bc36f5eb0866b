import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, CustomResource, Field, Kind, loadClusterConfig } from 'kindwright';
import { eventually } from '../../src/testing/eventually.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { installKinds, RunningManager } from '../e2e/sdk/running-manager.js';

/** A few less than the API server accepts: its limit is 10,000, with the members around the value. */
const MOST_LEVELS = 9_990;
const PATH = '/apis/test.kindwright.dev/v1/anythings';

const reconciled: string[] = [];

/** A kind whose users can store any JSON. */
@Kind({ group: 'test.kindwright.dev', version: 'v1', scope: 'Cluster' })
class Anything extends CustomResource {
  @Field({ preserveUnknownFields: true }) spec!: Record<string, unknown>;

  reconcile(): void {
    reconciled.push(this.metadata.name);
  }
}

let cluster: RunningControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Anything]);
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

function create(name: string, levels: number): Promise<unknown> {
  const spec = `{"n":9007199254740993,"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const body = `{"apiVersion":"test.kindwright.dev/v1","kind":"Anything","metadata":{"name":"${name}"},"spec":${spec}}`;
  return client.request({ method: 'POST', path: PATH, body, contentType: 'application/json' });
}

test('objects as deep as the server accepts, with long integers, do not affect other objects of the kind', async () => {
  await expect(create('too-deep', MOST_LEVELS + 10)).rejects.toThrow('exceeded max depth');
  await create('deep', MOST_LEVELS);
  await create('flat', 1);
  const { items } = await client.list(Anything);
  expect(items.map(({ metadata, spec }) => [metadata.name, spec['n']])).toEqual([
    ['deep', 9007199254740993n],
    ['flat', 9007199254740993n],
  ]);
  const manager = await RunningManager.start(client, [Anything]);
  await eventually(() => expect(reconciled).toContain('flat'));
  await create('later', 1);
  await eventually(() => expect(reconciled).toContain('later'));
  // The copy for the reconcile overflows the stack.
  const { fields } = await manager.logged(/Reconciler error/);
  expect(fields).toMatchObject({ name: 'deep', err: expect.any(RangeError) as unknown });
  await manager.stop();
  expect(reconciled).not.toContain('deep');
});
