// Measures one transport against the server, in a process of its own, and prints the figures as one line of JSON.
// Usage: candidate.mjs own|undici write|list|stream SERVER WRITES, where SERVER is the line that the server prints.
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { SystemClock } from '../../src/base/system-clock.js';
import { Transport } from '../../src/client/http/transport.js';
import type { ListPage } from '../../src/client/assert-list.js';
import { readPages } from '../../src/client/pager.js';
import { Requester } from '../../src/client/requester.js';
import { Secret } from '../../src/client/secret.js';
import { Watcher } from '../../src/client/watch/watcher.js';

/** As the race (CONTRACT.md). */
const CONCURRENCY = 16;
const PAGE = 500;
const KIND: KindRef = {
  group: 'crddemo.k8s.io',
  version: 'v1',
  kind: 'Mydemo',
  plural: 'mydemos',
  scope: 'Namespaced',
};
const COLLECTION = '/apis/crddemo.k8s.io/v1/mydemos';

const [name, scenario, line = '', count] = process.argv.slice(2);
const writes = Number(count);
const { port, ca } = JSON.parse(line) as { port: number; ca: string };
const clock = new SystemClock();

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const residentMb = (): number => process.memoryUsage.rss() / 2 ** 20;

async function createTransport(): Promise<Transport> {
  const config = {
    server: new URL(`https://127.0.0.1:${port}`),
    namespace: undefined,
    source: 'bench',
    user: 'bench',
    tls: { ca: { data: new Secret(ca) } },
  };
  const options = { clock, userAgent: 'kindwright' };
  if (name === 'own') return new Transport(config, options);
  const { UndiciTransport } = await import('./undici-transport.js');
  return new UndiciTransport(config, ca, options);
}

async function writeStatuses(requester: Requester, count: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await writeStatus(requester, index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** A request as that of Client.update, with a body of about 1 KB. */
function writeStatus(requester: Requester, index: number): Promise<unknown> {
  const name = `demo-${String(index).padStart(6, '0')}`;
  return requester.request({
    method: 'PUT',
    path: `/apis/crddemo.k8s.io/v1/namespaces/ns-0/mydemos/${name}/status`,
    query: { fieldManager: 'kindwright' },
    resource: 'mydemos.crddemo.k8s.io',
    body: {
      apiVersion: 'crddemo.k8s.io/v1',
      kind: 'Mydemo',
      metadata: { name, namespace: 'ns-0', resourceVersion: String(index), labels: { app: name, tier: 'backend' } },
      spec: { ip: '10.0.0.1', port: 8080, text: 'x'.repeat(620) },
      status: { observedGeneration: index, message: 'Mydemo synced successfully' },
    },
    beforeSend: () => undefined,
    // Each reconcile has a signal of its own.
    signal: new AbortController().signal,
  });
}

async function listObjects(requester: Requester): Promise<KubeObject[]> {
  const fetch = async (limit: number, token: string | undefined): Promise<ListPage> =>
    requester.request({ method: 'GET', path: COLLECTION, query: { limit, continue: token } }) as Promise<ListPage>;
  return (await readPages(fetch, PAGE)).items;
}

async function streamObjects(transport: Transport, requester: Requester): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  const options = { sendInitialEvents: true, allowWatchBookmarks: true };
  await new Watcher(transport, requester, clock).stream(KIND, options, (type, object) => {
    if (type === 'ADDED') objects.push(object);
  });
  return objects;
}

const started = cpuMs();
const transport = await createTransport();
const created = cpuMs();
const requester = new Requester(transport, clock);
let objects: KubeObject[] = [];
let figures: Record<string, number>;
if (scenario === 'write') {
  await writeStatuses(requester, writes / 4);
  const warm = cpuMs();
  await writeStatuses(requester, writes);
  figures = { 'CPU per status write, µs': ((cpuMs() - warm) / writes) * 1000, 'memory after writes, MB': residentMb() };
} else {
  objects = scenario === 'list' ? await listObjects(requester) : await streamObjects(transport, requester);
  const title = scenario === 'list' ? 'paged list' : 'streamed list';
  figures = { [`${title}: CPU, ms`]: cpuMs() - created, [`${title}: memory after it, MB`]: residentMb() };
}
console.log(
  JSON.stringify({ 'CPU to load and create it, ms': created - started, ...figures, objects: objects.length }),
);
transport.close();
