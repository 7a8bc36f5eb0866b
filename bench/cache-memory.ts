// Memory of a cache of Pods: whole, with five fields, and metadata only, of kindwright and the peers. One process for
// each; see README.md.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cache, compiledCandidate, copied, goBuild, run } from './build-candidates.ts';
import { podJson } from './pod-json.ts';
import type { Measured } from './cache-candidate.ts';

const [mode = 'compare'] = process.argv.slice(2);
const COUNT = Number(process.env['PODS'] ?? 50_000);
/** Pods have a name and a uid alone: 200 bytes. */
const IS_SMALL = process.env['SMALL'] === '1';
const SHAPES = ['whole', 'five fields', 'metadata only'];

interface Candidate {
  readonly command: string;
  readonly args: readonly string[];
  build(): unknown;
}

const candidates: Readonly<Record<string, Candidate>> = {
  // With the room for new objects of the generated Dockerfile.
  kindwright: {
    command: process.execPath,
    args: ['--expose-gc', '--max-semi-space-size=8', join(import.meta.dirname, '.build', 'cache-candidate.js')],
    build: () => compiledCandidate('cache-candidate.ts'),
  },
  'controller-runtime': {
    command: join(cache, 'cr-go', 'cache-memory'),
    args: [],
    build: () => {
      goBuild('cr-go', 'cache-memory', './cache');
    },
  },
  'kube-rs': {
    command: join(cache, 'kube-rs', 'target', 'release', 'cache'),
    args: [],
    build: () => {
      run('cargo', ['build', '--release', '-q'], copied('kube-rs'));
    },
  },
};

if (mode === 'server') startServer();
else await compare();

function pod(index: number, isMetadataOnly: boolean): string {
  return podJson(index, { isMetadataOnly, isSmall: IS_SMALL });
}

/** Serves the Pods as a streamed list and in pages, and watches without events. */
function startServer(): void {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    if (!pathname.endsWith('/pods')) {
      response.writeHead(404).end(); // a manager reviews its permissions
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    if (!searchParams.has('watch')) void writePage(request, response, searchParams);
    else if (searchParams.has('sendInitialEvents')) void writeEvents(request, response);
    else response.flushHeaders();
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

const wantsMetadata = ({ headers }: IncomingMessage): boolean =>
  headers.accept?.includes('PartialObjectMetadata') ?? false;

async function writeEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (let index = 0; index < COUNT; index++) {
    const line = `{"type":"ADDED","object":${pod(index, wantsMetadata(request))}}\n`;
    if (!response.write(line)) await once(response, 'drain');
  }
  const metadata = { resourceVersion: String(COUNT), annotations: { 'k8s.io/initial-events-end': 'true' } };
  const type = wantsMetadata(request) ? ['PartialObjectMetadata', 'meta.k8s.io/v1'] : ['Pod', 'v1'];
  const object = { kind: type[0], apiVersion: type[1], metadata };
  response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
}

async function writePage(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(COUNT, from + Number(query.get('limit') ?? COUNT));
  const type = wantsMetadata(request)
    ? '"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1"'
    : '"kind":"PodList","apiVersion":"v1"';
  const metadata = { resourceVersion: String(COUNT), ...(to < COUNT && { continue: String(to) }) };
  response.write(`{${type},"metadata":${JSON.stringify(metadata)},"items":[`);
  for (let index = from; index < to; index++) {
    const text = `${index > from ? ',' : ''}${pod(index, wantsMetadata(request))}`;
    if (!response.write(text)) await once(response, 'drain');
  }
  response.end(']}');
}

/** The names that an environment variable lists, or all. */
function chosen(variable: string, names: readonly string[]): readonly string[] {
  const wanted = process.env[variable]?.split(',');
  const unknown = wanted?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`${variable}: unknown ${unknown.join(', ')}; use ${names.join(', ')}`);
  return wanted ?? names;
}

async function compare(): Promise<void> {
  const names = chosen('ONLY', Object.keys(candidates));
  for (const name of names) candidates[name]?.build();
  const server = fork(import.meta.filename, ['server']);
  const [address] = (await once(server, 'message')) as [string];
  process.stdout.write(`${COUNT} Pods of ${pod(0, false).length} bytes, metadata ${pod(0, true).length} bytes\n`);
  for (const shape of chosen('SHAPES', SHAPES))
    for (const name of names) {
      const { command = '', args = [] } = candidates[name] ?? {};
      const { stdout } = await promisify(execFile)(command, [...args, shape, address]);
      const { objects, heap, rss, peak, cpuMs } = JSON.parse(stdout) as Measured;
      const sizes = `RSS ${rss.toFixed(0)} MB, peak ${peak.toFixed(0)} MB, CPU ${cpuMs} ms`;
      const added = heap === undefined ? '' : `, heap ${heap.toFixed(0)} MB`;
      process.stdout.write(`${shape}, ${name}: ${objects} objects, ${sizes}${added}\n`);
    }
  server.kill();
}
