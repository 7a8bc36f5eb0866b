import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { EventsEvent, Manager } from 'kindwright';
import { eventually, FakeClock, RecordingLogger, startCluster } from 'kindwright/testing';
import { Mirror } from '../../docs/examples/mirror.js';
import { broker, Queue } from '../../docs/examples/queue.js';
import { Site } from '../../docs/examples/site.js';
import { modulesOf } from './doc-files.js';

const namespace = 'default';
/** The state of the external service. */
const service = { status: 200, etag: 'v1' };
const server = createServer((_, response) => {
  response.writeHead(service.status, { etag: service.etag }).end();
});
let url: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('docs/triggers.md shows the examples', () => {
  const files = ['site.ts', 'queue.ts', 'mirror.ts'];
  const folder = join(import.meta.dirname, '../../docs/examples');
  expect(modulesOf('docs/triggers.md')).toEqual(files.map((file) => readFileSync(join(folder, file), 'utf8')));
});

test('a site is checked at an interval and backed up at a time of day', async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 1, 58)); // two minutes before 3 o'clock in Berlin
  await using cluster = await startCluster({ server: 'embedded', clock });
  await cluster.run(Site);
  await cluster.create(Site, { metadata: { name: 'a', namespace }, spec: { url } });
  const status = async () => (await cluster.client.get(Site, 'a', { namespace })).status;
  await eventually(async () => expect(await status()).toEqual({ isUp: true }));
  service.status = 500;
  await clock.advance(35_000);
  await eventually(async () => expect(await status()).toEqual({ isUp: false }));
  await eventually(async () => {
    const { items } = await cluster.client.list(EventsEvent, { namespace });
    expect(items.map(({ reason }) => reason)).toContain('Down');
  });
  await clock.advance(120_000);
  await eventually(async () => expect((await status())?.backups).toBe(1));
  service.status = 200;
});

test('a queue is reconciled when the broker sends a message, and when its webhook is called', async () => {
  process.env['QUEUE_HOOK_TOKEN'] = 'secret';
  await using cluster = await startCluster({ server: 'embedded' });
  await cluster.install(Queue);
  const logger = new RecordingLogger();
  const stopping = new AbortController();
  const manager = new Manager({ client: cluster.client, logger, sourceBindAddress: '127.0.0.1:0' }).add(Queue);
  const running = manager.run(stopping.signal);
  try {
    await cluster.create(Queue, { metadata: { name: 'orders', namespace }, spec: { topic: 'shop.orders' } });
    const depth = async () => (await cluster.client.get(Queue, 'orders', { namespace })).status?.depth;
    await eventually(async () => expect(await depth()).toBe(0));
    await eventually(() => expect(broker.listenerCount('message')).toBe(1));
    broker.depths.set('shop.orders', 1);
    broker.emit('message', 'orders');
    await eventually(async () => expect(await depth()).toBe(1));
    broker.depths.set('shop.orders', 2);
    const { fields } = logger.lines.find(({ message }) => message === 'Serving HTTP sources')!;
    const response = await fetch(`http://${String(fields['address'])}/hooks/queue`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret' },
      body: JSON.stringify({ topic: 'shop.orders' }),
    });
    expect(response.status).toBe(202);
    await eventually(async () => expect(await depth()).toBe(2));
  } finally {
    stopping.abort(new Error('the test has ended'));
    await running;
    delete process.env['QUEUE_HOOK_TOKEN'];
  }
});

test('a mirror is reconciled when its task finds a change', async () => {
  const clock = new FakeClock();
  await using cluster = await startCluster({ server: 'embedded', clock });
  await cluster.run(Mirror);
  await cluster.create(Mirror, { metadata: { name: 'a', namespace }, spec: { url } });
  const etag = async () => (await cluster.client.get(Mirror, 'a', { namespace })).status?.etag;
  await eventually(async () => expect(await etag()).toBe('v1'));
  service.etag = 'v2';
  await eventually(async () => {
    await clock.advance(5000);
    expect(await etag()).toBe('v2');
  });
});
