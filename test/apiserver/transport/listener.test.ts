import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServingIdentity } from '../../../src/apiserver/transport/certificate.js';
import { Listener } from '../../../src/apiserver/transport/listener.js';

const identity = createServingIdentity(Date.now());

describe('the listener of the embedded server', () => {
  let listener: Listener;
  let port: number;
  beforeEach(async () => {
    listener = new Listener(identity, [], (message, response) => response.end(message.url));
    port = await listener.listen(0);
  });
  afterEach(() => listener.close());

  async function open(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  test('answers over TLS', async () => {
    const call = request({ host: '127.0.0.1', port, path: '/healthz', ca: identity.caPem });
    call.end();
    const [response] = (await once(call, 'response')) as [NodeJS.ReadableStream];
    expect(await text(response)).toBe('/healthz');
  });

  test('tells who speaks plain HTTP that it speaks HTTPS', async () => {
    const socket = await open();
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await text(socket)).toBe(
      'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
    );
  });

  test('closes although a client has connected and says nothing', async () => {
    const socket = await open();
    const closed = once(socket, 'close');
    await listener.close();
    await closed;
    const gone = connect(port, '127.0.0.1');
    await expect(once(gone, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    listener = new Listener(identity, [], () => undefined);
    await listener.listen(0);
  });
});
