import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client, ConfigMap, CustomResource, Field, Kind, loadClusterConfig, type Context } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';

const namespace = 'default';
const WARNING = 'Two objects apply different values to a field of one object; each replaces the value of the other';

class EntrySpec {
  @Field() target!: string;
  @Field({ values: { type: 'string' } }) data!: Record<string, string>;
  @Field({ optional: true }) owned?: boolean;
}

/** Applies its data to a ConfigMap that other entries may apply to as well. */
@Kind({ group: 'shared.example.com', version: 'v1', plural: 'entries' })
class Entry extends CustomResource {
  @Field() spec!: EntrySpec;

  async reconcile(ctx: Context): Promise<void> {
    const { target, data, owned = false } = this.spec;
    await ctx.apply(ConfigMap, { metadata: { name: target }, data }, { owned });
  }
}

interface ManagedFields {
  readonly manager: string;
  readonly operation: string;
}

let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager | undefined;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Entry]);
});
beforeEach(async () => {
  await manager?.stop();
  manager = await RunningManager.start(client, [Entry]);
});
afterAll(async () => {
  await manager?.stop();
  client.close();
  await cluster.stop();
});

const write = (name: string, target: string, data: Record<string, string>, owned = false) =>
  client.apply(Entry, { metadata: { name, namespace }, spec: { target, data, owned } });
const read = async (target: string) => client.get(ConfigMap, target, { namespace });
const holds = (target: string, data: Record<string, string>) =>
  eventually(async () => expect((await read(target)).data).toEqual(data));

test('several objects apply their own fields to one object, and each removes only its own', async () => {
  for (const name of ['red', 'green', 'blue']) await write(name, 'colors', { [name]: '1' });
  await holds('colors', { red: '1', green: '1', blue: '1' });
  await write('green', 'colors', { lime: '2' });
  await holds('colors', { red: '1', lime: '2', blue: '1' });
  expect((manager as RunningManager).logger.messages('warn')).not.toContain(WARNING);
});

test('two objects that apply different values to one field are logged once', async () => {
  await write('first', 'contested', { key: '1' });
  await holds('contested', { key: '1' });
  await write('second', 'contested', { key: '2' });
  await holds('contested', { key: '2' });
  await write('first', 'contested', { key: '3' });
  await holds('contested', { key: '3' });
  const lines = (manager as RunningManager).logger.lines.filter(({ message }) => message === WARNING);
  expect(lines).toMatchObject([
    { fields: { object: 'ConfigMap default/contested', field: '.data.key', other: 'default/first' } },
  ]);
});

test('an object that is no longer owned loses its owner reference and the fields that are omitted, and the reverse', async () => {
  await write('own', 'kept', { a: '1', b: '1' }, true);
  await holds('kept', { a: '1', b: '1' });
  expect((await read('kept')).metadata.ownerReferences).toHaveLength(1);
  await write('own', 'kept', { a: '1', c: '1' }, false);
  await holds('kept', { a: '1', c: '1' });
  expect((await read('kept')).metadata.ownerReferences ?? []).toEqual([]);
  await write('own', 'kept', { d: '1' }, true);
  await holds('kept', { d: '1' });
  expect((await read('kept')).metadata.ownerReferences).toHaveLength(1);
});

test.each([
  ['before the first apply', false],
  ['after an apply, whose own entry is deleted', true],
])('fields of an operator that wrote by updates are removed after its entry is renamed %s', async (_, isApplied) => {
  const name = `legacy-${isApplied}`;
  const { uid = '' } = (await write(name, `none-${name}`, {})).metadata;
  const owner = { apiVersion: 'shared.example.com/v1', kind: 'Entry', name, uid, controller: true };
  const metadata = { name, namespace, ownerReferences: [owner] };
  await client.create(ConfigMap, { metadata, data: { a: '1', b: '1' } }, { fieldManager: 'manager' });
  if (isApplied) {
    await write(name, name, { a: '2' }, true);
    await holds(name, { a: '2', b: '1' });
  }
  const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
  const object = await client.request<{ metadata: { managedFields: ManagedFields[] } }>({ method: 'GET', path });
  const managedFields = object.metadata.managedFields
    .filter(({ manager: given }) => given !== 'entry')
    .map((entry) => ({ ...entry, manager: 'entry', operation: 'Apply' }));
  expect(managedFields).toHaveLength(1);
  await client.request({ method: 'PUT', path, body: { ...object, metadata: { ...object.metadata, managedFields } } });
  await write(name, name, { a: '3' }, true);
  await holds(name, { a: '3' });
});
