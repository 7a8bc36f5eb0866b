import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { HttpConnection, type ExchangeHandler } from '../../../src/client/http/http-connection.js';
import { eventually } from '../../../src/testing/eventually.js';

const SIZE = 8 * 2 ** 20;
let server: Server;
let client: Socket;
afterEach(() => {
  client.destroy();
  server.close();
});

/** Sends a request to a server that responds with 8 MiB. */
async function exchange(handler: Partial<ExchangeHandler>): Promise<HttpConnection> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\n\r\n${'x'.repeat(SIZE)}`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  const connection = new HttpConnection(client);
  const noop = (): void => undefined;
  connection.exchange('GET', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', {
    ...{ onHead: noop, onBody: noop, onEnd: noop, onError: noop },
    ...handler,
  });
  return connection;
}

test('a long response is read in parts, with a turn of the event loop after each', async () => {
  let inTurn = 0;
  let received = 0;
  let most = 0;
  let isCounting = true;
  const turn = (): void => {
    inTurn = 0;
    if (isCounting) setImmediate(turn);
  };
  turn();
  await exchange({
    onBody: (bytes) => {
      received += bytes.length;
      inTurn += bytes.length;
      most = Math.max(most, inTurn);
    },
  });
  await eventually(() => expect(received).toBe(SIZE));
  isCounting = false;
  expect(most).toBeLessThanOrEqual(512 * 1024);
});

test('a connection that the receiver has paused in such a turn stays paused until the receiver resumes it', async () => {
  let received = 0;
  const connection = await exchange({
    onBody: (bytes) => {
      received += bytes.length;
      if (received > 2 ** 20) connection.pause();
    },
  });
  await eventually(() => expect(received).toBeGreaterThan(2 ** 20));
  const before = received;
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  // Bytes that the socket read before the pause may still follow.
  expect(received).toBeLessThanOrEqual(before + 256 * 1024);
  while (received < SIZE) {
    connection.resume();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(received).toBe(SIZE);
});
