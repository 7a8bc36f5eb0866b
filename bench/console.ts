// What the console costs: start, CPU time per reconcile and per write, memory, and the work for a page that is open.
// Usage: npm run build && npm run bench:console -- [--objects 1000] [--rounds 5] [--storm 20] [--no-page]
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, loadClusterConfig, Namespace, type KindRef } from '../dist/index.js';
import { startCluster } from '../dist/testing.js';
import { Candidate, OPERATOR, type Mode, type Work } from './console-candidate.ts';
import { measurePage } from './console-page.ts';
import { median, table } from './report.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    objects: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    storm: { type: 'string', default: '20' },
    page: { type: 'boolean', default: true },
  },
});
const [objects, rounds, storm] = [values.objects, values.rounds, values.storm].map(Number) as [number, number, number];
/** More than the process can do, so that it is busy. */
const IDLE: Mode = { perSecond: 100_000, writes: false };
/** Less than the server can do; otherwise the source would add keys that wait already. */
const WRITES: Mode = { perSecond: 300, writes: true };
const STORM: Mode = { perSecond: 1000, writes: false };
const MEASURED_MS = 1000;
const STARTS = 4;
const GAUGE = {
  ...{ group: 'bench.example.com', version: 'v1', kind: 'Gauge', plural: 'gauges', scope: 'Namespaced' },
} as KindRef;

const folder = mkdtempSync(join(tmpdir(), 'kindwright-console-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(join(import.meta.dirname, '..'), join(folder, 'node_modules', 'kindwright'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(join(folder, 'gauge.ts'), OPERATOR);

const cluster = await startCluster();
const { kubeconfig } = cluster;
const client = new Client(await loadClusterConfig({ kubeconfig }));
const start = {
  off: () => Candidate.start('off', { folder, kubeconfig, metricsPort: 18791 }),
  on: () => Candidate.start('on', { folder, kubeconfig, metricsPort: 18792 }),
};

// The kind is installed by a first start, which is not measured.
await (await start.off()).end();
for (const namespace of ['off', 'on']) {
  await client.create(Namespace, { metadata: { name: namespace } });
  const names = Array.from({ length: objects }, (_, index) => `g${index}`).values();
  const create = async (): Promise<void> => {
    for (const name of names)
      await client.create(GAUGE, { metadata: { name, namespace }, spec: { value: 0 } } as never);
  };
  await Promise.all(Array.from({ length: 20 }, create));
}

interface Pair {
  readonly off: number;
  readonly on: number;
}
const starts: { readonly ms: Pair; readonly cpuMs: Pair; readonly rssMb: Pair }[] = [];
for (let round = 0; round < STARTS; round++) {
  const measured = { off: [0, 0, 0], on: [0, 0, 0] };
  for (const name of ['off', 'on'] as const) {
    const candidate = await start[name]();
    await delay(MEASURED_MS);
    measured[name] = [candidate.startMs, candidate.cpuMs(), candidate.rssMb()];
    await candidate.end();
  }
  const [ms, cpuMs, rssMb] = [0, 1, 2].map((index) => ({
    off: measured.off[index] ?? 0,
    on: measured.on[index] ?? 0,
  })) as [Pair, Pair, Pair];
  starts.push({ ms, cpuMs, rssMb });
}

const off = await start.off();
const on = await start.on();

/** The result of both candidates, in turn. */
async function alternately(mode: Mode, times: number, resultOf: (work: Work) => number): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < times; round++) {
    const first = round % 2 === 0 ? off : on;
    const a = resultOf(await first.work(mode, MEASURED_MS));
    const b = resultOf(await (first === off ? on : off).work(mode, MEASURED_MS));
    pairs.push(first === off ? { off: a, on: b } : { off: b, on: a });
  }
  return pairs;
}
const usPerReconcile = ({ cpuMs, reconciles }: Work): number => (cpuMs * 1000) / reconciles;
await alternately(IDLE, 2, usPerReconcile); // compiles
const idle = await alternately(IDLE, rounds, usPerReconcile);
await alternately(WRITES, 2, usPerReconcile);
const writes = await alternately(WRITES, rounds, usPerReconcile);
for (const candidate of [off, on]) candidate.use(STORM);
await delay(storm * 1000);
const memory = { off: off.rssMb(), on: on.rssMb() };
for (const candidate of [off, on]) candidate.use({ ...STORM, perSecond: 0 });

const of = (pairs: readonly Pair[]): Pair => ({
  off: median(pairs.map((pair) => pair.off)),
  on: median(pairs.map((pair) => pair.on)),
});
/** The median of the ratios, because both of a pair were measured under the same load. */
const ratio = (title: string, pairs: readonly Pair[], goal = ''): string[] => {
  const factor = median(pairs.map((pair) => pair.on / pair.off));
  return [title, `${of(pairs).off.toFixed(1)} → ${of(pairs).on.toFixed(1)} (${factor.toFixed(3)})`, goal];
};
const difference = (title: string, pair: Pair, goal = ''): string[] => {
  return [title, `${pair.off.toFixed(1)} → ${pair.on.toFixed(1)} (+${(pair.on - pair.off).toFixed(1)})`, goal];
};
const rows = [
  ratio(
    'time to start, ms',
    starts.map(({ ms }) => ms),
  ),
  ratio(
    'CPU of a start, ms',
    starts.map(({ cpuMs }) => cpuMs),
  ),
  difference('resident memory after a start, MB', of(starts.map(({ rssMb }) => rssMb)), '+10'),
  ratio('CPU of a reconcile without a write, µs', idle, '1.05'),
  ratio('CPU of a reconcile with a write, µs', writes, '1.03'),
  difference(`resident memory after ${storm} s of ${STORM.perSecond} reconciles/s, MB`, memory, '+10'),
];
console.log(table([`${objects} objects`, 'without → with console', 'goal'], rows));
if (values.page) {
  const cores = ({ cpuMs, ms }: Work): number => cpuMs / ms;
  const withoutPage = of(await alternately(STORM, 5, cores));
  console.log(
    `\n${table(['with a page', 'result', 'goal'], await measurePage({ on, objects, storm: STORM, withoutPage, client, kind: GAUGE }))}`,
  );
}
await Promise.all([off.end(), on.end()]);
client.close();
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
