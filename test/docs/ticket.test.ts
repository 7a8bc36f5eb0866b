import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Manager } from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';
import { HttpTicketService, Ticket, TicketService } from '../../docs/examples/ticket.js';

const namespace = 'default';
/** The state of the external service. */
const states = new Map([
  ['T-1', 'open'],
  ['T-2', 'open'],
]);
const log: string[] = [];
let failures = 0;
const service = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (failures > 0) {
    failures -= 1;
    response.writeHead(503).end();
    return;
  }
  const id = url.pathname.split('/')[2] ?? '';
  const body = url.pathname.startsWith('/tickets/')
    ? { id, state: states.get(id) }
    : { cursor: String(log.length), ids: log.slice(Number(url.searchParams.get('after') ?? 0)) };
  response.end(JSON.stringify(body));
});
const change = (id: string, state: string, isLogged = true): void => {
  states.set(id, state);
  if (isLogged) log.push(id);
};

const logger = new RecordingLogger();
const stopping = new AbortController();
let cluster: Cluster;
let running: Promise<void>;

beforeAll(async () => {
  process.env['TICKETS_HOOK_SECRET'] = 'signing key';
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  cluster = await startCluster({ server: 'embedded' });
  await cluster.install(Ticket);
  const manager = new Manager({
    client: cluster.client,
    logger,
    sourceBindAddress: '127.0.0.1:0',
    metricsBindAddress: '127.0.0.1:0',
  });
  const { port } = service.address() as AddressInfo;
  manager.add(Ticket).provide(TicketService, new HttpTicketService(`http://127.0.0.1:${port}`));
  running = manager.run(stopping.signal);
  for (const id of ['1', '2'])
    await cluster.create(Ticket, { metadata: { name: `t-${id}`, namespace }, spec: { id: `T-${id}` } });
});
afterAll(async () => {
  stopping.abort(new Error('the test has ended'));
  await running;
  await cluster.stop();
  service.close();
  delete process.env['TICKETS_HOOK_SECRET'];
});

const state = async (name: string) => (await cluster.client.get(Ticket, name, { namespace })).status?.state;
const addressOf = (message: string) => String(logger.lines.find((line) => line.message === message)?.fields['address']);

test('a change of the external service is found by the poll, also after errors of the service', async () => {
  await eventually(async () => expect([await state('t-1'), await state('t-2')]).toEqual(['open', 'open']));
  failures = 1;
  change('T-2', 'closed');
  await eventually(async () => expect([await state('t-1'), await state('t-2')]).toEqual(['open', 'closed']), {
    timeout: '15s',
  });
});

test('a change that the service sends is reconciled immediately, if it is signed', async () => {
  change('T-1', 'solved', false);
  const body = JSON.stringify({ ids: ['T-1'] });
  const url = `http://${addressOf('Serving HTTP sources')}/hooks/tickets`;
  expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
  const signature = createHmac('sha256', 'signing key').update(body).digest('hex');
  const headers = { 'x-hub-signature-256': `sha256=${signature}` };
  const response = await fetch(url, { method: 'POST', body, headers });
  expect([response.status, await response.json()]).toEqual([202, { objects: 1 }]);
  await eventually(async () => expect(await state('t-1')).toBe('solved'));
});

test('sources appear in the metrics', async () => {
  const text = await (await fetch(`http://${addressOf('Serving metrics')}/metrics`)).text();
  expect(text).toContain('kindwright_source_running{controller="ticket",source="@Source changed"} 1');
  expect(text).toMatch(/kindwright_source_events_total\{controller="ticket",source="@Source changed"\} [1-9]/);
  expect(text).toMatch(/kindwright_source_events_total\{controller="ticket",source="@Source pushed"\} 1/);
});
