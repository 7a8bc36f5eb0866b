// generate-manifests over the 20 definitions of test/import-crd/crds, imported as classes: wall time and peak memory, beside
// controller-gen over the Go types that the definitions come from.
// Usage: npm run build && npm run bench:generate -- [--runs 5] [--controller-gen <binary>]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { publicCrds } from '../test/import-crd/public-crds.ts';
import { median, table } from './report.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    'controller-gen': { type: 'string', default: join(homedir(), '.cache/controlplane/v1.36.3/controller-gen') },
  },
});

interface Figures {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

const POLL_MS = 10;

/** Runs a program to its end; CPU time and peak are read from the kernel while it runs, children aside. */
async function measure(command: string, args: readonly string[], cwd: string): Promise<Figures> {
  const begin = performance.now();
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const exit = once(child, 'exit');
  let [cpuMs, peakMb] = [0, 0];
  const watched = (async () => {
    while (child.exitCode === null) {
      peakMb = Math.max(peakMb, peakOf(child.pid));
      cpuMs = Math.max(cpuMs, cpuOf(child.pid));
      await delay(POLL_MS);
    }
  })();
  const [code] = (await exit) as [number];
  const wallMs = performance.now() - begin;
  await watched;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exits with ${code}`);
  return { wallMs, cpuMs, peakMb };
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has just ended
  }
}

/** Of all threads. */
function cpuOf(pid: number | undefined): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) * TICK_MS;
  } catch {
    return 0;
  }
}

const TICK_MS = 10;

const runs = Number(values.runs);
const rows: string[][] = [];

async function benchmark(title: string, run: () => Promise<Figures>): Promise<void> {
  const figures: Figures[] = [];
  for (let i = 0; i < runs; i++) figures.push(await run());
  const all = (name: keyof Figures): number[] => figures.map((run) => run[name]);
  const cells = [median(all('wallMs')), Math.min(...all('wallMs')), median(all('cpuMs')), Math.max(...all('peakMb'))];
  rows.push([title, ...cells.map((cell) => cell.toFixed(0))]);
}

/** A project of annotated classes, all imported. */
function importedProject(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'kindwright'));
  const crds = [...publicCrds()].map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return name;
  });
  const bin = join(root, 'dist/cli/bin/kindwright.js');
  execFileSync(process.execPath, [bin, 'import-crd', ...crds], { cwd: folder, stdio: 'ignore' });
}

/** Types of about the same state as the definitions: the releases nearest to their commits. */
const GO_MODULES = [
  'github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring@v0.93.0',
  'sigs.k8s.io/gateway-api@v1.5.1',
];
const GO_PACKAGES = [
  'github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1',
  'github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1alpha1',
  'sigs.k8s.io/gateway-api/apis/v1',
  'sigs.k8s.io/gateway-api/apis/v1beta1',
  'sigs.k8s.io/gateway-api/apis/v1alpha2',
  'sigs.k8s.io/gateway-api/apis/v1alpha3',
];

function goModule(folder: string): void {
  writeFileSync(join(folder, 'go.mod'), 'module example.com/crds\n\ngo 1.26\n');
  const imports = GO_PACKAGES.map((path) => `\t_ "${path}"\n`).join('');
  writeFileSync(join(folder, 'types.go'), `package crds\n\nimport (\n${imports})\n`);
  execFileSync('go', ['get', ...GO_MODULES], { cwd: folder, stdio: 'inherit' });
  execFileSync('go', ['mod', 'tidy'], { cwd: folder, stdio: 'inherit' });
  execFileSync('go', ['build', './...'], { cwd: folder, stdio: 'inherit' });
}

const folder = mkdtempSync(join(tmpdir(), 'kindwright-generate-'));
try {
  const [classes, types] = ['classes', 'types'].map((name) => join(folder, name));
  for (const path of [classes, types]) mkdirSync(path!);
  importedProject(classes!);
  const generate = () =>
    measure(process.execPath, [join(root, 'dist/cli/bin/generate-manifests.js'), '--out', 'crds-out'], classes!);
  await benchmark('generate-manifests, files new', async () => {
    rmSync(join(classes!, 'node_modules/.cache'), { recursive: true, force: true });
    return generate();
  });
  await benchmark('generate-manifests, files compiled before', generate);
  if (existsSync(values['controller-gen'])) {
    goModule(types!);
    const paths = GO_PACKAGES.map((path) => `paths=${path}`);
    const args = ['crd', ...paths, 'output:crd:dir=crds'];
    await benchmark('controller-gen, packages built before', () => measure(values['controller-gen'], args, types!));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const head = [`20 definitions, ${runs} runs`, 'wall ms', 'least', 'CPU ms', 'peak MB'];
console.log(table(head, rows));
