import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { readBody } from '../../../../src/apiserver/transport/request/api-request.js';
import { createServingIdentity } from '../../../../src/pki/certificate.js';
import { Listener } from '../../../../src/apiserver/transport/connection/listener.js';
import type { RequestListener } from '../../../../src/apiserver/transport/connection/upgrade.js';

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

  test('the listener answers over TLS', async () => {
    const call = request({ host: '127.0.0.1', port, path: '/healthz', ca: identity.caPem });
    call.end();
    const [response] = (await once(call, 'response')) as [NodeJS.ReadableStream];
    expect(await text(response)).toBe('/healthz');
  });

  test('the listener reports HTTPS to clients that use plain HTTP', async () => {
    const socket = await open();
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await text(socket)).toBe(
      'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
    );
  });

  describe('over HTTP/2', () => {
    let session: ClientHttp2Session;
    let onRequest: RequestListener;
    const answer = (headers: OutgoingHttpHeaders): Promise<string> => text(session.request(headers));
    beforeEach(async () => {
      await listener.close();
      onRequest = ({ method, url, headers, headersDistinct }, response) => {
        const groups = headersDistinct['impersonate-group'];
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ method, url, host: headers.host, groups }));
      };
      listener = new Listener(identity, [], (message, response) => onRequest(message, response));
      port = await listener.listen(0);
      session = connectHttp2(`https://127.0.0.1:${port}`, { ca: identity.caPem });
    });
    afterEach(() => session.destroy());

    test('HTTP/2 requests are handled like those of HTTP/1', async () => {
      const given = { ':path': '/api?watch=1', 'impersonate-group': ['a', 'b'] };
      expect(JSON.parse(await answer(given))).toEqual({
        method: 'GET',
        url: '/api?watch=1',
        host: `127.0.0.1:${port}`,
        groups: ['a', 'b'],
      });
    });

    test('a thousand concurrent requests of one HTTP/2 connection are answered', async () => {
      const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => answer({ ':path': `/${index}` })));
      expect(new Set(answers).size).toBe(1000);
    });

    test('the incomplete body of a client that disconnects is rejected', async () => {
      const outcomes = new EventEmitter<{ told: [outcome: string, isDestroyed: boolean] }>();
      onRequest = (message, response) => {
        outcomes.emit('told', 'begun', response.destroyed);
        readBody(message).then(
          ({ bytes }) => outcomes.emit('told', bytes.toString(), response.destroyed),
          () => outcomes.emit('told', 'given up', response.destroyed),
        );
      };
      session
        .request({ ':method': 'POST', ':path': '/' })
        .on('error', () => undefined)
        .write('kind: ConfigMap\n');
      expect(await once(outcomes, 'told')).toEqual(['begun', false]);
      session.destroy();
      expect(await once(outcomes, 'told')).toEqual(['given up', true]);
    });

    test('the listener closes although an HTTP/2 connection is open', async () => {
      await answer({ ':path': '/' });
      session.on('error', () => undefined); // it is cut off
      const closed = new Promise((resolve) => session.once('close', resolve));
      await listener.close();
      await closed;
      listener = new Listener(identity, [], () => undefined);
      await listener.listen(0);
    });
  });

  test('the HTTP/2 listener closes although a connected client has sent nothing', async () => {
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
