// An HTTPS server in a process of its own that has every response ready: a status write, pages of a list, a streamed list.
// Prints its port and the PEM of its authority as one line of JSON. Ends when its standard input does.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServingIdentity } from '../../src/pki/certificate.js';

const objects = Number(process.argv[2]);
const SPEC_BYTES = 620;
const PAGE = 500;

function demo(index: number): string {
  const name = `demo-${String(index).padStart(6, '0')}`;
  return JSON.stringify({
    apiVersion: 'crddemo.k8s.io/v1',
    kind: 'Mydemo',
    metadata: {
      name,
      namespace: `ns-${index % 10}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(1000 + index),
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: name, tier: 'backend' },
    },
    spec: { ip: '10.0.0.1', port: 8080, text: 'x'.repeat(SPEC_BYTES) },
    status: { observedGeneration: 1, message: 'Mydemo synced successfully' },
  });
}

/** A response to a write also has managed fields: about 1.5 KB. */
function written(): Buffer {
  const object = JSON.parse(demo(0)) as { metadata: object };
  const fieldsV1 = {
    'f:spec': { 'f:ip': {}, 'f:port': {}, 'f:text': {} },
    'f:metadata': { 'f:labels': { 'f:app': {} } },
  };
  const managedFields = ['kubectl', 'kindwright'].map((manager) => ({
    manager,
    operation: 'Update',
    apiVersion: 'crddemo.k8s.io/v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
  }));
  return Buffer.from(JSON.stringify({ ...object, metadata: { ...object.metadata, managedFields } }));
}

const response = written();
const items = Array.from({ length: objects }, (_, index) => demo(index));
const pages: Buffer[] = [];
for (let start = 0; start < objects; start += PAGE) {
  const next = start + PAGE < objects ? `,"continue":"${start + PAGE}"` : '';
  pages.push(
    Buffer.from(
      `{"kind":"MydemoList","apiVersion":"crddemo.k8s.io/v1","metadata":{"resourceVersion":"999999"${next}},` +
        `"items":[${items.slice(start, start + PAGE).join(',')}]}`,
    ),
  );
}
const bookmark =
  '{"type":"BOOKMARK","object":{"apiVersion":"crddemo.k8s.io/v1","kind":"Mydemo","metadata":' +
  '{"resourceVersion":"999999","annotations":{"k8s.io/initial-events-end":"true"}}}}\n';
const stream = Buffer.from(items.map((item) => `{"type":"ADDED","object":${item}}\n`).join('') + bookmark);
const STREAM_PART_BYTES = 64 * 1024;

const identity = createServingIdentity(Date.now());
const server = createServer(
  { key: identity.keyPem, cert: identity.certPem, keepAliveTimeout: 60_000 },
  (request, reply) => {
    const url = new URL(request.url ?? '/', 'https://localhost');
    const headers = { 'Content-Type': 'application/json', 'Audit-Id': '00000000-0000-4000-8000-000000000000' };
    request.resume();
    request.on('end', () => {
      if (url.searchParams.has('watch')) {
        reply.writeHead(200, headers);
        let at = 0;
        const write = (): void => {
          while (at < stream.length) if (!reply.write(stream.subarray(at, (at += STREAM_PART_BYTES)))) return;
          reply.end();
        };
        reply.on('drain', write);
        write();
        return;
      }
      const body = request.method === 'GET' ? pages[Number(url.searchParams.get('continue') ?? 0) / PAGE] : response;
      reply.writeHead(200, { ...headers, 'Content-Length': String(body?.length ?? 0) });
      reply.end(body);
    });
  },
);
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port, ca: identity.caPem }));
});
process.stdin.resume().on('end', () => process.exit(0));
