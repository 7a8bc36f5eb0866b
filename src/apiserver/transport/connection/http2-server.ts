import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
  Http2Session,
  ServerHttp2Stream,
  ServerOptions,
} from 'node:http2';
import type { RequestListener } from './upgrade.js';

/** A manager opens a stream for each of its watches, all on one connection. */
const MAX_STREAMS = 1000;
const WINDOW_BYTES = 1 << 20;
/** The default of Go's server; URLs with selectors can be long. */
export const MAX_HEADER_BYTES = 1 << 20;

const OPTIONS: ServerOptions = {
  settings: {
    maxConcurrentStreams: MAX_STREAMS,
    initialWindowSize: WINDOW_BYTES,
    maxHeaderListSize: MAX_HEADER_BYTES,
    // Node accepts at most nine frames of headers, so they are large. It ends the connection of a single value of more
    // than 64 KiB; this cannot be configured.
    maxFrameSize: MAX_HEADER_BYTES,
  },
  // Bounded by the size of the headers only, like Go's server. Node's default is 128 fields.
  maxHeaderListPairs: MAX_HEADER_BYTES,
  // A stream is rejected while canceled ones are still removed; by default, 100 rejected ones end the connection.
  maxSessionRejectedStreams: 0xffffffff,
  // Megabytes: no limit. Node counts unsent data of reset streams until the connection ends.
  maxSessionMemory: 1_000_000,
  // Clients end watches by resetting their streams.
  streamResetBurst: 100_000,
  streamResetRate: 10_000,
};

/** Creates a server for HTTP/2 connections. Node's module is loaded on first use. */
export function http2Server(onRequest: RequestListener, idleMs: number): Http2Server {
  const server = process.getBuiltinModule('node:http2').createServer(OPTIONS, (message, response) => {
    onRequest(asHttp1(message), asHttp1Response(response));
  });
  return server.on('session', (session) => {
    closeWhenIdle(session, idleMs);
  });
}

/**
 * Closes a connection that had no stream for a time, like Go's server. Node's timeout of sessions does not fit: frames
 * such as PING restart it, and it elapses while a watch has no events.
 */
function closeWhenIdle(session: Http2Session, idleMs: number): void {
  let streams = 0;
  const timer = setTimeout(() => {
    if (streams === 0) session.close();
  }, idleMs).unref();
  session.on('stream', (stream: ServerHttp2Stream) => {
    streams++;
    stream.once('close', () => {
      if (--streams === 0) timer.refresh();
    });
  });
  session.once('close', () => {
    clearTimeout(timer);
  });
}

/** Returns the request with the headers of HTTP/1. It fails when the client aborts, instead of ending normally. */
function asHttp1(message: Http2ServerRequest): IncomingMessage {
  message.on('error', () => undefined); // reported to the reader of the body
  message.once('aborted', () => message.destroy(new Error('aborted')));
  destroyWhenReset(message.stream);
  const { authority, rawHeaders } = message;
  const names = Object.entries(message.headers).filter(([name]) => !name.startsWith(':'));
  return Object.defineProperties(message as unknown as IncomingMessage, {
    headers: own({ host: authority, ...Object.fromEntries(names) }),
    headersDistinct: { get: () => distinct(rawHeaders) },
  });
}

/**
 * Destroys a stream that its client has reset with NO_ERROR. Node waits until its data is sent, which never happens: it
 * would stay open, with its watch, until the connection is closed.
 */
function destroyWhenReset(stream: ServerHttp2Stream): void {
  const destroy = (): void => {
    if (stream.closed) stream.destroy();
  };
  stream.once('aborted', destroy);
  stream.once('end', destroy);
}

function asHttp1Response(response: Http2ServerResponse): ServerResponse {
  const isDestroyed = { get: () => response.stream.destroyed };
  return Object.defineProperty(response as Http2ServerResponse & ServerResponse, 'destroyed', isDestroyed);
}

function own(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}

/** Returns the values by header, from a list of alternating names and values. */
function distinct(raw: readonly string[]): NodeJS.Dict<string[]> {
  const result: NodeJS.Dict<string[]> = Object.create(null) as NodeJS.Dict<string[]>;
  for (let index = 0; index < raw.length; index += 2) (result[raw[index] ?? ''] ??= []).push(raw[index + 1] ?? '');
  return result;
}
