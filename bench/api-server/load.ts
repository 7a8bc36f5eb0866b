// Puts one load on an API server, and prints what it measured as JSON.
// Usage: node bench/api-server/load.ts KUBECONFIG --objects 10000 --pids 1,2
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from '../report.ts';
import { readAccess } from './access.ts';
import { Connection } from './connection.ts';

const { values, positionals } = parseArgs({
  options: { objects: { type: 'string', default: '10000' }, pids: { type: 'string', default: '' } },
  allowPositionals: true,
});
const [kubeconfig = ''] = positionals;
const OBJECTS = Number(values.objects);
const WRITERS = 16;
const WATCHERS = 10;
const MANY_WATCHERS = 300;
const COLLECTION = '/api/v1/namespaces/bench/configmaps';
/** Earlier garbage has been collected by then. */
const SETTLE_MS = 2000;

const access = readAccess(kubeconfig);
const open = (count: number): Promise<Connection[]> =>
  Promise.all(Array.from({ length: count }, () => Connection.open(access)));
const writers = await open(WRITERS);
const [first] = writers;
if (!first) throw new Error('no connection');

const filling = 'x'.repeat(750); // with what the server adds: about 1 KB
const configMap = (index: number, serial: number): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `map-${index}` },
    data: { serial: `${serial}`, filling },
  });

async function succeed(connection: Connection, method: string, path: string, body = ''): Promise<Buffer> {
  const { code, bytes } = await connection.send(method, path, body);
  if (code < 200 || code > 299) throw new Error(`${method} ${path}: ${bytes.toString().slice(0, 1000)}`);
  return bytes;
}

interface Rate {
  readonly perSecond: number;
  /** Of the server's own CPU time: on a machine with other work to do, what one core to itself would come to. */
  readonly perCpuSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Sends requests 0 to `count` - 1, each writer one at a time. */
async function send(
  count: number,
  request: (connection: Connection, index: number) => Promise<unknown>,
): Promise<Rate> {
  const latencies: number[] = [];
  let next = 0;
  const stop = stopwatch();
  const work = async (connection: Connection): Promise<void> => {
    while (next < count) {
      const start = performance.now();
      await request(connection, next++);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(writers.map(work));
  const { seconds, cpuSeconds } = stop();
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { perSecond: count / seconds, perCpuSecond: count / cpuSeconds, p50: at(0.5), p99: at(0.99) };
}

const update = (connection: Connection, index: number, serial: number): Promise<Buffer> =>
  succeed(connection, 'PUT', `${COLLECTION}/map-${index}`, configMap(index, serial));

const TICKS_PER_SECOND = 100;

/** CPU time of all the server's processes, in user mode and in the kernel. */
function cpuTicks(): number {
  const stats = values.pids.split(',').map((pid) => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const fields = stats.map((stat) => stat.replace(/^.*\) /s, '').split(' '));
  return fields.reduce((sum, all) => sum + Number(all[11]) + Number(all[12]), 0);
}

/** Returns a function that returns the elapsed time and the CPU time that the server has used since. */
function stopwatch(): () => { seconds: number; cpuSeconds: number } {
  const [begin, ticks] = [performance.now(), cpuTicks()];
  return () => ({
    seconds: (performance.now() - begin) / 1000,
    cpuSeconds: (cpuTicks() - ticks) / TICKS_PER_SECOND,
  });
}

function rssKb(): number {
  const status = values.pids.split(',').map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'));
  return status.reduce((sum, text) => sum + Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1]), 0);
}

async function revision(connection: Connection): Promise<string> {
  const list = (await succeed(connection, 'GET', `${COLLECTION}?limit=1`)).toString();
  return /"resourceVersion":"(\d+)"/.exec(list)?.[1] ?? '';
}

/** Watches by which `expected` events each are to come, from a resourceVersion on. */
function follow(watchers: readonly Connection[], since: string, expected: number): Promise<unknown> {
  const all = watchers.map(
    (watcher) =>
      new Promise<void>((resolve) => {
        let left = expected;
        watcher.watch(`${COLLECTION}?watch=1&resourceVersion=${since}`, (count) => {
          left -= count;
          if (left <= 0) resolve();
        });
      }),
  );
  return Promise.all(all);
}

async function measureManyWatchers(): Promise<{ kbPerWatcher: number; fanOutMs: number }> {
  await delay(SETTLE_MS);
  const before = rssKb();
  const watchers = await open(MANY_WATCHERS);
  let onEvents: () => void = () => undefined;
  const since = await revision(first!);
  for (const watcher of watchers) watcher.watch(`${COLLECTION}?watch=1&resourceVersion=${since}`, () => onEvents());
  await delay(SETTLE_MS);
  const kbPerWatcher = (rssKb() - before) / MANY_WATCHERS;
  const times: number[] = [];
  for (let serial = 1; serial <= 20; serial++) {
    let left = MANY_WATCHERS;
    const told = new Promise<void>((resolve) => {
      onEvents = () => {
        left -= 1;
        if (left === 0) resolve();
      };
    });
    const begin = performance.now();
    await update(first!, 0, serial);
    await told;
    times.push(performance.now() - begin);
  }
  for (const watcher of watchers) watcher.close();
  return { kbPerWatcher, fanOutMs: median(times) };
}

async function measureLists(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const begin = performance.now();
    await succeed(first!, 'GET', COLLECTION);
    times.push(performance.now() - begin);
  }
  return median(times);
}

type Deliveries = Pick<Rate, 'perSecond' | 'perCpuSecond'>;

/** Events a second to all watchers, of changes that happened before. */
async function measureCatchUp(since: string, events: number): Promise<Deliveries> {
  const watchers = await open(WATCHERS);
  const stop = stopwatch();
  await follow(watchers, since, events);
  const { seconds, cpuSeconds } = stop();
  for (const watcher of watchers) watcher.close();
  return { perSecond: (events * WATCHERS) / seconds, perCpuSecond: (events * WATCHERS) / cpuSeconds };
}

/** Events a second to all watchers, while the changes are made. */
async function measureLive(events: number): Promise<Deliveries> {
  const watchers = await open(WATCHERS);
  const followed = follow(watchers, await revision(first!), events);
  const stop = stopwatch();
  await send(events, (connection, index) => update(connection, index % OBJECTS, 1_000_000 + index));
  await followed;
  const { seconds, cpuSeconds } = stop();
  for (const watcher of watchers) watcher.close();
  return { perSecond: (events * WATCHERS) / seconds, perCpuSecond: (events * WATCHERS) / cpuSeconds };
}

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } };
await succeed(first, 'POST', '/api/v1/namespaces', JSON.stringify(namespace));
await succeed(first, 'POST', COLLECTION, configMap(0, 0));
const many = await measureManyWatchers();
const creates = await send(OBJECTS - 1, (connection, index) =>
  succeed(connection, 'POST', COLLECTION, configMap(index + 1, 0)),
);
const listMs = await measureLists();
const since = await revision(first);
const changes = Math.ceil(OBJECTS / 2);
const updates = await send(changes, (connection, index) => update(connection, index, index + 1));
const catchUp = await measureCatchUp(since, changes);
const live = await measureLive(changes);
const rssMb = rssKb() / 1024;
console.log(JSON.stringify({ ...many, creates, updates, listMs, catchUp, live, rssMb }));
process.exit();
