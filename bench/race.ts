// Races kindwright against other frameworks on the contract of CONTRACT.md, one after the other, and prints medians.
// Usage: npm run bench -- [--objects 20000] [--rounds 3] [--only kindwright,controller-runtime]
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { transformFileSync } from '@swc/core';
import { parseArgs } from 'node:util';
import { median, table } from './report.ts';

const here = import.meta.dirname;
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kindwright-bench');
const candidates: Record<string, { command: string; build?: () => void }> = {
  kindwright: {
    command: `${process.execPath} ${join(here, '.build', 'candidate.js')}`,
    build: () => compileCandidate(),
  },
  'controller-runtime': { command: join(cache, 'cr-go', 'candidate'), build: () => goBuild('cr-go', 'candidate') },
  'kube-rs': {
    command: join(cache, 'kube-rs', 'target', 'release', 'kube-rs-bench'),
    build: () => run('cargo', ['build', '--release', '-q'], copied('kube-rs')),
  },
};

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: Object.keys(candidates).join(',') },
  },
});

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

function copied(folder: string): string {
  const target = join(cache, folder);
  cpSync(join(here, folder), target, { recursive: true });
  return target;
}

/** Within the package, so that \`kindwright\` means its own dist/. */
function compileCandidate(): void {
  const { code } = transformFileSync(join(here, 'candidate.ts'), {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  });
  mkdirSync(join(here, '.build'), { recursive: true });
  writeFileSync(join(here, '.build', 'candidate.js'), code);
}

function goBuild(folder: string, output: string): void {
  run('go', ['build', '-o', output, '.'], copied(folder));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function startReplay(folder: string, port: number): Promise<ChildProcess> {
  const args = ['-addr', `127.0.0.1:${port}`, '-n', values.objects, '-namespaces', '10', '-tls'];
  const kubeconfig = join(folder, 'kubeconfig');
  const replay = spawn(join(cache, 'replay', 'replay'), [...args, '-write-kubeconfig', kubeconfig], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: replay.stdout }), 'line');
  return replay;
}

/** The measures of one run that are reported, as the driver names them. */
interface Measure {
  ok: boolean;
  synced_ms: number;
  synced_cpu_ms: number;
  quiet_rss: number;
  max_rss: number;
  cpu_us_per_reconcile: number;
  cpu_us_per_event?: number;
}

function measure(name: string, command: string, scenario: string, mode: string, folder: string, port: number): Measure {
  const out = join(folder, 'out.jsonl');
  const args = ['run', '--name', name, '--cmd', command, '--scenario', scenario, '--mode', mode];
  args.push('--replay', `https://127.0.0.1:${port}`, '--kubeconfig', join(folder, 'kubeconfig'), '--events', '100000');
  args.push('--stderr', join(folder, 'stderr'), '--sync-timeout', '100s', '--settle-timeout', '100s', '--out', out);
  execFileSync(join(cache, 'driver', 'driver'), args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const result = JSON.parse(readFileSync(out, 'utf8').trim().split('\n').at(-1) ?? '') as Measure;
  if (!result.ok)
    throw new Error(`${name} failed ${scenario}/${mode}: ${readFileSync(join(folder, 'stderr'), 'utf8').slice(-500)}`);
  return result;
}

const scenarios = [
  ['cold', 'read'],
  ['storm', 'read'],
  ['cold', 'status'],
] as const;

async function race(): Promise<void> {
  const chosen = values.only.split(',');
  mkdirSync(cache, { recursive: true });
  console.error('building driver, replay server and peers (minutes the first time)');
  goBuild('driver', 'driver');
  goBuild('replay', 'replay');
  for (const name of chosen) candidates[name]?.build?.();
  const folder = mkdtempSync(join(tmpdir(), 'kindwright-bench-'));
  const port = await freePort();
  const replay = await startReplay(folder, port);
  const results = new Map<string, Measure[]>();
  try {
    for (let round = 1; round <= Number(values.rounds); round++) {
      for (const name of chosen) {
        for (const [scenario, mode] of scenarios) {
          console.error(`round ${round}: ${name}, ${scenario}, ${mode}`);
          const key = `${name} ${scenario} ${mode}`;
          const { command } = candidates[name] ?? { command: name };
          results.set(key, [...(results.get(key) ?? []), measure(name, command, scenario, mode, folder, port)]);
        }
      }
    }
  } finally {
    replay.kill();
    rmSync(folder, { recursive: true });
  }
  print(chosen, results);
}

function print(chosen: readonly string[], results: ReadonlyMap<string, readonly Measure[]>): void {
  const of = (key: string, pick: (measure: Measure) => number): number => median((results.get(key) ?? []).map(pick));
  const rows: [string, (name: string) => number][] = [
    ['cold sync, wall ms', (name) => of(`${name} cold read`, (m) => m.synced_ms)],
    ['cold sync, CPU ms', (name) => of(`${name} cold read`, (m) => m.synced_cpu_ms)],
    ['memory after sync, MB', (name) => of(`${name} cold read`, (m) => m.quiet_rss / 1e6)],
    ['memory peak in the storm, MB', (name) => of(`${name} storm read`, (m) => m.max_rss / 1e6)],
    ['CPU per reconcile, no write, µs', (name) => of(`${name} cold read`, (m) => m.cpu_us_per_reconcile)],
    ['CPU per event in the storm, µs', (name) => of(`${name} storm read`, (m) => m.cpu_us_per_event ?? Number.NaN)],
    ['CPU per reconcile with status write, µs', (name) => of(`${name} cold status`, (m) => m.cpu_us_per_reconcile)],
  ];
  console.log(
    `${values.objects} objects of 1 KB, median of ${values.rounds}, in brackets the ratio to ${chosen[0] ?? ''}`,
  );
  console.log(
    table(
      ['', ...chosen],
      rows.map(([title, value]) => [title, ...ratios(chosen.map(value))]),
    ),
  );
}

function ratios(values: readonly number[]): string[] {
  const [first = Number.NaN] = values;
  return values.map((value, index) =>
    index === 0 ? value.toFixed(0) : `${value.toFixed(0)} (${(value / first).toFixed(2)})`,
  );
}

await race();
