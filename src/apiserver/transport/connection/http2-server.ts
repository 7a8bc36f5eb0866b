import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2Server, Http2ServerRequest, Http2ServerResponse, ServerOptions } from 'node:http2';
import type { RequestListener } from './upgrade.js';

/** A manager has a stream for each of its watches, and all of them on one connection. */
const MAX_STREAMS = 1000;
const WINDOW_BYTES = 1 << 20;
/** Default of Go's server: selectors of a URL may be long. */
export const MAX_HEADER_BYTES = 1 << 20;

const OPTIONS: ServerOptions = {
  settings: {
    maxConcurrentStreams: MAX_STREAMS,
    initialWindowSize: WINDOW_BYTES,
    maxHeaderListSize: MAX_HEADER_BYTES,
  },
  // Megabytes: what its watches have yet to read counts too.
  maxSessionMemory: 1024,
  // Clients end watches by resetting them.
  streamResetBurst: 100_000,
  streamResetRate: 10_000,
};

/** Serves connections over which HTTP/2 is spoken. Node's module for it is loaded for the first of them. */
export function http2Server(onRequest: RequestListener): Http2Server {
  return process.getBuiltinModule('node:http2').createServer(OPTIONS, (message, response) => {
    onRequest(asHttp1(message), asHttp1Response(response));
  });
}

/** The request with the headers HTTP/1 would have, and broken off where a client gives up: else it would end like others. */
function asHttp1(message: Http2ServerRequest): IncomingMessage {
  message.on('error', () => undefined); // whoever reads it is told
  message.once('aborted', () => message.destroy(new Error('aborted')));
  const { authority, rawHeaders } = message;
  const names = Object.entries(message.headers).filter(([name]) => !name.startsWith(':'));
  return Object.defineProperties(message as unknown as IncomingMessage, {
    headers: own({ host: authority, ...Object.fromEntries(names) }),
    headersDistinct: { get: () => distinct(rawHeaders) },
  });
}

function asHttp1Response(response: Http2ServerResponse): ServerResponse {
  const isDestroyed = { get: () => response.stream.destroyed };
  return Object.defineProperty(response as Http2ServerResponse & ServerResponse, 'destroyed', isDestroyed);
}

function own(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}

/** The values of each header, which come with their names before them. */
function distinct(raw: readonly string[]): NodeJS.Dict<string[]> {
  const result: NodeJS.Dict<string[]> = Object.create(null) as NodeJS.Dict<string[]>;
  for (let index = 0; index < raw.length; index += 2) (result[raw[index] ?? ''] ??= []).push(raw[index + 1] ?? '');
  return result;
}
