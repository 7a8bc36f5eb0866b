// The webhooks of an operator beside those of controller-runtime: TLS, the same AdmissionReviews, one server after the
// other. Prints medians with the goal of each. Usage: npm run bench:webhooks -- [--rounds 3] [--seconds 4] Servers have
// core 0 to themselves, the load has core 1. Needs Go; the first build takes minutes.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { Client, CustomResourceDefinition, loadClusterConfig } from 'kindwright';
import { cache, compiledCandidate, goBuild } from './build-candidates.ts';
import { median } from './report.ts';
import { measureCreates } from './webhooks/create-latency.ts';
import { printResults, type Results } from './webhooks/goals.ts';
import { conversionReviewText, reviewText } from './webhooks/reviews.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '4' } },
});

const PATHS = {
  validate: '/validate-apps-jicki-cn-podset',
  mutate: '/mutate-apps-jicki-cn-podset',
};
const LIST = 10_000;
const SMALL_LIST = 500;
/** The memory of an operator is measured when its start is over. */
const IDLE_MS = 2000;
const WARM_UP_SECONDS = 3;
/** The starts of each operator per round: single ones differ by more than the goal. */
const STARTS = 5;

/** The output of the load. */
interface Measured {
  readonly reviews: number;
  readonly cpuMicros: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly listMs: number;
  readonly listCpuMs: number;
}

interface Server {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'kindwright-bench-'));
const file = (name: string): string => join(folder, name);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function ended(child: ChildProcess): () => Promise<void> {
  return async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
}

/** Starts the operator of webhooks/webhook-operator.ts, and resolves when its log has the lines. */
async function startOperator(
  kubeconfig: string,
  port: number,
  { webhooks, lines }: { webhooks: 'yes' | 'no'; lines: readonly string[] },
): Promise<Server & { startMs: number }> {
  const begin = performance.now();
  const profile = process.env['CPU_PROFILE'];
  const profiling = profile === undefined || webhooks === 'no' ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
  // The option is that of the generated Dockerfile.
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=8', ...profiling, join(import.meta.dirname, '.build', 'webhook-operator.js')],
    {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        KUBECONFIG: kubeconfig,
        CERT_DIR: folder,
        PORT: String(port),
        WEBHOOKS: webhooks,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const missing = new Set(lines);
  for await (const line of createInterface({ input: child.stdout })) {
    missing.delete((JSON.parse(line) as { message: string }).message);
    if (missing.size === 0) break;
  }
  const startMs = performance.now() - begin;
  return { pid: child.pid ?? 0, url: `https://127.0.0.1:${port}`, startMs, stop: ended(child) };
}

async function startPeer(port: number): Promise<Server> {
  const child = spawn(join(cache, 'webhooks', 'server.bin'), ['-cert-dir', folder, '-port', String(port)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  while (!(await accepts(port))) await delay(50);
  return { pid: child.pid ?? 0, url: `https://127.0.0.1:${port}`, stop: ended(child) };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => socket.end());
    socket.once('close', (failed: boolean) => resolve(!failed));
    socket.resume(); // to see the end of the connection
    socket.once('error', () => resolve(false));
  });
}

async function load({ url, pid }: Server, path: string, ...args: readonly string[]): Promise<Measured> {
  const target = ['-url', `${url}${path}?timeout=10s`, '-ca', file('tls.crt'), '-pid', String(pid)];
  const { stdout } = await promisify(execFile)('taskset', [
    ...['-c', '1', join(cache, 'webhooks', 'load.bin'), ...target, '-seconds', values.seconds, ...args],
  ]);
  return JSON.parse(stdout) as Measured;
}

const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Reviews of both webhooks: many immediately, one at a time, and at a rate. */
async function measureReviews(server: Server): Promise<Record<string, number>> {
  const results: Record<string, number> = {};
  for (const [name, path] of Object.entries(PATHS)) {
    const body = [
      '-body',
      file('review.json'),
      '-expected',
      name === 'mutate' ? '"patchType":"JSONPatch"' : '"allowed":true',
    ];
    await load(server, path, ...body, '-seconds', String(WARM_UP_SECONDS));
    const many = await load(server, path, ...body);
    const one = await load(server, path, ...body, '-connections', '1');
    const steady = await load(server, path, ...body, '-connections', '64', '-rate', '1000');
    results[`${name}, CPU µs`] = many.cpuMicros;
    results[`${name}, reviews/s/core`] = 1e6 / many.cpuMicros;
    results[`${name}, one connection: CPU µs`] = one.cpuMicros;
    results[`${name}, one connection: p50 ms`] = one.p50Ms;
    results[`${name}, one connection: p99 ms`] = one.p99Ms;
    results[`${name}, 1,000/s: p99 ms`] = steady.p99Ms;
  }
  results['memory after reviews, MB'] = rssMb(server.pid);
  return results;
}

