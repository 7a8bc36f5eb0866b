import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../base/clock.js';
import { BoundedServer } from '../../base/http-server/bounded-server.js';
import type { RequestBodies } from '../../base/http-server/request-bodies.js';
import { RequestError } from '../../base/http-server/request-error.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import type { ApiProblem } from '../wire.js';
import { AccessCheck, type Refusal } from './access-check.js';
import type { PageFiles } from './page-files.js';
import { securityHeaders } from './security-headers.js';

/** The answer of a route; `stream` takes over the response and resolves when it has ended. */
export type ApiAnswer =
  { readonly status: number; readonly json: object } | { readonly stream: (response: ServerResponse) => Promise<void> };

export interface ConsoleRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1/`, split and decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Empty for GET. */
  readonly body: string;
}

export interface ConsoleServerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: PageFiles;
  readonly answer: (request: ConsoleRequest) => ApiAnswer | Promise<ApiAnswer>;
}

const HOST = '127.0.0.1';
const API = '/api/v1/';
const MOST_PORTS = 50;
const MAX_BODY = 2 * 1024 * 1024;
const LONGEST_URL = 4096;

/** The HTTP server of the console, on loopback only. */
export class ConsoleServer {
  private readonly bounded: BoundedServer;
  private readonly access: AccessCheck;
  private port = 0;

  constructor(private readonly options: ConsoleServerOptions) {
    this.access = new AccessCheck(options.clock);
    this.bounded = new BoundedServer((request, response, bodies) => this.respond(request, response, bodies), {
      isSecure: false,
    });
  }

  /** Without the token. */
  get origin(): string {
    return `http://${HOST}:${this.port}`;
  }

  get token(): string {
    return this.access.token;
  }

  /** Listens on a port, or on the next one that is free if it is not `isExact`. */
  async listen(port: number, isExact: boolean): Promise<void> {
    const { http } = this.bounded;
    for (let next = port; ; next++) {
      try {
        http.listen(next, HOST);
        await once(http, 'listening');
        this.port = (http.address() as AddressInfo).port;
        return;
      } catch (error) {
        const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
        if (isTaken && !isExact && next < port + MOST_PORTS) continue;
        throw new OperatorError(`the console cannot listen on port ${next}: ${(error as Error).message}`, {
          code: 'E_PORT',
          hint: 'pass another port with --console=<port>',
          cause: error,
        });
      }
    }
  }

  async close(): Promise<void> {
    if (this.port !== 0) await this.bounded.connections.abort();
  }

  private async respond(request: IncomingMessage, response: ServerResponse, bodies: RequestBodies): Promise<void> {
    try {
      const refusal = this.access.refuseForeign(request, this.port);
      if (refusal) refuse(response, refusal);
      else await this.serve(request, response, bodies);
    } catch (error) {
      this.fail(response, error);
    }
  }

  private async serve(request: IncomingMessage, response: ServerResponse, bodies: RequestBodies): Promise<void> {
    const { url = '/' } = request;
    const [path = '/', search = ''] = url.split('?', 2);
    if (url.length > LONGEST_URL) send(request, response, 400, { error: 'the URL is too long' });
    else if (!path.startsWith(API)) this.serveFile(request, response, path);
    else await this.serveApi(request, response, bodies, { path, search });
  }

  private async serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    bodies: RequestBodies,
    { path, search }: { readonly path: string; readonly search: string },
  ): Promise<void> {
    const isPost = request.method === 'POST';
    const refusal = this.access.refuseToken(request) ?? (isPost ? this.access.refuseBody(request) : undefined);
    if (refusal) {
      refuse(response, refusal);
      return;
    }
    const body = isPost ? (await bodies.read(request, { maxBytes: MAX_BODY })).toString('utf8') : '';
    const answer = await this.options.answer({
      method: isPost ? 'POST' : 'GET',
      path: path.slice(API.length).split('/').map(decoded),
      query: new URLSearchParams(search),
      headers: request.headers,
      body,
    });
    if ('stream' in answer) await answer.stream(response);
    else send(request, response, answer.status, answer.json);
  }

  private serveFile(request: IncomingMessage, response: ServerResponse, path: string): void {
    const { method, headers } = request;
    if (method === 'POST') {
      refuse(response, { status: 405, error: 'POST is only supported below /api/v1/' });
      return;
    }
    const file = this.options.files.get(path, /\bgzip\b/.test(headers['accept-encoding'] ?? ''));
    if (!file) {
      send(request, response, 404, { error: 'not found' });
      return;
    }
    response.writeHead(200, file.headers);
    response.end(method === 'HEAD' ? undefined : file.body);
  }

  private fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const isKnown = error instanceof RequestError;
    if (!isKnown) this.options.logger.error('The console could not answer a request', { err: error });
    const problem: ApiProblem = { error: isKnown ? error.message : 'internal error; see the log of the operator' };
    response.writeHead(isKnown ? error.status : 500, { ...JSON_HEADERS, connection: 'close' });
    response.end(JSON.stringify(problem));
  }
}

const JSON_HEADERS = { ...securityHeaders(), 'content-type': 'application/json; charset=utf-8' };

function refuse(response: ServerResponse, { status, ...problem }: Refusal): void {
  response.writeHead(status, { ...JSON_HEADERS, connection: 'close' });
  response.end(JSON.stringify(problem));
}

function send({ method }: IncomingMessage, response: ServerResponse, status: number, json: object): void {
  response.writeHead(status, JSON_HEADERS);
  response.end(method === 'HEAD' ? undefined : JSON.stringify(json));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new RequestError(400, 'the path is not valid');
  }
}
