import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseIp, unmappedIp } from '../api/schema/ip-address.js';
import { isLoopbackIp } from '../api/schema/ip-range.js';
import { BoundedServer } from '../base/http-server/bounded-server.js';
import type { RequestBodies } from '../base/http-server/request-bodies.js';
import { RequestError } from '../base/http-server/request-error.js';
import { OperatorError } from '../base/operator-error.js';
import type { ServingCertificate } from './serving-certificate.js';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Default: plain text. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent after the text. It is destroyed if the client closes the connection first. */
  readonly stream?: Readable;
}

/** Answers a request. The signal is aborted if the client closes the connection before it has the whole answer. */
type Handler = (request: IncomingMessage, signal: AbortSignal) => Answer | Promise<Answer>;

/** The handlers of GET requests by path, and those of other requests by method and path: `PUT /path`. */
export type Routes = Readonly<Record<string, Handler>>;

/** Answers all requests itself. */
export type Responder = (request: IncomingMessage, bodies: RequestBodies) => Promise<Answer>;

/** A small HTTP server that is listening. */
export interface HttpEndpoint {
  /** `host:port` with the actual port. */
  readonly address: string;
  /** Replaces the certificate for new connections. */
  renew(certificate: ServingCertificate): void;
  close(): Promise<void>;
}

const INTERNAL_ERROR: Answer = { status: 500, text: 'internal error\n' };
const NOT_FOUND: Answer = { status: 404, text: 'not found\n' };

/** Serves the routes at the address, over HTTPS with a certificate. The address `0` serves nothing. */
export async function listen(
  bindAddress: string,
  routes: Routes | Responder,
  certificate?: ServingCertificate,
): Promise<HttpEndpoint | undefined> {
  const target = parseBindAddress(bindAddress);
  if (!target) return undefined;
  const bounded = new BoundedServer((request, response, bodies) => respond(request, response, routes, bodies), {
    isSecure: certificate !== undefined,
    ...(certificate && { settings: { ...certificate } }),
  });
  const server = bounded.http;
  try {
    server.listen(target.port, target.host);
    await once(server, 'listening');
  } catch (error) {
    throw new OperatorError(`cannot listen on ${bindAddress}: ${(error as Error).message}`, {
      code: 'E_BIND_ADDRESS',
      hint: `choose another address, or '0' to serve nothing`,
      cause: error,
    });
  }
  const { address, family, port } = server.address() as AddressInfo;
  return {
    address: family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`,
    renew(next) {
      bounded.renew(next);
    },
    close: () => bounded.connections.abort(),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  routes: Routes | Responder,
  bodies: RequestBodies,
): Promise<void> {
  const answered =
    typeof routes === 'function' ? fromResponder(routes(request, bodies)) : answer(request, response, routes);
  const { status, text, contentType = 'text/plain; charset=utf-8', headers, stream } = await answered;
  response.writeHead(status, { 'content-type': contentType, 'x-content-type-options': 'nosniff', ...headers });
  if (!stream) response.end(request.method === 'HEAD' ? undefined : text);
  else if (request.method === 'HEAD' || response.destroyed) {
    stream.destroy();
    response.end();
  } else {
    response.write(text);
    // It fails when the connection ends, or the client sees that the answer is incomplete.
    await pipeline(stream, response).catch(() => undefined);
  }
}

function fromResponder(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof RequestError)) return INTERNAL_ERROR;
    return { status: error.status, text: `${error.message}\n`, headers: { connection: 'close' } };
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, routes: Routes): Promise<Answer> {
  const { method = '', url = '/' } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const [path = '/'] = url.split('?', 1);
  const name = isRead ? path : `${method} ${path}`;
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (!route) return isRead ? NOT_FOUND : { status: 405, text: 'only GET is served\n' };
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the connection was closed'));
  });
  try {
    return await route(request, gone.signal);
  } catch {
    return INTERNAL_ERROR;
  }
}

/** The address of a server; without a host it listens on all interfaces. */
export interface BindAddress {
  readonly host: string | undefined;
  readonly port: number;
}

const ADDRESS = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]*)):(?<port>\d{1,5})$/;

/**
 * Parses `:8080`, `127.0.0.1:8080` or `[::1]:8080`; port 0 is any free port. The address `0` disables the server.
 *
 * @throws OperatorError for any other form.
 */
export function parseBindAddress(address: string): BindAddress | undefined {
  if (address === '0') return undefined;
  const { v6, host, port } = ADDRESS.exec(address)?.groups ?? {};
  if (port !== undefined && Number(port) <= 65_535) return { host: v6 ?? (host || undefined), port: Number(port) };
  throw new OperatorError(`bind address '${address}' is not host:port`, {
    code: 'E_BIND_ADDRESS',
    hint: `for example ':8080', '127.0.0.1:8080', or '0' to serve nothing`,
  });
}

/** Returns whether a host is reached only from this machine: `localhost`, 127.0.0.0/8 or `::1`. */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host?.toLowerCase() === 'localhost') return true;
  const ip = host === undefined ? undefined : parseIp(host);
  return ip !== undefined && isLoopbackIp(unmappedIp(ip));
}
