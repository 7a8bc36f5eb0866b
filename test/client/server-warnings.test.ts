import { expect, test } from '@jest/globals';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { failure, json } from './scripted-server.js';
import { clientOf, scripted, stored } from './test-client.js';

const Widget: KindRef = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Cluster' };
const withSpec = (value: unknown) => ({ metadata: { name: 'a' }, spec: { value } });

test('each warning of the API server is logged once, also of a failed request', async () => {
  const headers =
    'Warning: 299 - "unknown field \\"spec.x\\"", 299 - "b is deprecated, use c"\r\nWarning: 110 proxy "stale"\r\n';
  const server = await scripted((request, socket) =>
    socket.write(
      request.method === 'GET' ? failure(404, 'NotFound', 'gone', headers) : json(stored(request), 200, headers),
    ),
  );
  const logger = new RecordingLogger();
  const client = clientOf(server, {}, { logger });
  await client.create(Widget, withSpec(1));
  await client.update(Widget, withSpec(2));
  await expect(client.get(Widget, 'a')).rejects.toMatchObject({ status: 404 });
  expect(logger.lines).toMatchObject([
    { level: 'warn', message: 'Warning of the API server: unknown field "spec.x"', fields: { method: 'POST' } },
    { level: 'warn', message: 'Warning of the API server: b is deprecated, use c' },
  ]);
});

test('a warning is logged again after 1000 others', async () => {
  let count = 0;
  const server = await scripted((request, socket) => {
    count += 1;
    socket.write(json(stored(request), 200, `Warning: 299 - "text ${String(count % 1001)}"\r\n`));
  });
  const logger = new RecordingLogger();
  const client = clientOf(server, {}, { logger });
  for (let request = 0; request < 1002; request++) await client.get(Widget, 'a');
  expect(logger.messages().filter((message) => message.endsWith('text 1'))).toHaveLength(2);
});
