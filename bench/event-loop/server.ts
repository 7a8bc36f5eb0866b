// Serves Pods, changes of all of them, and a Lease; measures how fast the client renews the Lease and answers probes.
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { podJson } from '../pod-json.ts';

/** Requests of the benchmark. */
export type ServerRequest =
  /** A change of every Pod. */
  | { readonly do: 'storm' }
  /** A change of the first Pod. */
  | { readonly do: 'touch' }
  /** Lists show all objects in a newer version; `isPaged` also rejects streamed lists. */
  | { readonly do: 'replace'; readonly isPaged: boolean }
  | { readonly do: 'probe'; readonly url: string }
  | { readonly do: 'report' };

/** The longest response time of a probe, and the longest delay of a renewal, since the last report. */
export interface ServerReport {
  readonly probeMs: number;
  readonly renewalDelayMs: number;
}

const COUNT = Number(process.argv[2]);
const RENEWAL_MS = 2000;
const PROBE_INTERVAL_MS = 20;
/** Objects between two turns of the event loop, so that this process does not delay the measured requests. */
const SLICE = 20;

let round = 0;
let isPaged = false;
let lease = '';
let renewedAt = 0;
let longest = { probeMs: 0, renewalDelayMs: 0 };
const watches = new Set<ServerResponse>();

const version = (index: number): number => round * COUNT + index + 1;
const pod = (index: number): string => podJson(index, { version: version(index) });

async function writeAll(response: ServerResponse, type: string): Promise<void> {
  for (let index = 0; index < COUNT; index++) {
    if (index % SLICE === 0) await nextTurn();
    if (!response.write(`{"type":"${type}","object":${pod(index)}}\n`)) await once(response, 'drain');
  }
}

async function watch(response: ServerResponse, isInitial: boolean): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  if (isInitial) {
    await writeAll(response, 'ADDED');
    const metadata = {
      resourceVersion: String(version(COUNT - 1)),
      annotations: { 'k8s.io/initial-events-end': 'true' },
    };
    const object = { kind: 'Pod', apiVersion: 'v1', metadata };
    response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  }
  watches.add(response);
  response.on('close', () => watches.delete(response));
}

async function list(response: ServerResponse, query: URLSearchParams): Promise<void> {
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(COUNT, from + Number(query.get('limit') ?? COUNT));
  const metadata = { resourceVersion: String(version(COUNT - 1)), ...(to < COUNT && { continue: String(to) }) };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`{"kind":"PodList","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[`);
  for (let index = from; index < to; index++) {
    if (index % SLICE === 0) await nextTurn();
    if (!response.write(`${index > from ? ',' : ''}${pod(index)}`)) await once(response, 'drain');
  }
  response.end(']}');
}

function reject(response: ServerResponse, code: number, reason: string): void {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code, message: reason };
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
}

async function serveLease(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET' && lease === '') {
    reject(response, 404, 'NotFound');
    return;
  }
  if (request.method !== 'GET') {
    const object = JSON.parse(await text(request)) as { metadata: Record<string, string> };
    const now = performance.now();
    if (renewedAt > 0) longest.renewalDelayMs = Math.max(longest.renewalDelayMs, now - renewedAt - RENEWAL_MS);
    renewedAt = now;
    object.metadata['resourceVersion'] = String(Math.round(now * 1000));
    object.metadata['uid'] = 'lease';
    lease = JSON.stringify(object);
  }
  response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' }).end(lease);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  if (pathname.includes('/leases')) void serveLease(request, response);
  else if (!pathname.endsWith('/pods')) reject(response, 404, 'NotFound');
  else if (!searchParams.has('watch')) void list(response, searchParams);
  else if (searchParams.has('sendInitialEvents') && isPaged) reject(response, 422, 'Invalid');
  else void watch(response, searchParams.has('sendInitialEvents'));
});

async function probe(url: string): Promise<void> {
  for (;;) {
    const start = performance.now();
    const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    longest.probeMs = Math.max(longest.probeMs, performance.now() - start);
    await sleep(PROBE_INTERVAL_MS);
  }
}

process.on('message', (message: ServerRequest) => {
  switch (message.do) {
    case 'probe':
      // Rejects when the manager closes its endpoint at the end.
      probe(message.url).catch(() => undefined);
      break;
    case 'report':
      process.send?.(longest);
      longest = { probeMs: 0, renewalDelayMs: 0 };
      break;
    case 'touch':
      round += 1;
      for (const response of watches) response.write(`{"type":"MODIFIED","object":${pod(0)}}\n`);
      break;
    case 'storm':
      round += 1;
      for (const response of watches) void writeAll(response, 'MODIFIED');
      break;
    case 'replace':
      round += 1;
      isPaged = message.isPaged;
  }
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
