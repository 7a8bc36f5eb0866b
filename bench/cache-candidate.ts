// Caches all Pods of a server with kindwright and prints the memory of its process, as the peers in cr-go/cache and
// kube-rs/src/bin do. Arguments: the shape (whole, five fields, metadata only) and the URL of the server. See README.md.
import { Client, InformerFactory, partOf, Pod, type KindRef } from 'kindwright';

/** In MB, after the sync and a collection of garbage; the heap is what the sync adds to it. */
export interface Measured {
  readonly objects: number;
  readonly rss: number;
  readonly peak: number;
  readonly cpuMs: number;
  readonly heap?: number;
}

const FIELDS = ['spec.nodeName', 'status.phase', 'status.podIP', 'status.startTime', 'metadata.annotations'] as const;
const shapes: Readonly<Record<string, KindRef>> = {
  whole: Pod,
  'five fields': partOf(Pod, { fields: FIELDS }),
  'metadata only': partOf(Pod, { metadataOnly: true }),
};

const [shape = '', url = ''] = process.argv.slice(2);
const kind = shapes[shape];
if (kind === undefined) throw new Error(`unknown shape ${shape}; use ${Object.keys(shapes).join(', ')}`);
const client = new Client({ server: new URL(url), namespace: undefined, source: 'bench', user: 'bench' });
const factory = new InformerFactory(client);
const lister = factory.lister(kind);
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
factory.start();
await factory.synced();
const { user, system } = process.cpuUsage();
const peak = process.resourceUsage().maxRSS / 1024;
globalThis.gc?.();
const heap = (process.memoryUsage().heapUsed - before) / 2 ** 20;
const rss = process.memoryUsage.rss() / 2 ** 20;
const cpuMs = Math.round((user + system) / 1000);
process.stdout.write(`${JSON.stringify({ objects: lister.size, heap, rss, peak, cpuMs } satisfies Measured)}\n`);
process.exit(0);
