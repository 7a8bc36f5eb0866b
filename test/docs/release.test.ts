import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Manager } from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';
import { Release, registry } from '../../docs/examples/release.js';
import { modulesOf } from './doc-files.js';

let isUp = true;
const service = createServer((_request, response) => {
  response.writeHead(isUp ? 200 : 503).end();
});
const logger = new RecordingLogger();
const stopping = new AbortController();
let cluster: Cluster;
let running: Promise<void>;

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  registry.url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  cluster = await startCluster({ server: 'embedded' });
  await cluster.install(Release);
  const address = '127.0.0.1:0';
  const manager = new Manager({
    client: cluster.client,
    logger,
    metricsBindAddress: address,
    healthProbeBindAddress: address,
  });
  running = manager.add(Release).run(stopping.signal);
});
afterAll(async () => {
  stopping.abort(new Error('the test has ended'));
  await running;
  await cluster.stop();
  service.close();
});

const get = async (server: string, path: string) => {
  const address = String(logger.lines.find(({ message }) => message === server)?.fields['address']);
  const response = await fetch(`http://${address}${path}`);
  return { status: response.status, text: await response.text() };
};

test('docs/operations.md shows the example', () => {
  const example = readFileSync(join(import.meta.dirname, '../../docs/examples/release.ts'), 'utf8');
  expect(modulesOf('docs/operations.md')).toEqual([example]);
});

test('the metrics of the example are served beside those of the SDK', async () => {
  const metadata = { name: 'a', namespace: 'default' };
  await cluster.create(Release, { metadata, spec: { version: '1.0' } });
  await eventually(async () => {
    const { text } = await get('Serving metrics', '/metrics');
    expect(text).toContain('release_published_total{namespace="default"} 1\n');
    expect(text).toMatch(/^release_heap_bytes [1-9]\d+$/m);
    expect(text).toMatch(/^controller_runtime_reconcile_total\{controller="release",result="success"\} [1-9]/m);
  });
});

test('the process is ready while the registry responds', async () => {
  const server = 'Serving health probes';
  await eventually(async () => expect((await get(server, '/readyz')).status).toBe(200));
  expect(await get(server, '/healthz?verbose')).toEqual({ status: 200, text: '[+]memory ok\nok\n' });
  isUp = false;
  expect(await get(server, '/readyz')).toEqual({ status: 503, text: '[-]registry failed: reason withheld\n' });
  expect(await get(server, '/readyz/registry')).toMatchObject({ status: 503 });
  expect(await get(server, '/healthz')).toMatchObject({ status: 200 });
  isUp = true;
  await eventually(async () => {
    expect(await get(server, '/readyz/registry')).toEqual({ status: 200, text: 'ok\n' });
  });
});
