import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BoundedServer } from '../../base/http-server/bounded-server.js';
import type { RequestBodies } from '../../base/http-server/request-bodies.js';
import { RequestError } from '../../base/http-server/request-error.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import type { ServingCertificate } from '../../manager/serving-certificate.js';
import type { ApiProblem } from '../wire.js';
import type { PageFiles } from './page-files.js';
import { securityHeaders } from './security-headers.js';
import type { Refusal, ServerAccess } from './server-access.js';

export interface ConsoleServerOptions {
  readonly logger: Logger;
  /** Undefined to serve only the API. */
  readonly files: PageFiles | undefined;
  readonly access: ServerAccess;
  /** Undefined for HTTP, which is only for loopback. */
  readonly certificate?: ServingCertificate | undefined;
}

/** The address of a server. */
export interface ConsoleAddress {
  /** Undefined for all interfaces. */
  readonly host: string | undefined;
  readonly port: number;
  /** True to listen on the next free port if the port is taken. */
  readonly isFlexible?: boolean;
}

export const LOOPBACK = '127.0.0.1';
const API = '/api/v1/';
const MOST_PORTS = 50;
const MAX_BODY = 2 * 1024 * 1024;
const LONGEST_URL = 4096;
const BODY_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/yaml']);

/** The HTTP server of a console. */
export class ConsoleServer {
  private readonly bounded: BoundedServer;
  private port = 0;

  constructor(private readonly options: ConsoleServerOptions) {
    const { certificate } = options;
    this.bounded = new BoundedServer((request, response, bodies) => this.respond(request, response, bodies), {
      isSecure: certificate !== undefined,
      ...(certificate && { settings: { ...certificate } }),
    });
  }

  /** The address on loopback, without a token. */
  get origin(): string {
    return `http${this.options.certificate ? 's' : ''}://${LOOPBACK}:${this.port}`;
  }

  /** @throws OperatorError (E_PORT) when the port cannot be used. */
  async listen({ host, port, isFlexible = false }: ConsoleAddress): Promise<void> {
    const { http } = this.bounded;
    for (let next = port; ; next++) {
      try {
        http.listen(next, host);
        await once(http, 'listening');
        this.port = (http.address() as AddressInfo).port;
        return;
      } catch (error) {
        const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
        if (isTaken && isFlexible && next < port + MOST_PORTS) continue;
        throw new OperatorError(`the console cannot listen on port ${next}: ${(error as Error).message}`, {
          code: 'E_PORT',
          hint: 'pass another port',
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
      const refusal = this.options.access.refuseForeign(request, this.port);
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
    const admission = await this.options.access.admit(request);
    if ('refusal' in admission) {
      refuse(response, admission.refusal);
      return;
    }
    const refusal = isPost ? refuseBody(request) : undefined;
    if (refusal) {
      refuse(response, refusal);
      return;
    }
    const body = isPost ? (await bodies.read(request, { maxBytes: MAX_BODY })).toString('utf8') : '';
    const answer = await admission.answer({
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
    const file = this.options.files?.get(path, /\bgzip\b/.test(headers['accept-encoding'] ?? ''));
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

/** Checks the type of the body of a POST request: a form of another page can send only others. */
function refuseBody({ headers }: IncomingMessage): Refusal | undefined {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return BODY_TYPES.has(type)
    ? undefined
    : { status: 415, error: 'the content type must be application/json or application/yaml' };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new RequestError(400, 'the path is not valid');
  }
}
