import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { createServingIdentity } from '../../../../src/pki/certificate.js';
import { Listener } from '../../../../src/apiserver/transport/connection/listener.js';
import { frame, headerBlock, receivedFrames, type Frame } from './http2-frames.js';

const identity = createServingIdentity(Date.now());
/** More than the 1,000 in a burst and the 33 a second that Node's HTTP/2 allows by default. */
const RESETS = 2000;
/** More than the client's window, so that a part is never sent. */
const LARGE_BODY = 'x'.repeat(300_000);
const END_OF_STREAM_AND_HEADERS = 5;
const ACK = 1;

describe('an HTTP/2 connection of the embedded server', () => {
  let listener: Listener;
  let port: number;
  let session: ClientHttp2Session;
  const open = new Set<ServerResponse>();
  const closed = new EventEmitter();

  beforeEach(async () => {
    open.clear();
    listener = new Listener(identity, [], (message, response) => {
      open.add(response);
      response.once('close', () => {
        open.delete(response);
        closed.emit('one');
      });
      if (message.url === '/watch') response.write(LARGE_BODY);
      else response.end(message.url === '/list' ? LARGE_BODY : String(Object.keys(message.headers).length));
    });
    port = await listener.listen(0);
    session = connect(`https://127.0.0.1:${port}`, { ca: identity.caPem });
  });
  afterEach(async () => {
    session.destroy();
    await listener.close();
  });

  const answer = (headers: OutgoingHttpHeaders): Promise<string> => text(session.request(headers));

  async function begin(path: string): Promise<ClientHttp2Stream> {
    const call = session.request({ ':path': path });
    await once(call, 'response');
    return call;
  }

  test.each(['/watch', '/list'])(
    'an HTTP/2 connection serves more requests after a client has canceled %s with NO_ERROR',
    async (path) => {
      for (let count = 0; count < RESETS; count++) (await begin(path)).close();
      while (open.size > 0) await once(closed, 'one');
      expect(await answer({ ':path': '/' })).toBe('1');
    },
  );

  test('an HTTP/2 request may have a thousand header fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x-${index}`, 'v']));
    expect(await answer({ ':path': '/', ...fields })).toBe('1001');
  });

  /** Sends frames on a connection of its own; resolves to the first frame about a stream. */
  async function firstReply(stream: number, ...frames: readonly Buffer[]): Promise<Frame> {
    const socket = connectTls({ port, host: '127.0.0.1', ca: identity.caPem, ALPNProtocols: ['h2'] });
    await once(socket, 'secureConnect');
    const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const settings = [frame('SETTINGS', 0), frame('SETTINGS', 0, Buffer.alloc(0), ACK)];
    socket.write(Buffer.concat([preface, ...settings, ...frames]));
    try {
      for await (const received of receivedFrames(socket)) {
        if (received.type === 'GOAWAY')
          throw new Error(`the server ended the connection: ${received.payload.toString()}`);
        if (received.stream === stream) return received;
      }
    } finally {
      socket.destroy();
    }
    throw new Error('the server closed the connection');
  }

  const request = (stream: number, fields: readonly (readonly [string, string])[] = [], path = '/'): Buffer =>
    frame('HEADERS', stream, headerBlock(path, fields), END_OF_STREAM_AND_HEADERS);

  const kilobytes = (count: number): [string, string][] => Array.from({ length: count }, () => ['x', 'y'.repeat(1000)]);

  test('an HTTP/2 request may have 900 kB of headers', async () => {
    expect((await firstReply(1, request(1, kilobytes(900)))).type).toBe('HEADERS');
  });

  test('only the HTTP/2 stream with more than 1 MB of headers is reset', async () => {
    const frames = [request(1, kilobytes(1000).concat(kilobytes(40))), request(3)];
    expect((await firstReply(1, ...frames)).type).toBe('RST_STREAM');
    expect((await firstReply(3, ...frames)).type).toBe('HEADERS');
  });

  test('an HTTP/2 connection stays open after a burst of watches that are canceled immediately', async () => {
    const cancel = Buffer.from([0, 0, 0, 8]);
    const streams = Array.from({ length: 9000 }, (_, index) => 2 * index + 1);
    const burst = streams.flatMap((stream) => [request(stream, [], '/watch'), frame('RST_STREAM', stream, cancel)]);
    // A stream is refused while the server still removes the canceled ones; the connection stays.
    expect(['HEADERS', 'RST_STREAM']).toContain((await firstReply(20_001, ...burst, request(20_001))).type);
  });
});

describe('an HTTP/2 connection without a request', () => {
  const IDLE_MS = 50;
  let listener: Listener;
  let port: number;

  beforeEach(async () => {
    listener = new Listener(identity, [], (_message, response) => response.write('a watch'), IDLE_MS);
    port = await listener.listen(0);
  });
  afterEach(() => listener.close());

  async function open(): Promise<ClientHttp2Session> {
    const session = connect(`https://127.0.0.1:${port}`, { ca: identity.caPem });
    await once(session, 'connect');
    return session;
  }

  test('an HTTP/2 connection without a request is closed after the idle time, unlike one with an open watch', async () => {
    const watching = await open();
    const watch = watching.request({ ':path': '/watch' });
    await once(watch, 'response');
    await once(await open(), 'close');
    expect(watching.closed).toBe(false);
    watch.close();
    await once(watching, 'close');
  });
});
