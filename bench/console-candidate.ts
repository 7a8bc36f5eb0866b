import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A source reconciles objects that a file selects; each reconcile reads one object from the cache. */
export const OPERATOR = `
import { readFileSync } from 'node:fs';
import { Controller, CustomResource, Field, Kind, Source, type Context, type SourceContext } from 'kindwright';

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
@Controller({ maxConcurrentReconciles: 16 })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  @Field() status!: GaugeStatus;

  @Source({ every: '100ms' })
  static plan({ cache }: SourceContext) {
    mode = JSON.parse(readFileSync(process.env['MODE_FILE']!, 'utf8'));
    if (mode.perSecond === 0) return [];
    const all = cache.list(Gauge);
    const count = Math.min(all.length, mode.perSecond / 10);
    return Array.from({ length: count }, () => all[next++ % all.length]!.metadata);
  }

  async reconcile(ctx: Context): Promise<void> {
    await ctx.get(Gauge, this.metadata.name);
    if (mode.writes) this.status.runs = ++runs;
  }
}
`;

export interface Mode {
  readonly perSecond: number;
  readonly writes: boolean;
}

export interface Work {
  readonly cpuMs: number;
  readonly ms: number;
  readonly reconciles: number;
}

const QUIET: Mode = { perSecond: 0, writes: false };
const RUN_OPERATOR = join(import.meta.dirname, '..', 'dist', 'cli', 'bin', 'run-operator.js');
/** Time in which the code is compiled, or the remaining work ends. */
const SETTLE_MS = 300;

export interface CandidateOptions {
  /** The folder of the operator. */
  readonly folder: string;
  readonly kubeconfig: string;
  readonly metricsPort: number;
  /** Options of Node, such as those of a profiler. */
  readonly node?: readonly string[];
}

/** An operator in a process of its own, with or without a console, for the namespace of the same name. */
export class Candidate {
  readonly url: string;
  readonly startMs: number;
  private readonly child: ChildProcess;
  private readonly metrics: string;
  private readonly modeFile: string;

  private constructor(child: ChildProcess, metrics: string, modeFile: string, started: { url: string; ms: number }) {
    this.child = child;
    this.metrics = metrics;
    this.modeFile = modeFile;
    this.url = started.url;
    this.startMs = started.ms;
  }

  static async start(name: 'on' | 'off', options: CandidateOptions): Promise<Candidate> {
    const { folder, kubeconfig, metricsPort, node = [] } = options;
    const metrics = `127.0.0.1:${metricsPort}`;
    const modeFile = join(folder, `${name}.json`);
    writeFileSync(modeFile, JSON.stringify(QUIET));
    const flags = ['--install', '--log-level=info', `--metrics-bind-address=${metrics}`, '--kubeconfig', kubeconfig];
    const console = `--console=${name === 'on' ? '0' : 'off'}`;
    const args = ['--max-semi-space-size=8', ...node, RUN_OPERATOR, 'gauge.ts', console, '--namespace', name, ...flags];
    const env = { ...process.env, MODE_FILE: modeFile };
    const began = performance.now();
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    process.once('exit', () => child.kill());
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        if (printed.length < 100_000) printed += String(data);
      });
    while (!printed.includes('Started workers')) {
      if (child.exitCode !== null) throw new Error(printed);
      await delay(10);
    }
    const url = /http:\S+#t=\S+/.exec(printed)?.[0] ?? '';
    return new Candidate(child, metrics, modeFile, { url, ms: performance.now() - began });
  }

  use(mode: Mode): void {
    writeFileSync(this.modeFile, JSON.stringify(mode));
  }

  /** What the process does in a time, in one mode. */
  async work(mode: Mode, ms: number): Promise<Work> {
    this.use(mode);
    await delay(SETTLE_MS);
    const before = { cpuMs: this.cpuMs(), ms: performance.now(), reconciles: await this.reconciles() };
    await delay(ms);
    const reconciles = (await this.reconciles()) - before.reconciles;
    const work = { cpuMs: this.cpuMs() - before.cpuMs, ms: performance.now() - before.ms, reconciles };
    this.use(QUIET);
    await delay(SETTLE_MS);
    return work;
  }

  /** The CPU time of all threads. */
  cpuMs(): number {
    const threads = readdirSync(`/proc/${this.pid}/task`);
    return threads.reduce((sum, id) => sum + Number(this.read(`task/${id}/schedstat`).split(' ')[0]) / 1e6, 0);
  }

  rssMb(): number {
    return Number(/VmRSS:\s+(\d+) kB/.exec(this.read('status'))?.[1]) / 1024;
  }

  async end(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  private async reconciles(): Promise<number> {
    const text = await (await fetch(`http://${this.metrics}/metrics`)).text();
    const counts = text.matchAll(/^controller_runtime_reconcile_total\{[^}]*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  private read(file: string): string {
    return readFileSync(`/proc/${this.pid}/${file}`, 'utf8');
  }

  private get pid(): string {
    return String(this.child.pid ?? 0);
  }
}
