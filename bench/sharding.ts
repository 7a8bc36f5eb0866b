// Three replicas that share objects: memory, CPU, the spread of the objects, and how long they take to move; see README.md.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, kindByName, loadClusterConfig } from 'kindwright';

const OBJECTS = Number(process.env['OBJECTS'] ?? 100_000);
const FIRST_PORT = 18_080;
const POLL_MS = 50;
const WRITERS = 32;
const Checksum = kindByName({ group: 'docs.example.com', version: 'v1', kind: 'Checksum' });

interface Replica {
  readonly child: ChildProcess;
  readonly port: number;
}

const folder = mkdtempSync(join(tmpdir(), 'kindwright-sharding-'));
const kubeconfig = join(folder, 'kubeconfig');
const running: ChildProcess[] = [];
try {
  await measure();
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  run(['dist/cli/bin/kindwright.js', 'serve', '--without-controllers', '--kubeconfig', kubeconfig]);
  const config = await eventually(() => loadClusterConfig({ kubeconfig }));
  const client = new Client(config);
  const first = replica(FIRST_PORT);
  await eventually(async () => client.list(Checksum, { limit: 1 }));
  await stop(first);
  await createObjects(client);
  client.close();

  const replicas = [0, 1, 2].map((index) => replica(FIRST_PORT + index));
  await eventually(async () => {
    await sleep(2000); // counting the objects takes some of their time
    const counts = await Promise.all(replicas.map(objects));
    const [least = 0] = [...counts].sort((a, b) => a - b);
    if (sum(counts) !== OBJECTS || least === 0) throw new Error('the objects are not spread');
  });
  await eventually(async () => {
    if ((await Promise.all(replicas.map(pending))).some((count) => count > 0)) throw new Error('not reconciled');
  });
  const counts = await Promise.all(replicas.map(objects));
  print('objects per replica', counts.join(', '), `largest / mean ${((Math.max(...counts) / OBJECTS) * 3).toFixed(3)}`);
  print('resident memory, MB', replicas.map(memory).join(', '));
  const before = replicas.map(cpuMs);
  await sleep(20_000);
  print(
    'CPU idle, ms per s',
    replicas.map((each, index) => ((cpuMs(each) - before[index]!) / 20).toFixed(0)).join(', '),
  );

  const [a, b, crashed] = replicas as [Replica, Replica, Replica];
  await moves('crash', [a, b], () => crashed.child.kill('SIGKILL'));
  const added = replica(FIRST_PORT + 3);
  await eventually(async () => {
    if ((await objects(added)) < OBJECTS / 5) throw new Error('it has no objects');
  });
  await moves('clean stop', [a, b], () => added.child.kill('SIGTERM'));
}

/** Prints the time from an event until the replicas own all objects, and until they have reconciled them. */
async function moves(what: string, replicas: readonly Replica[], cause: () => void): Promise<void> {
  const startMs = performance.now();
  cause();
  await eventually(async () => {
    if (sum(await Promise.all(replicas.map(slots))) !== 1024) throw new Error('slots without an owner');
  });
  const ownedMs = performance.now() - startMs;
  await eventually(async () => {
    if ((await Promise.all(replicas.map(pending))).some((count) => count > 0)) throw new Error('not reconciled');
  });
  print(
    `${what}: all slots owned / objects reconciled, ms`,
    ownedMs.toFixed(0),
    (performance.now() - startMs).toFixed(0),
  );
}

async function createObjects(client: Client): Promise<void> {
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < OBJECTS) {
      const metadata = { name: `text-${next++}`, namespace: 'default' };
      await client.create(Checksum, { metadata, spec: { text: metadata.name } });
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: WRITERS }, write));
  print(`created ${OBJECTS} objects, s`, ((performance.now() - startMs) / 1000).toFixed(0));
}

function replica(port: number): Replica {
  const options = ['--install', '--sharding', '--log-level', 'warn', '--metrics-bind-address', `127.0.0.1:${port}`];
  const files = ['dist/cli/bin/run-operator.js', 'docs/examples/checksum.ts'];
  return { child: run([...files, '--kubeconfig', kubeconfig, ...options]), port };
}

function run(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  running.push(child);
  return child;
}

async function stop({ child }: Replica): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

function objects(replica: Replica): Promise<number> {
  return metric(replica, 'kindwright_shard_objects');
}

function slots(replica: Replica): Promise<number> {
  return metric(replica, 'kindwright_shard_slots');
}

function pending(replica: Replica): Promise<number> {
  return metric(replica, 'workqueue_depth');
}

async function metric({ port }: Replica, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:{[^}]*})? (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

function memory({ child }: Replica): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024);
}

function cpuMs({ child }: Replica): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await sleep(POLL_MS);
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function print(...parts: readonly string[]): void {
  process.stdout.write(`${parts.join('  ')}\n`);
}
