import { expect, test } from '@jest/globals';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { Client } from '../../src/client/client.js';
import { json } from './scripted-server.js';
import { clientOf, scripted, stored } from './test-client.js';

const Widget: KindRef = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Cluster' };
const withSpec = (value: unknown) => ({ metadata: { name: 'a' }, spec: { value } });

test.each<[string, (client: Client, value: unknown) => Promise<unknown>, string]>([
  ['create', (client, value) => client.create(Widget, withSpec(value)), 'Widget.spec.value'],
  ['update', (client, value) => client.update(Widget, withSpec(value)), 'Widget.spec.value'],
  ['apply', (client, value) => client.apply(Widget, withSpec(value)), 'Widget.spec.value'],
  ['patch', (client, value) => client.patch(Widget, 'a', { spec: { value } }), 'Widget.spec.value'],
  [
    'a JSON patch',
    (client, value) => client.patch(Widget, 'a', [{ op: 'add', path: '/spec/value', value }], { type: 'json' }),
    'Widget[0].value',
  ],
  ['request', (client, value) => client.request({ method: 'POST', path: '/a', body: { value } }), 'body.value'],
])('%s rejects values without a JSON form, and sends nothing', async (_, write, path) => {
  const server = await scripted((request, socket) => socket.write(json(stored(request))));
  const client = clientOf(server);
  for (const value of [NaN, Infinity, new Map(), new Set(), () => 1, Symbol('a'), new Date(NaN)]) {
    await expect(write(client, value)).rejects.toMatchObject({
      code: 'E_NO_JSON',
      message: expect.stringContaining(`${path} is `),
    });
  }
  expect(server.requests).toHaveLength(0);
});

test('a Date is sent as Kubernetes formats times', async () => {
  const server = await scripted((request, socket) => socket.write(json(stored(request))));
  const client = clientOf(server);
  await client.update(Widget, withSpec(new Date(1000)));
  expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ spec: { value: '1970-01-01T00:00:01Z' } });
});
