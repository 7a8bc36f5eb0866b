// kindwright as a candidate of CONTRACT.md: the Mydemo of the contract, in a Manager as a program would run it.
import { readFileSync, writeSync } from 'node:fs';
import {
  Client,
  Controller,
  CustomResource,
  Field,
  InformerFactory,
  Kind,
  loadClusterConfig,
  Manager,
} from 'kindwright';

const isStatusMode = process.env['MODE'] === 'status';
const maxConcurrentReconciles = Number(process.env['CONCURRENCY'] ?? 16);

/** Ticks of 10 ms from boot to the start of this process. */
const startTicks = Number(
  readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')[19],
);
const sinceStart = (): number => Math.round(Number(process.hrtime.bigint()) / 1e6 - startTicks * 10);
const cpuMs = (): number => Math.round((process.cpuUsage().user + process.cpuUsage().system) / 1000);
const say = (line: object): void => {
  writeSync(1, `${JSON.stringify({ ...line, cpu_ms: cpuMs(), rss: process.memoryUsage.rss() })}\n`);
};

let reconciles = 0;
const latencies: number[] = [];
const lastSent = new Map<string, string>();

class MydemoSpec {
  @Field() ip!: string;
  @Field({ format: 'int32' }) port!: number;
}

class MydemoStatus {
  @Field({ format: 'int64', optional: true }) observedGeneration?: number;
  @Field({ optional: true }) message?: string;
}

@Kind({
  group: 'crddemo.k8s.io',
  version: 'v1',
  annotations: { 'api-approved.kubernetes.io': 'unapproved, experimental-only' },
})
@Controller({ maxConcurrentReconciles })
class Mydemo extends CustomResource {
  @Field() spec!: MydemoSpec;
  @Field() status!: MydemoStatus;

  reconcile(): void {
    reconciles += 1;
    this.noteLatency();
    if (!isStatusMode || this.status.observedGeneration === this.metadata.generation) return;
    const { generation } = this.metadata;
    this.status = {
      message: 'Mydemo synced successfully',
      ...(generation !== undefined && { observedGeneration: generation }),
    };
  }

  private noteLatency(): void {
    const { name, namespace = '', annotations } = this.metadata;
    const sent = annotations?.['bench/sent'];
    const key = `${namespace}/${name}`;
    if (sent === undefined || lastSent.get(key) === sent) return;
    lastSent.set(key, sent);
    latencies.push((performance.timeOrigin + performance.now()) * 1e3 - Number(sent) / 1e3);
  }
}

function reportEnd(): void {
  latencies.sort((a, b) => a - b);
  const quantile = (q: number): number => Math.round(latencies[Math.max(0, Math.ceil(q * latencies.length) - 1)] ?? 0);
  say({
    event: 'end',
    reconciles,
    lat_p50_us: quantile(0.5),
    lat_p99_us: quantile(0.99),
    lat_max_us: quantile(1),
    lat_n: latencies.length,
    max_rss: process.resourceUsage().maxRSS * 1024,
  });
}

const stop = new AbortController();
process.on('SIGTERM', () => {
  reportEnd();
  stop.abort();
});

const client = new Client(await loadClusterConfig());
const informers = new InformerFactory(client);
const lister = informers.lister(Mydemo);
const ended = new Manager({ client, informers, strict: false }).add(Mydemo).run(stop.signal);
await informers.synced(stop.signal);
say({ event: 'synced', ms: sinceStart(), objects: lister.size });
const ticks = setInterval(() => {
  say({ event: 'tick', reconciles });
}, 1000);
await ended;
clearInterval(ticks);
client.close();
