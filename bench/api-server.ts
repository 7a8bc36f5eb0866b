// The embedded API server and the real one (kube-apiserver and etcd) under one load, side by side; prints medians.
// Usage: npm run bench:api-server -- [--objects 10000] [--rounds 3] [--only embedded,real]
// Servers have core 0 to themselves, the load has core 1.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { ControlPlane } from '../test/controlplane/control-plane.ts';
import { median, table } from './report.ts';

const here = import.meta.dirname;
const SERVERS = ['embedded', 'embedded on disk', 'real'] as const;
type ServerName = (typeof SERVERS)[number];

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: SERVERS.join(',') },
  },
});

/** What load.ts prints. */
interface Load {
  kbPerWatcher: number;
  fanOutMs: number;
  creates: { perSecond: number; perCpuSecond: number; p50: number; p99: number };
  updates: { perSecond: number; perCpuSecond: number; p50: number; p99: number };
  listMs: number;
  catchUp: { perSecond: number; perCpuSecond: number };
  live: { perSecond: number; perCpuSecond: number };
  rssMb: number;
}

interface RunningServer {
  kubeconfig: string;
  pids: readonly number[];
  stop(): Promise<void>;
}

async function startEmbedded(...args: string[]): Promise<RunningServer> {
  const child = spawn(process.execPath, [join(here, 'api-server', 'embedded.ts'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { kubeconfig: line, pids: [child.pid ?? 0], stop };
}

async function startReal(): Promise<RunningServer> {
  const controlPlane = await ControlPlane.start({ parts: ['etcd', 'apiserver'] });
  const pids = (['etcd', 'apiserver'] as const).map((part) => controlPlane.pidOf(part) ?? 0);
  return { kubeconfig: controlPlane.kubeconfig, pids, stop: () => controlPlane.stop() };
}

async function start(name: ServerName, folder: string): Promise<RunningServer> {
  switch (name) {
    case 'embedded':
      return startEmbedded();
    case 'embedded on disk':
      return startEmbedded('--data-dir', mkdtempSync(join(folder, 'data-')));
    case 'real':
      return startReal();
  }
}

async function measure(name: ServerName, folder: string): Promise<Load> {
  const server = await start(name, folder);
  try {
    const load = [join(here, 'api-server', 'load.ts'), server.kubeconfig, '--objects', values.objects];
    const args = ['-c', '1', process.execPath, ...load, '--pids', server.pids.join(',')];
    const { stdout } = await promisify(execFile)('taskset', args);
    return JSON.parse(stdout) as Load;
  } finally {
    await server.stop();
  }
}

const ROWS: readonly (readonly [string, (load: Load) => number])[] = [
  ['creates/s', ({ creates }) => creates.perSecond],
  ['creates per second of CPU', ({ creates }) => creates.perCpuSecond],
  ['create, p50 ms', ({ creates }) => creates.p50],
  ['create, p99 ms', ({ creates }) => creates.p99],
  ['updates/s', ({ updates }) => updates.perSecond],
  ['updates per second of CPU', ({ updates }) => updates.perCpuSecond],
  ['update, p50 ms', ({ updates }) => updates.p50],
  ['update, p99 ms', ({ updates }) => updates.p99],
  ['list of all, ms', ({ listMs }) => listMs],
  ['events/s to 10 watchers, of the past', ({ catchUp }) => catchUp.perSecond],
  ['… per second of CPU', ({ catchUp }) => catchUp.perCpuSecond],
  ['events/s to 10 watchers, while updated', ({ live }) => live.perSecond],
  ['… per second of CPU', ({ live }) => live.perCpuSecond],
  ['memory per watcher of 300, KB', ({ kbPerWatcher }) => kbPerWatcher],
  ['one update to 300 watchers, ms', ({ fanOutMs }) => fanOutMs],
  ['memory in the end, MB', ({ rssMb }) => rssMb],
];

const digits = (value: number): string => value.toFixed(Math.abs(value) < 100 ? 1 : 0);

function row(title: string, numbers: readonly number[]): string[] {
  const [base = Number.NaN] = numbers;
  const cell = (value: number, index: number): string =>
    index === 0 ? digits(value) : `${digits(value)} (${(value / base).toFixed(2)})`;
  return [title, ...numbers.map(cell)];
}

async function benchmark(folder: string): Promise<void> {
  const names = SERVERS.filter((name) => values.only.split(',').includes(name));
  const loads = new Map<ServerName, Load[]>(names.map((name) => [name, []]));
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const name of names) {
      console.error(`round ${round}: ${name}`);
      loads.get(name)?.push(await measure(name, folder));
    }
  }
  const rows = ROWS.map(([title, pick]) =>
    row(
      title,
      names.map((name) => median((loads.get(name) ?? []).map(pick))),
    ),
  );
  console.log(`${values.objects} objects of 1 KB, median of ${values.rounds}, in brackets the ratio to the first`);
  console.log(table(['', ...names], rows));
}

execFileSync('taskset', ['-p', '-c', '0', String(process.pid)]); // inherited by the servers
const folder = mkdtempSync(join(tmpdir(), 'kindwright-bench-'));
try {
  await benchmark(folder);
} finally {
  rmSync(folder, { recursive: true });
}
