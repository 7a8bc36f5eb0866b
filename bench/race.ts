// Races kindwright against other frameworks on the contract of CONTRACT.md, one after the other, and prints medians.
// Usage: npm run bench -- [--objects 20000] [--rounds 3] [--only kindwright,controller-runtime] [--plot] [--resume]
//        [--limits FILE]
// With --plot: cold syncs of 1,000 to 1,000,000 objects, drawn as docs/images/race.svg; --objects is the most. --resume
// continues an interrupted plot. A candidate that fails, or leaves the machine too little memory, has no further points.
// With --limits: fails if a ratio of the first candidate to the second exceeds its limit in the file.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    resume: { type: 'boolean', default: false },
    limits: { type: 'string' },
  },
});

/** The longest sync, and the longest time from then until all objects are reconciled: 24 minutes for 3 candidates. */
const LONGEST_STEP = '240s';
/** If less memory is available, the candidate is killed before the kernel kills any process. */
const LEAST_MEMORY_MB = 1500;
/** Of a million objects, the replay server would otherwise keep several GB of garbage. */
const REPLAY_ENV = { ...process.env, GOMEMLIMIT: '6GiB' };
/** The points of a plot so far. */
const pointsFile = join(cache, 'plot', 'points.json');
const image = join(here, '..', 'docs', 'images', 'race.svg');

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
    env: REPLAY_ENV,
  });
  const ended = once(replay, 'exit').then(() => {
    throw new Error('the replay server ended');
  });
  await Promise.race([once(createInterface({ input: replay.stdout }), 'line'), ended]);
  ended.catch(() => undefined); // from here on, a run fails if it ends
  return replay;
}

/** The measures of one run that are reported, as the driver names them. */
interface Measure {
  ok: boolean;
  problems?: string[];
  synced_ms: number;
  synced_cpu_ms: number;
  quiet_rss: number;
  max_rss: number;
  cpu_us_per_reconcile: number;
  cpu_us_per_event?: number;
  objects: number;
  phase_cpu_ms: number;
}

async function measure(name: string, [scenario, mode]: Scenario, folder: string, port: number): Promise<Measure> {
  const { command } = candidates[name] ?? { command: name };
  const out = join(folder, 'out.jsonl');
  rmSync(out, { force: true });
  const args = ['run', '--name', name, '--cmd', command, '--scenario', scenario, '--mode', mode];
  args.push('--replay', `https://127.0.0.1:${port}`, '--kubeconfig', join(folder, 'kubeconfig'), '--events', '100000');
  args.push('--stderr', join(folder, 'stderr'), '--sync-timeout', LONGEST_STEP, '--settle-timeout', LONGEST_STEP);
  const driver = spawn(join(cache, 'driver', 'driver'), [...args, '--out', out], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const guard = setInterval(() => {
    if (availableMegabytes() < LEAST_MEMORY_MB) killChildren(driver.pid ?? 0);
  }, 250);
  await once(driver, 'exit');
  clearInterval(guard);
  if (!existsSync(out)) throw new Error(`${name}: no result of ${scenario}, ${mode}`);
  const result = JSON.parse(readFileSync(out, 'utf8')) as Measure;
  if (result.ok) return result;
  const problems = [...(result.problems ?? []), readFileSync(join(folder, 'stderr'), 'utf8').slice(-500)];
  throw new Error(`${name} failed ${scenario}, ${mode}: ${problems.join('; ')}`);
}

function availableMegabytes(): number {
  return Number(/^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'latin1'))?.[1]) / 1024;
}

/** The driver reports the end of its candidate. Linux lists children by the thread that started them. */
function killChildren(pid: number): void {
  for (const file of globSync(`/proc/${pid}/task/*/children`)) {
    try {
      for (const child of readFileSync(file, 'latin1').split(' ').filter(Boolean))
        process.kill(Number(child), 'SIGKILL');
    } catch {
      // The thread or the child has ended.
    }
  }
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
          const result = await measure(name, [scenario, mode], folder, port);
          results.set(key, [...(results.get(key) ?? []), result]);
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
  if (values.limits !== undefined) checkLimits(values.limits, rows);
}

/** Reports each row whose ratio of the first candidate to the second exceeds its limit; a row without one is an error. */
function checkLimits(file: string, rows: readonly [string, (name: string) => number][]): void {
  const limits = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  const [first = '', second = ''] = chosen;
  for (const [title, value] of rows) {
    const [ratio, limit = Number.NaN] = [value(first) / value(second), limits[title]];
    if (ratio <= limit) continue;
    console.error(`error: ${title}: ${ratio.toFixed(2)} times ${second}, the limit in ${file} is ${limit}`);
    process.exitCode = 1;
  }
}

function ratios(values: readonly number[]): string[] {
  const [first = Number.NaN] = values;
  return values.map((value, index) =>
    index === 0 ? value.toFixed(0) : `${value.toFixed(0)} (${(value / first).toFixed(2)})`,
  );
}

/**
 * Draws CPU time and memory of a cold sync over the number of objects, again after each number. A candidate that fails
 * has no point there and is not run with more objects.
 */
async function racesAndPlot(chosen: readonly string[], most: number): Promise<void> {
  const points =
    values.resume && existsSync(pointsFile) ? (JSON.parse(readFileSync(pointsFile, 'utf8')) as RacePoint[]) : [];
  const failed = new Set<string>();
  mkdirSync(join(cache, 'plot'), { recursive: true });
  for (let objects = 1000; objects <= most; objects *= 10) {
    for (const name of chosen) {
      if (failed.has(name) || points.some((point) => point.name === name && point.objects === objects)) continue;
      const began = performance.now();
      try {
        points.push(await pointOf(name, objects));
        writeFileSync(pointsFile, JSON.stringify(points));
      } catch (error) {
        failed.add(name);
        console.error(`${name}, ${objects} objects: no point`, error);
      }
      console.error(`${name}, ${objects} objects: took ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
    if (points.length > 0) writeFileSync(image, drawRace(points, join(cache, 'plot')));
  }
  console.log(`took ${(performance.now() / 60_000).toFixed(1)} min`);
}

async function pointOf(name: string, objects: number): Promise<RacePoint> {
  const measures = (await race([name], objects, [['cold', 'read']])).get(`${name} cold read`) ?? [];
  const cpuMs = median(measures.map(({ synced_cpu_ms }) => synced_cpu_ms));
  const megabytes = median(measures.map(({ quiet_rss }) => quiet_rss / 1e6));
  console.log(`${name}, ${objects} objects: ${cpuMs} ms, ${megabytes.toFixed(0)} MB`);
  return { name, objects, cpuMs, megabytes };
}

const chosen = values.only.split(',');
buildAll(chosen);
if (values.plot) await racesAndPlot(chosen, Number(values.objects ?? 1_000_000));
else await raceAndPrint(chosen, Number(values.objects ?? 20_000));
