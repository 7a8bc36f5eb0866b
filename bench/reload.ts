// The time from a save of a file to the first reconcile with its code, under load, and what reloads cost and lose.
// Usage: npm run build && npm run bench:reload -- [--edits 1000] [--objects 100]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, loadClusterConfig, type KindRef, type KubeObject } from '../dist/index.js';
import { median, table } from './report.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { edits: { type: 'string', default: '1000' }, objects: { type: 'string', default: '100' } },
});
const edits = Number(values.edits);
const objects = Number(values.objects);

const OPERATOR = `
import { CustomResource, Field, Kind } from 'kindwright';
import { version } from './lib/version.js';

class GaugeSpec {
  @Field({ format: 'int32' }) value!: number;
}
class GaugeStatus {
  @Field({ format: 'int32', optional: true }) value?: number;
  @Field({ format: 'int32', optional: true }) version?: number;
}

let isUsed = false;

@Kind({ group: 'bench.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  @Field() status!: GaugeStatus;

  reconcile(): void {
    if (!isUsed) console.log('used ' + version + ' ' + Date.now());
    isUsed = true;
    this.status.value = this.spec.value;
    this.status.version = version;
  }
}
`;

interface Gauge extends KubeObject {
  readonly spec: { readonly value: number };
  readonly status?: { readonly value?: number; readonly version?: number };
}

const GAUGE = {
  ...{ group: 'bench.example.com', version: 'v1', kind: 'Gauge', plural: 'gauges', scope: 'Namespaced' },
} as KindRef<Gauge>;
const NAMESPACE = { namespace: 'default' };

const folder = mkdtempSync(join(tmpdir(), 'kindwright-reload-'));
const versionFile = join(folder, 'operators', 'lib', 'version.ts');
mkdirSync(join(folder, 'operators', 'lib'), { recursive: true });
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules', 'kindwright'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(join(folder, 'operators', 'gauge.ts'), OPERATOR);
const save = (version: number): void => {
  writeFileSync(versionFile, `export const version: number = ${version};\n`);
};
save(0);

const args = ['dev', '--no-samples', '--console=off', '--log-level=warn', '--metrics-bind-address=127.0.0.1:18790'];
const child = spawn(process.execPath, [join(root, 'dist', 'cli', 'bin', 'kindwright.js'), ...args], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => child.kill());
const usedAt = new Map<number, number>();
const waiting = new Map<number, () => void>();
let kubeconfig = '';
const isServing = new Promise<void>((resolve) => {
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, version, time] = /^used (\d+) (\d+)$/.exec(line) ?? [];
    const [, path] = /^export KUBECONFIG=(.+)$/.exec(line) ?? [];
    if (version !== undefined) usedAt.set(Number(version), Number(time));
    if (version !== undefined) waiting.get(Number(version))?.();
    if (path === undefined) return;
    kubeconfig = path;
    resolve();
  });
});
await isServing;

/** The number of requests of the operator that read, which includes every list and every watch. */
async function readRequests(): Promise<number> {
  const metrics = await (await fetch('http://127.0.0.1:18790/metrics')).text();
  const counts = metrics.matchAll(/^rest_client_requests_total\{[^}]*method="GET"[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

const residentMb = (): number => {
  const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
};

async function reloaded(version: number): Promise<number> {
  const used = new Promise<void>((resolve) => {
    waiting.set(version, resolve);
  });
  const savedAt = Date.now();
  save(version);
  await used;
  return (usedAt.get(version) ?? Infinity) - savedAt;
}

const client = new Client(await loadClusterConfig({ kubeconfig }));
const name = (index: number): string => `g${index % objects}`;
for (let index = 0; index < objects; index++)
  await client.create(GAUGE, { metadata: { name: name(index), ...NAMESPACE }, spec: { value: 0 } });
for (let version = 1; version <= 5; version++) await reloaded(version);

const loading = new AbortController();
let patches = 0;
const load = (async () => {
  for (; !loading.signal.aborted; patches++)
    await client.patch(GAUGE, name(patches), { spec: { value: patches } }, { ...NAMESPACE, type: 'merge' });
})();
const before = { reads: await readRequests(), residentMb: residentMb() };
const begin = performance.now();
const times: number[] = [];
for (let version = 6; version < 6 + edits; version++) {
  times.push(await reloaded(version));
  await delay(20 * Math.random());
}
const seconds = (performance.now() - begin) / 1000;
loading.abort();
await load;
const last = 5 + edits;
const isLost = ({ spec, status }: Gauge): boolean => status?.value !== spec.value || status.version !== last;
let lost = objects;
for (let tries = 0; tries < 100 && lost > 0; tries++) {
  await delay(100);
  lost = (await client.list(GAUGE, NAMESPACE)).items.filter(isLost).length;
}
const reads = (await readRequests()) - before.reads;
const growthMb = (residentMb() - before.residentMb) / edits;
const sorted = times.toSorted((a, b) => a - b);
const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
const head = [
  'edits',
  'patches/s',
  'median ms',
  'p95 ms',
  'max ms',
  'lists and watches',
  'lost keys',
  'MB RSS per edit',
];
const row = [
  String(edits),
  (patches / seconds).toFixed(0),
  ...[median(times), at(0.95), at(1)].map((ms) => ms.toFixed(0)),
  ...[String(reads), String(lost), growthMb.toFixed(2)],
];
console.log(table(head, [row]));
client.close();
child.kill('SIGINT');
await once(child, 'exit');
rmSync(folder, { recursive: true, force: true });
if (reads + lost > 0) process.exitCode = 1;
