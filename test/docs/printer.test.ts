import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { Printer } from '../../docs/examples/printer.js';
import { modulesOf } from './doc-files.js';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded' });
  await cluster.run(Printer);
});
afterAll(() => cluster.stop());

test.each([
  ['reconcile', 'printer'],
  ['api-access', 'database-dump'],
])('docs/%s.md shows the example %s', (page, name) => {
  const example = readFileSync(join(import.meta.dirname, `../../docs/examples/${name}.ts`), 'utf8');
  expect(modulesOf(`docs/${page}.md`).map((code) => code.trim())).toContain(example.trim());
});

test('a paused printer is configured after the pause, and its deletion waits for the end of one', async () => {
  const { client } = cluster;
  const namespace = await cluster.namespace();
  const printer = { namespace, name: 'office', annotations: { 'kindwright.dev/paused': 'true' } };
  await client.create(Printer, { metadata: printer, spec: { driver: 'laser' } });
  const condition = async (type: string) =>
    (await client.get(Printer, 'office', { namespace })).status?.conditions?.find((each) => each.type === type)?.status;
  const pause = (value: string | null) =>
    client.patch(Printer, 'office', { metadata: { annotations: { 'kindwright.dev/paused': value } } }, { namespace });
  await eventually(async () => expect(await condition('Paused')).toBe('True'));
  expect(await condition('Ready')).toBeUndefined();
  await pause(null);
  await eventually(async () => expect(await condition('Ready')).toBe('True'));
  await pause('true');
  await eventually(async () => expect(await condition('Paused')).toBe('True'));
  await client.delete(Printer, 'office', { namespace });
  expect(await condition('Paused')).toBe('True');
  await pause('false');
  await eventually(async () => expect((await client.list(Printer, { namespace })).items).toEqual([]));
});