async function measureConversions(server: Server): Promise<Record<string, number>> {
  const list = ['-list-url', `${server.url}/convert?timeout=30s`];
  const body = ['-body', file('review.json')];
  const idle = ['-connections', '0', ...body, ...list];
  const before = rssMb(server.pid);
  for (let warm = 0; warm < 10; warm++) await load(server, PATHS.validate, ...idle, '-list-body', file('small.json'));
  const small = await load(server, PATHS.validate, ...idle, '-list-body', file('small.json'));
  const long = await load(server, PATHS.validate, ...idle, '-list-body', file('list.json'));
  const beside: Measured[] = [];
  for (let run = 0; run < 3; run++) {
    const args = ['-list-body', file('list.json'), '-connections', '64', '-rate', '1000', '-warm-up-seconds', '1'];
    beside.push(await load(server, PATHS.validate, ...body, ...list, ...args));
  }
  return {
    'conversion, CPU µs per object of 2 KB': (long.listCpuMs * 1000) / LIST,
    '500 objects, ms': small.listMs,
    '10,000 objects, ms': long.listMs,
    'admission p99 beside 10,000 objects, ms': median(beside.map(({ p99Ms }) => p99Ms)),
    'memory added by conversions, MB': rssMb(server.pid) - before,
  };
}

async function measureStart(kubeconfig: string): Promise<Record<string, number>> {
  const measured = async (webhooks: 'yes' | 'no', lines: readonly string[]) => {
    const operator = await startOperator(kubeconfig, await freePort(), { webhooks, lines });
    await delay(IDLE_MS);
    const mb = rssMb(operator.pid);
    await operator.stop();
    return { ms: operator.startMs, mb };
  };
  const without = await measured('no', ['Started workers']);
  const serving = await measured('yes', ['Started workers', 'Serving webhooks']);
  return { 'start-up added, ms': serving.ms - without.ms, 'memory added, MB': serving.mb - without.mb };
}

function collect(results: Results, measured: Record<string, number>): void {
  for (const [name, value] of Object.entries(measured)) (results[name] ??= []).push(value);
}

async function benchmark(kubeconfig: string): Promise<void> {
  const [ours, peer]: [Results, Results] = [{}, {}];
  await measureStart(kubeconfig); // the first start compiles
  for (let round = 1; round <= Number(values.rounds); round++) {
    console.error(`round ${round}`);
    const operator = await startOperator(kubeconfig, await freePort(), {
      webhooks: 'yes',
      lines: ['Serving webhooks'],
    });
    collect(ours, await measureReviews(operator));
    collect(ours, await measureConversions(operator));
    const webhook = { url: `${operator.url}${PATHS.validate}`, ca: readFileSync(file('tls.crt'), 'utf8') };
    collect(ours, await measureCreates(kubeconfig, webhook));
    await operator.stop();
    const server = await startPeer(await freePort());
    collect(peer, await measureReviews(server));
    await server.stop();
    for (let run = 0; run < STARTS; run++) collect(ours, await measureStart(kubeconfig));
  }
  printResults(values.rounds, ours, peer);
}

/** The embedded server with the definition of PodSet, in a process of its own. */
async function startApiServer(): Promise<{ kubeconfig: string; stop(): Promise<void> }> {
  const child = spawn(
    'taskset',
    ['-c', '1', process.execPath, join(import.meta.dirname, 'api-server', 'embedded.ts')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [kubeconfig] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { kubeconfig, stop };
}

async function installPodSet(kubeconfig: string): Promise<void> {
  const client = new Client(await loadClusterConfig({ kubeconfig }));
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } as const;
  await client.create(CustomResourceDefinition, {
    metadata: { name: 'podsets.apps.jicki.cn' },
    spec: {
      group: 'apps.jicki.cn',
      names: { kind: 'PodSet', plural: 'podsets' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  client.close();
}

execFileSync('taskset', ['-p', '-c', '0', String(process.pid)]); // inherited by the servers
console.error('building the peer and the load (minutes the first time)');
for (const program of ['server', 'load']) goBuild('webhooks', `${program}.bin`, `./${program}`);
compiledCandidate('webhooks/webhook-operator.ts');
const certificate = ['-keyout', file('tls.key'), '-out', file('tls.crt'), '-subj', '/CN=127.0.0.1'];
const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -addext subjectAltName=IP:127.0.0.1';
execFileSync('openssl', [...request.split(' '), ...certificate], { stdio: 'ignore' });
writeFileSync(file('review.json'), reviewText());
writeFileSync(file('small.json'), conversionReviewText(SMALL_LIST));
writeFileSync(file('list.json'), conversionReviewText(LIST));
const apiServer = await startApiServer();
try {
  await installPodSet(apiServer.kubeconfig);
  await benchmark(apiServer.kubeconfig);
} finally {
  await apiServer.stop();
  rmSync(folder, { recursive: true });
}
