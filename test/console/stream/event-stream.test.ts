import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { EventStream } from '../../../src/console/stream/event-stream.js';

test('a client that does not read is disconnected when 1 MB waits for it, and gets nothing before it has read', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: console\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const stream = new EventStream(response, () => undefined);
  const frame = 'x'.repeat(60_000);
  let sent = 0;
  // The buffers of the sockets take some.
  for (; stream.isReady && sent < 10_000; sent++) stream.sendText('gap', frame);
  expect(stream.isReady).toBe(false);
  for (; !response.destroyed && sent < 10_000; sent++) stream.sendText('gap', frame);
  expect(response.destroyed).toBe(true);
  expect(response.writableLength).toBeLessThan(1024 * 1024 + 2 * frame.length);
  await stream.closed();
  socket.destroy();
  server.close();
});
