// What the console costs: CPU time per reconcile and per write, and memory.
// Usage: npm run build && npm run bench:console -- [--objects 2000] [--rounds 5] [--storm 300]
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, loadClusterConfig, type KindRef, type UnstructuredObject } from '../dist/index.js';
import { startCluster } from '../dist/testing.js';
import { median, table } from './report.ts';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    storm: { type: 'string', default: '300' },
  },
});
const [objects, rounds, storm] = [values.objects, values.rounds, values.storm].map(Number) as [number, number, number];
const PER_SECOND = 1000;
/** More than the process can do, so that it is busy. */
const NO_LIMIT = 100_000;
const MEASURED_MS = 5000;
const NAMESPACE = { namespace: 'default' };
/** Linux reports CPU time in hundredths of a second. */
const TICK_MS = 10;
const METRICS = '127.0.0.1:18791';

/** A source reconciles objects that the file mode.json selects, without a request to the server. */
const OPERATOR = `
import { readFileSync } from 'node:fs';
import { CustomResource, Field, Kind, Source, type SourceContext } from 'kindwright';

class GaugeSpec {
  @Field({ format: 'int32' }) value!: number;
}
class GaugeStatus {
  @Field({ format: 'int32', optional: true }) runs?: number;
}

let mode = { perSecond: 0, writes: false };
let next = 0;
let runs = 0;

@Kind({ group: 'bench.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  @Field() status!: GaugeStatus;

  @Source({ every: '100ms' })
  static plan({ cache }: SourceContext) {
    mode = JSON.parse(readFileSync('mode.json', 'utf8'));
    const all = cache.list(Gauge);
    const count = Math.min(all.length, mode.perSecond / 10);
    return Array.from({ length: count }, () => all[next++ % all.length]!.metadata);
  }

  reconcile(): void {
    if (mode.writes) this.status.runs = ++runs;
  }
}
`;
const GAUGE = {
  ...{ group: 'bench.example.com', version: 'v1', kind: 'Gauge', plural: 'gauges', scope: 'Namespaced' },
} as KindRef<UnstructuredObject>;

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'kindwright-console-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules', 'kindwright'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(join(folder, 'gauge.ts'), OPERATOR);

interface Mode {
  readonly perSecond: number;
  readonly writes: boolean;
}
const use = (mode: Mode): void => {
  writeFileSync(join(folder, 'mode.json'), JSON.stringify(mode));
};
const QUIET: Mode = { perSecond: 0, writes: false };
use(QUIET);

const cluster = await startCluster();
const { kubeconfig } = cluster;

/** An operator in a process of its own, with or without a console. */
class Candidate {
  readonly url: string;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  static async start(mode: 'on' | 'off'): Promise<Candidate> {
    const flags = ['--install', '--log-level=info', `--metrics-bind-address=${METRICS}`, '--kubeconfig', kubeconfig];
    const bin = join(root, 'dist', 'cli', 'bin', 'run-operator.js');
    const node = ['--max-semi-space-size=8', bin, 'gauge.ts', `--console=${mode === 'on' ? '0' : 'off'}`];
    const child = spawn(process.execPath, [...node, ...flags], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        if (printed.length < 100_000) printed += String(data);
      });
    while (!printed.includes('Started workers')) {
      if (child.exitCode !== null) throw new Error(printed);
      await delay(50);
    }
    return new Candidate(child, /http:\S+#t=\S+/.exec(printed)?.[0] ?? '');
  }

  /** The CPU time of all threads so far. */
  cpuMs(): number {
    const [user, system] = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  }

  rssMb(): number {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) / 1024;
  }

  async reconciles(): Promise<number> {
    const text = await (await fetch(`http://${METRICS}/metrics`)).text();
    const counts = text.matchAll(/^controller_runtime_reconcile_total\{[^}]*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** The CPU time of one reconcile, in µs. */
  async cost(mode: Mode): Promise<number> {
    use(mode);
    await delay(MEASURED_MS); // compiles
    const before = { cpuMs: this.cpuMs(), reconciles: await this.reconciles() };
    await delay(MEASURED_MS);
    const cost = ((this.cpuMs() - before.cpuMs) * 1000) / ((await this.reconciles()) - before.reconciles);
    use(QUIET);
    await delay(1000);
    return cost;
  }

  async end(): Promise<void> {
    use(QUIET);
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  private get pid(): string {
    return String(this.child.pid ?? 0);
  }
}

interface Costs {
  readonly reconcileUs: number;
  readonly writeUs: number;
  readonly stormMb: number;
}

async function costsOf(mode: 'on' | 'off', withStorm: boolean): Promise<Costs> {
  const candidate = await Candidate.start(mode);
  const reconcileUs = await candidate.cost({ perSecond: NO_LIMIT, writes: false });
  const writeUs = await candidate.cost({ perSecond: NO_LIMIT, writes: true });
  if (withStorm) {
    use({ perSecond: PER_SECOND, writes: false });
    await delay(storm * 1000);
    use(QUIET);
    await delay(MEASURED_MS);
  }
  const stormMb = candidate.rssMb();
  await candidate.end();
  return { reconcileUs, writeUs, stormMb };
}

// The kind is installed by a first start, which is not measured.
await (await Candidate.start('off')).end();
const client = new Client(await loadClusterConfig({ kubeconfig }));
const create = (name: string) =>
  client.create(GAUGE, { metadata: { name, ...NAMESPACE }, spec: { value: 0 } });
let created = 0;
await Promise.all(
  Array.from({ length: 20 }, async () => {
    while (created < objects) await create(`g${String(created++)}`);
  }),
);

const costs: Record<'on' | 'off', Costs[]> = { on: [], off: [] };
for (let round = 0; round < rounds; round++)
  for (const mode of ['off', 'on'] as const) costs[mode].push(await costsOf(mode, round === rounds - 1));
const of = (mode: 'on' | 'off', key: keyof Costs): number => median(costs[mode].map((each) => each[key]));
const last = (mode: 'on' | 'off'): number => costs[mode].at(-1)?.stormMb ?? Number.NaN;
const compared = (title: string, key: keyof Costs, goal: string): string[] => [
  title,
  `${of('off', key).toFixed(1)} → ${of('on', key).toFixed(1)} (${(of('on', key) / of('off', key)).toFixed(3)})`,
  goal,
];
const rows = [
  compared('CPU of a reconcile without a write, µs', 'reconcileUs', '1.05'),
  compared('CPU of a reconcile with a write, µs', 'writeUs', '1.03'),
  [
    `resident memory after ${String(storm)} s of ${String(PER_SECOND)} reconciles/s, MB`,
    `${last('off').toFixed(1)} → ${last('on').toFixed(1)} (+${(last('on') - last('off')).toFixed(1)})`,
    '+10',
  ],
];
console.log(
  table([`${String(objects)} objects, medians of ${String(rounds)}`, 'without → with console', 'goal'], rows),
);
client.close();
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
