// Cold start of the operator PodSet, from exec to "Started workers", and its CPU time and resident memory five seconds later:
// as a bundle of `kindwright build`, by run-operator with and without its cache, and without the check of permissions.
// Usage: npm run bench:start-up -- [--runs 10]; starts a control plane unless KUBECONFIG names a cluster to use.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ControlPlane } from '../test/controlplane/control-plane.ts';
import { median, table } from './report.ts';

const root = join(import.meta.dirname, '..');
const bin = (name: string): string => join(root, 'dist', 'cli', 'bin', `${name}.js`);
const { values } = parseArgs({ options: { runs: { type: 'string', default: '10' } } });

/** The garbage of the start has been collected by then. */
const IDLE_MS = 5000;
/** Linux reports CPU time in hundredths of a second. */
const TICK_MS = 10;

/** One way to start the operator. */
interface Variant {
  readonly title: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

interface Run {
  readonly startMs: number;
  readonly cpuMs: number;
  readonly idleMb: number;
}

async function measure(kubeconfig: string, { cwd, args, env }: Variant): Promise<Run> {
  const begin = performance.now();
  const child = spawn(process.execPath, [...args, '--log-format', 'json'], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', KUBECONFIG: kubeconfig, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('"Started workers"')) break;
  const startMs = performance.now() - begin;
  await delay(IDLE_MS);
  const proc = `/proc/${child.pid ?? 0}`;
  const idleMb = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) / 1024;
  const [user, system] = readFileSync(`${proc}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { startMs, cpuMs: (Number(user) + Number(system)) * TICK_MS, idleMb };
}

/** The ways to start; the folder gets a project without cache, as in an image, and a bundle. */
function variants(folder: string): Variant[] {
  const installed = join(folder, 'installed');
  mkdirSync(join(installed, 'node_modules'), { recursive: true });
  mkdirSync(join(installed, 'operators'));
  cpSync(join(root, 'operators', 'podset.ts'), join(installed, 'operators', 'podset.ts'));
  symlinkSync(root, join(installed, 'node_modules', 'kindwright'));
  symlinkSync(join(root, 'node_modules', 'class-validator'), join(installed, 'node_modules', 'class-validator'));
  writeFileSync(join(installed, 'node_modules', '.cache'), 'a file, so that there is no folder for the cache');
  const out = join(folder, 'bundled', 'dist');
  execFileSync(process.execPath, [bin('kindwright'), 'build', 'operators/podset.ts', '--out', out], { cwd: root });
  const run = [bin('run-operator'), 'operators/podset.ts'];
  return [
    { title: 'run-operator, compiled before', cwd: root, args: run },
    { title: 'the same with --no-preflight', cwd: root, args: [...run, '--no-preflight'] },
    { title: 'run-operator, read-only file system', cwd: installed, args: run, env: { HOME: '/dev/null' } },
    { title: 'bundle of kindwright build', cwd: join(folder, 'bundled'), args: ['dist/operator.mjs'] },
  ];
}

async function benchmark(kubeconfig: string, folder: string): Promise<void> {
  const all = variants(folder);
  const [first] = all;
  await measure(kubeconfig, { ...first!, args: [...first!.args, '--install'] });
  const runs = new Map<Variant, Run[]>(all.map((variant) => [variant, []]));
  // In turn, so that all have the same load.
  for (let i = 0; i < Number(values.runs); i++)
    for (const [variant, done] of runs) done.push(await measure(kubeconfig, variant));
  const of = (variant: Variant, key: keyof Run): number => median(runs.get(variant)!.map((run) => run[key]));
  const cell = (variant: Variant, key: keyof Run): string =>
    `${of(variant, key).toFixed(0)} (${(of(variant, key) / of(first!, key)).toFixed(2)})`;
  const rows = all.map((variant) => [
    variant.title,
    cell(variant, 'startMs'),
    cell(variant, 'cpuMs'),
    cell(variant, 'idleMb'),
  ]);
  const title = `PodSet, medians of ${values.runs} (ratio)`;
  console.log(table([title, 'exec to "Started workers", ms', 'CPU with 5 idle s, ms', 'memory idle, MB'], rows));
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kindwright-start-up-')));
const given = process.env['KUBECONFIG'];
try {
  if (given !== undefined) {
    await benchmark(given, folder);
  } else {
    const cluster = await ControlPlane.start();
    try {
      await benchmark(cluster.kubeconfig, folder);
    } finally {
      await cluster.stop();
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
