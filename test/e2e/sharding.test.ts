import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Lease, loadClusterConfig } from 'kindwright';
import { Checksum } from '../../docs/examples/checksum.js';
import { eventually } from '../../src/testing/eventually.js';
import { Entry } from './ledger.js';
import { OperatorProcess } from './operator-process.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const NAMES = Array.from({ length: 40 }, (_, index) => `object-${index}`);
/** Required of the time from a crash until the objects are reconciled by others; it takes at most 4.2 s without load. */
const LONGEST_MOVE_MS = 10_000;
const SHARDS = { matchLabels: { 'kindwright.dev/shard-group': 'demo' } };

interface Line {
  readonly what: 'begin' | 'end' | 'daemon begin' | 'daemon end';
  readonly name: string;
  readonly value: string;
  readonly replica: string;
}

let cluster: SuiteControlPlane;
let client: Client;
let folder: string;
const replicas = new Map<string, OperatorProcess>();

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  folder = mkdtempSync(join(tmpdir(), 'sharding-'));
  for (const name of ['a', 'b', 'c']) start(name);
  for (const replica of replicas.values()) await replica.started();
  await write('first');
});
afterAll(async () => {
  await Promise.all([...replicas.values()].map((replica) => replica.stop('SIGKILL')));
  client.close();
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

function start(name: string): void {
  const env = { POD_NAME: name, LEDGER: join(folder, 'ledger') };
  const files = ['docs/examples/checksum.ts', 'test/e2e/ledger.ts'];
  const args = [...files, '--install', '--sharding', '--sharding-id', 'demo'];
  replicas.set(name, OperatorProcess.start(cluster.kubeconfig, args, undefined, env));
}

const ledger = (): Line[] =>
  readFileSync(join(folder, 'ledger'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

/** The replicas that have finished the reconcile of this value, by object. */
const finished = (value: string): Map<string, string> =>
  new Map(
    ledger()
      .filter((line) => line.what === 'end' && line.value === value)
      .map(({ name, replica }) => [name, replica]),
  );

const spreadOf = (value: string): string[] => [...new Set(finished(value).values())].sort();

async function write(value: string): Promise<void> {
  for (const name of NAMES) {
    const fieldManager = 'test';
    await client.apply(Entry, { metadata: { name, namespace }, spec: { value } }, { fieldManager });
    await client.apply(Checksum, { metadata: { name, namespace }, spec: { text: value } }, { fieldManager });
  }
}

const leases = async (): Promise<string[]> => {
  const { items } = await client.list(Lease, { namespace, labelSelector: SHARDS });
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'demo');
};

test('three replicas reconcile each object in one of them, also while one is killed, one starts and one stops', async () => {
  await eventually(() => expect(finished('first').size).toBe(NAMES.length));
  await eventually(async () => expect(await leases()).toHaveLength(3));
  await eventually(async () => {
    const value = `spread ${Date.now()}`;
    await write(value);
    await eventually(() => expect(finished(value).size).toBe(NAMES.length));
    expect(spreadOf(value)).toEqual(['a', 'b', 'c']);
  });

  const killedMs = performance.now();
  await replicas.get('c')!.stop('SIGKILL');
  await write('after the crash');
  await eventually(() => expect(finished('after the crash').size).toBe(NAMES.length));
  expect(performance.now() - killedMs).toBeLessThan(LONGEST_MOVE_MS);
  expect(spreadOf('after the crash')).toEqual(['a', 'b']);
  await eventually(async () => expect(await leases()).toHaveLength(2));

  start('d');
  await eventually(async () => {
    const value = `scaled up ${Date.now()}`;
    await write(value);
    await eventually(() => expect(finished(value).size).toBe(NAMES.length));
    expect(spreadOf(value)).toEqual(['a', 'b', 'd']);
  });

  expect(await replicas.get('a')!.stop()).toBe(0);
  await write('after the stop');
  await eventually(() => expect(finished('after the stop').size).toBe(NAMES.length));
  expect(spreadOf('after the stop')).toEqual(['b', 'd']);

  await eventually(async () => {
    const { items } = await client.list(Checksum, { namespace });
    expect(new Set(items.map(({ status }) => status?.sha256)).size).toBe(1);
  });

  expect(overlaps(ledger())).toEqual([]);
});

test('a replica that stops during a slow reconcile releases all other objects immediately, and that one afterwards', async () => {
  const [slow = '', ...others] = NAMES;
  const slowEntry = { metadata: { name: slow, namespace }, spec: { value: 'slow' } };
  await client.apply(Entry, slowEntry, { fieldManager: 'test' });
  const replica = await eventually(() => {
    const line = ledger().find(({ what, value }) => what === 'begin' && value === 'slow');
    if (line) return line.replica;
    throw new Error('the slow reconcile has not begun');
  });
  const other = replica === 'b' ? 'd' : 'b';
  const stoppedMs = performance.now();
  const exitCode = replicas.get(replica)!.stop();
  await write('during the stop');
  await eventually(() => {
    const done = finished('during the stop');
    expect(others.filter((name) => !done.has(name))).toEqual([]);
  });
  expect(performance.now() - stoppedMs).toBeLessThan(LONGEST_MOVE_MS);
  expect(finished('slow').size).toBe(0);
  writeFileSync(join(folder, 'ledger.released'), '');
  expect(await exitCode).toBe(0);
  await eventually(() => expect(finished('during the stop').get(slow)).toBe(other));
  expect(finished('slow').get(slow)).toBe(replica);
  expect(overlaps(ledger())).toEqual([]);
});

/** The lines that show work on an object which another replica had not ended. A killed one ends nothing. */
function overlaps(lines: readonly Line[]): Line[] {
  const working = new Map<string, string>();
  return lines.filter(({ what, name, replica }) => {
    const task = `${what.replace(/ ?(?:begin|end)$/, '')} ${name}`;
    const before = working.get(task);
    if (what.endsWith('end')) working.delete(task);
    else working.set(task, replica);
    return before !== undefined && before !== replica && before !== 'c';
  });
}
