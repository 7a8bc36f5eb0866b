import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, ConfigMap, type Context, CustomResource, Field, Kind, loadClusterConfig, Owns } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';

class ShelfSpec {
  @Field() label!: string;
}

async function createOnce(shelf: CustomResource, ctx: Context): Promise<void> {
  const owned = await ctx.list(ConfigMap, { ownedBy: shelf });
  if (owned.length === 0) await ctx.create(ConfigMap, { metadata: { generateName: `${shelf.metadata.name}-` } });
}

@Kind({ group: 'versions.example.com', version: 'v1beta1', kind: 'Shelf', plural: 'shelves' })
@Owns(ConfigMap)
class FormerShelf extends CustomResource {
  @Field() spec!: ShelfSpec;

  reconcile(ctx: Context): Promise<void> {
    return createOnce(this, ctx);
  }
}

@Kind({ group: 'versions.example.com', version: 'v1', kind: 'Shelf', plural: 'shelves', storage: true })
@Owns(ConfigMap)
class Shelf extends CustomResource {
  @Field() spec!: ShelfSpec;

  reconcile(ctx: Context): Promise<void> {
    return createOnce(this, ctx);
  }
}

@Kind({ group: 'versions.example.com', version: 'v1beta1', kind: 'Shelf', plural: 'shelves' })
abstract class DefinedShelf extends CustomResource {
  @Field() spec!: ShelfSpec;
}

let cluster: SuiteControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

/** The versions in the owner references of the children. */
async function versions(): Promise<string[]> {
  const { items } = await client.list(ConfigMap, { namespace });
  const references = items.flatMap(({ metadata: { ownerReferences = [] } }) => ownerReferences);
  return references.flatMap(({ apiVersion, kind }) => (kind === 'Shelf' ? [apiVersion] : []));
}

test('a child with a generated name gets the owner reference of a new version', async () => {
  await installKinds(client, [FormerShelf]);
  const former = await RunningManager.start(client, [FormerShelf]);
  await client.create(FormerShelf, { metadata: { name: 'top', namespace }, spec: { label: 'a' } });
  await eventually(async () => expect(await versions()).toEqual(['versions.example.com/v1beta1']));
  await former.stop();

  await installKinds(client, [Shelf, DefinedShelf]);
  const manager = await RunningManager.start(client, [Shelf]);
  await eventually(async () => expect(await versions()).toEqual(['versions.example.com/v1']));
  await manager.stop();
});
