// Cold start of run-operator with one operator, from exec to "Started workers", with and without the request that
// checks permissions first, and its resident memory when idle.
// Usage: npm run bench:start-up -- [--runs 10]; starts a control plane unless KUBECONFIG names a cluster to use.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ControlPlane } from '../test/controlplane/control-plane.ts';
import { median, table } from './report.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { runs: { type: 'string', default: '10' } } });

/** The garbage of the start has been collected by then. */
const IDLE_MS = 5000;

interface Run {
  readonly startMs: number;
  readonly idleMb: number;
}

async function measure(kubeconfig: string, ...args: readonly string[]): Promise<Run> {
  const begin = performance.now();
  const bin = join(root, 'dist', 'cli', 'bin', 'run-operator.js');
  const child = spawn(process.execPath, [bin, 'operators/podset.ts', '--log-format', 'json', ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('"Started workers"')) break;
  const startMs = performance.now() - begin;
  await delay(IDLE_MS);
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
  const idleMb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { startMs, idleMb };
}

async function benchmark(kubeconfig: string): Promise<void> {
  await measure(kubeconfig, '--install');
  const asking: Run[] = [];
  const notAsking: Run[] = [];
  // In turn, so that both have the same load.
  for (let i = 0; i < Number(values.runs); i++) {
    asking.push(await measure(kubeconfig));
    notAsking.push(await measure(kubeconfig, '--no-preflight'));
  }
  const row = (title: string, numbers: readonly number[], goal: string): string[] => [
    title,
    median(numbers).toFixed(0),
    Math.min(...numbers).toFixed(0),
    Math.max(...numbers).toFixed(0),
    goal,
  ];
  const startMs = (runs: readonly Run[]): number[] => runs.map((run) => run.startMs);
  const rows = [
    row('exec to "Started workers", ms', startMs(asking), '100'),
    row('the same with --no-preflight, ms', startMs(notAsking), ''),
    row(
      'resident memory idle, MB',
      asking.map(({ idleMb }) => idleMb),
      '65',
    ),
  ];
  console.log(table([`run-operator operators/podset.ts, ${values.runs} runs`, 'median', 'min', 'max', 'goal'], rows));
}

const given = process.env['KUBECONFIG'];
if (given !== undefined) {
  await benchmark(given);
} else {
  const cluster = await ControlPlane.start();
  await benchmark(cluster.kubeconfig).finally(() => cluster.stop());
}
