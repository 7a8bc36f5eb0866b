// Memory of a cache of Pods: whole, with five fields, and metadata only. One process for each; see README.md.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Client, InformerFactory, partOf, Pod, type KindRef } from 'kindwright';

const [mode = 'compare', url = ''] = process.argv.slice(2);
const COUNT = Number(process.env['PODS'] ?? 50_000);
const FIELDS = ['spec.nodeName', 'status.phase', 'status.podIP', 'status.startTime', 'metadata.annotations'] as const;
const shapes: Readonly<Record<string, KindRef>> = {
  whole: Pod,
  'five fields': partOf(Pod, { fields: FIELDS }),
  'metadata only': partOf(Pod, { metadataOnly: true }),
};

if (mode === 'server') serve();
else if (mode === 'compare') await compare();
else await measure(shapes[mode] ?? Pod);

/** A Pod of 4.5 KB as JSON, or its metadata. */
function pod(index: number, isMetadataOnly: boolean): string {
  const id = index.toString(16).padStart(12, '0');
  const metadata = {
    name: `web-${id}`,
    namespace: `team-${index % 50}`,
    uid: `6b1a7c1e-0000-4000-8000-${id}`,
    resourceVersion: String(index + 1),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: 'web', 'pod-template-hash': id, tier: `tier-${index % 7}` },
    annotations: { 'example.com/checksum': id.repeat(4) },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `web-${index % 900}`, uid: id, controller: true },
    ],
  };
  if (isMetadataOnly) return JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
  const env = Array.from({ length: 40 }, (_, at) => ({ name: `VARIABLE_${at}`, value: `value ${at} of ${id}` }));
  const containers = [{ name: 'web', image: 'registry.example.com/web:1.2.3', env }];
  const conditions = ['Ready', 'Initialized', 'ContainersReady', 'PodScheduled'].map((type) => ({
    ...{ type, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', message: `condition of ${id}`.repeat(8) },
  }));
  const status = { phase: 'Running', podIP: '10.0.0.1', startTime: '2026-01-01T00:00:00Z', conditions };
  const spec = { nodeName: `node-${index % 500}`, containers };
  return JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata, spec, status });
}

/** Serves the Pods as a streamed list, and a watch without events after it. */
function serve(): void {
  const server = createServer((request, response) => {
    void (async () => {
      const isMetadataOnly = request.headers.accept?.includes('PartialObjectMetadata') ?? false;
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let index = 0; index < COUNT; index++) {
        const line = `{"type":"ADDED","object":${pod(index, isMetadataOnly)}}\n`;
        if (!response.write(line)) await once(response, 'drain');
      }
      const metadata = { resourceVersion: String(COUNT), annotations: { 'k8s.io/initial-events-end': 'true' } };
      response.write(`${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', apiVersion: 'v1', metadata } })}\n`);
    })();
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

/** Prints the memory after the sync and a collection. */
async function measure(kind: KindRef): Promise<void> {
  const config = { server: new URL(url), namespace: undefined, source: 'bench', user: 'bench' };
  const client = new Client(config);
  const factory = new InformerFactory(client);
  const lister = factory.lister(kind);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  factory.start();
  await factory.synced();
  const cpuMs = Math.round(process.cpuUsage().user / 1000);
  const peak = process.resourceUsage().maxRSS / 1024;
  globalThis.gc?.();
  const heap = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  const rss = process.memoryUsage.rss() / 2 ** 20;
  process.stdout.write(`${JSON.stringify({ objects: lister.size, heap, rss, peak, cpuMs })}\n`);
  process.exit(0);
}

async function compare(): Promise<void> {
  const server = fork(import.meta.filename, ['server']);
  const [address] = (await once(server, 'message')) as [string];
  process.stdout.write(`${COUNT} Pods of ${pod(0, false).length} bytes\n`);
  let whole: number | undefined;
  for (const shape of Object.keys(shapes)) {
    const args = ['--expose-gc', import.meta.filename, shape, address];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const found = JSON.parse(stdout) as Readonly<Record<'objects' | 'heap' | 'rss' | 'peak' | 'cpuMs', number>>;
    whole ??= found.heap;
    const { objects, heap, rss, peak, cpuMs } = found;
    const sizes = `heap ${heap.toFixed(0)} MB, RSS ${rss.toFixed(0)} MB, peak ${peak.toFixed(0)} MB, CPU ${cpuMs} ms`;
    process.stdout.write(`${shape}: ${objects} objects, ${sizes}, heap ratio ${(heap / whole).toFixed(2)}\n`);
  }
  server.kill();
}
