// Races kindwright against other frameworks on the contract of CONTRACT.md, one after the other, and prints medians.
// Usage: npm run bench -- [--objects 20000] [--rounds 3] [--only kindwright,controller-runtime] [--plot]
// With --plot: cold syncs of 1,000 to 1,000,000 objects, drawn as docs/images/race.svg; --objects is the most.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { cache, compiledCandidate, copied, goBuild, run } from './build-candidates.ts';
import { drawRace, type RacePoint } from './race-plot.ts';
import { median, table } from './report.ts';

const here = import.meta.dirname;
const candidates: Record<string, { command: string; build?: () => void }> = {
  kindwright: {
    // The option is that of the generated Dockerfile.
    command: `${process.execPath} --max-semi-space-size=8 ${join(here, '.build', 'candidate.js')}`,
    build: () => compiledCandidate('candidate.ts'),
  },
  'controller-runtime': { command: join(cache, 'cr-go', 'candidate'), build: () => goBuild('cr-go', 'candidate') },
  'kube-rs': {
    command: join(cache, 'kube-rs', 'target', 'release', 'kube-rs-bench'),
    build: () => run('cargo', ['build', '--release', '-q'], copied('kube-rs')),
  },
};

const { values } = parseArgs({
  options: {
    objects: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: Object.keys(candidates).join(',') },
    plot: { type: 'boolean', default: false },
  },
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function startReplay(folder: string, port: number, objects: number): Promise<ChildProcess> {
  const args = ['-addr', `127.0.0.1:${port}`, '-n', String(objects), '-namespaces', '10', '-tls'];
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
  objects: number;
  phase_cpu_ms: number;
}

function measure(name: string, command: string, scenario: string, mode: string, folder: string, port: number): Measure {
  const out = join(folder, 'out.jsonl');
  const args = ['run', '--name', name, '--cmd', command, '--scenario', scenario, '--mode', mode];
  args.push('--replay', `https://127.0.0.1:${port}`, '--kubeconfig', join(folder, 'kubeconfig'), '--events', '100000');
  args.push('--stderr', join(folder, 'stderr'), '--sync-timeout', '600s', '--settle-timeout', '600s', '--out', out);
  execFileSync(join(cache, 'driver', 'driver'), args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const result = JSON.parse(readFileSync(out, 'utf8').trim().split('\n').at(-1) ?? '') as Measure;
  if (!result.ok)
    throw new Error(`${name} failed ${scenario}/${mode}: ${readFileSync(join(folder, 'stderr'), 'utf8').slice(-500)}`);
  return result;
}

type Scenario = readonly ['cold' | 'storm', 'read' | 'status'];

const SCENARIOS: readonly Scenario[] = [
  ['cold', 'read'],
  ['storm', 'read'],
  ['cold', 'status'],
];

function buildAll(chosen: readonly string[]): void {
  mkdirSync(cache, { recursive: true });
  console.error('building driver, replay server and peers (minutes the first time)');
  goBuild('driver', 'driver');
  goBuild('replay', 'replay');
  for (const name of chosen) candidates[name]?.build?.();
}

/** Runs each scenario with each candidate; returns the results by candidate and scenario, such as `kube-rs cold read`. */
async function race(
  chosen: readonly string[],
  objects: number,
  scenarios: readonly Scenario[],
): Promise<Map<string, Measure[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'kindwright-bench-'));
  const port = await freePort();
  const replay = await startReplay(folder, port, objects);
  const results = new Map<string, Measure[]>();
  try {
    for (let round = 1; round <= Number(values.rounds); round++) {
      for (const name of chosen) {
        for (const [scenario, mode] of scenarios) {
          console.error(`${objects} objects, round ${round}: ${name}, ${scenario}, ${mode}`);
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
  return results;
}

async function raceAndPrint(chosen: readonly string[], objects: number): Promise<void> {
  const results = await race(chosen, objects, SCENARIOS);
  const of = (key: string, pick: (measure: Measure) => number): number => median((results.get(key) ?? []).map(pick));
  const rows: [string, (name: string) => number][] = [
    ['cold sync, wall ms', (name) => of(`${name} cold read`, (m) => m.synced_ms)],
    ['cold sync, CPU ms', (name) => of(`${name} cold read`, (m) => m.synced_cpu_ms)],
    ['memory after sync, MB', (name) => of(`${name} cold read`, (m) => m.quiet_rss / 1e6)],
    ['memory peak in the storm, MB', (name) => of(`${name} storm read`, (m) => m.max_rss / 1e6)],
    ['CPU per reconcile, no write, µs', (name) => of(`${name} cold read`, (m) => m.cpu_us_per_reconcile)],
    ['CPU per event in the storm, µs', (name) => of(`${name} storm read`, (m) => m.cpu_us_per_event ?? Number.NaN)],
    [
      'CPU per object written, sync included, µs',
      (name) => of(`${name} cold status`, (m) => (m.phase_cpu_ms * 1000) / m.objects),
    ],
  ];
  console.log(`${objects} objects of 1 KB, median of ${values.rounds}, in brackets the ratio to ${chosen[0] ?? ''}`);
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

/**
 * Draws CPU time and memory of a cold sync over the number of objects, again after each number. A candidate that fails
 * has no point there.
 */
async function racesAndPlot(chosen: readonly string[], most: number): Promise<void> {
  const points: RacePoint[] = [];
  for (let objects = 1000; objects <= most; objects *= 10) {
    for (const name of chosen) {
      try {
        const measures = (await race([name], objects, [['cold', 'read']])).get(`${name} cold read`) ?? [];
        const cpuMs = median(measures.map(({ synced_cpu_ms }) => synced_cpu_ms));
        const megabytes = median(measures.map(({ quiet_rss }) => quiet_rss / 1e6));
        points.push({ name, objects, cpuMs, megabytes });
        console.log(`${name}, ${objects} objects: ${cpuMs} ms, ${megabytes.toFixed(0)} MB`);
      } catch (error) {
        console.error(`${name}, ${objects} objects: no point`, error);
      }
    }
    writeFileSync(join(here, '..', 'docs', 'images', 'race.svg'), drawRace(points, join(cache, 'plot')));
  }
}

const chosen = values.only.split(',');
buildAll(chosen);
if (values.plot) await racesAndPlot(chosen, Number(values.objects ?? 1_000_000));
else await raceAndPrint(chosen, Number(values.objects ?? 20_000));
