import type { IncomingMessage } from 'node:http';
import type { RequestBodies } from '../../base/http-server/request-bodies.js';
import { stringifyJson } from '../../base/json.js';
import type { Logger } from '../../base/logger.js';
import { isTooDeep } from '../../base/nesting-depth.js';
import { OperatorError } from '../../base/operator-error.js';
import { thrownError } from '../../base/thrown-error.js';
import type { Triggers } from '../../controller/triggers/triggers.js';
import type { SourceAuth, SourceRequest } from '../../resource/decorators/source.js';
import type { SourceModel } from '../../resource/triggers/source-models.js';
import { isLoopbackHost, listen, parseBindAddress, type Answer, type HttpEndpoint } from '../http-endpoint.js';
import type { ManagerServer } from '../manager-server.js';
import type { RunOptions } from '../run-options.js';
import { readServingCertificate, watchServingCertificate } from '../serving-certificate.js';
import { settledWithin } from '../settled-within.js';
import { isAuthentic, secretText, signatureOf } from './source-auth.js';

type HttpSource = Extract<SourceModel, { type: 'http' }>;

/** An HTTP source and the controller that it belongs to. */
export interface SourceRoute {
  readonly source: HttpSource;
  readonly triggers: Pick<Triggers, 'isRunning' | 'receive'>;
  /** Returns false once the controller was removed. */
  readonly isServed: () => boolean;
}

/** The time for the method to return. */
const METHOD_MS = 10_000;

/**
 * Receives the HTTP requests of `@Source({ path })` methods.
 *
 * Answers 202 with the number of named objects. A replica that does not lead answers 503, so that the sender tries again.
 */
export class SourceServer implements ManagerServer {
  private readonly routes: ReadonlyMap<string, SourceRoute>;
  private readonly logger: Logger;
  private endpoint: HttpEndpoint | undefined;
  private cancelReload: () => void = () => undefined;
  /** The last error of a secret, to log each once. */
  private secretProblem = '';

  /** @throws OperatorError when two sources have the same path. */
  constructor(
    routes: readonly SourceRoute[],
    private readonly options: RunOptions,
  ) {
    this.routes = new Map(routes.map((route) => [route.source.path, route]));
    this.logger = options.logger;
    if (this.routes.size === routes.length) return;
    throw new OperatorError('two @Source methods have the same path', {
      code: 'E_SOURCE',
      hint: 'use a different path for each',
    });
  }

  async start(): Promise<void> {
    const { sourceBindAddress = '0', sourceCertDir: folder, clock, logger } = this.options;
    if (sourceBindAddress === '0') {
      const paths = [...this.routes.keys()].join(', ');
      const hint = `run-operator --source-bind-address 127.0.0.1:8090, or new Manager({ client, sourceBindAddress: '…' })`;
      logger.warn(`@Source methods with the paths ${paths} are not called: HTTP sources are not served`, { hint });
      return;
    }
    for (const { source } of this.routes.values())
      await secretText('bearer' in source.auth ? source.auth.bearer : source.auth.hmac);
    const certificate = folder === undefined ? undefined : readServingCertificate(folder);
    const endpoint = await listen(sourceBindAddress, (request, bodies) => this.respond(request, bodies), certificate);
    this.endpoint = endpoint;
    if (!endpoint) return;
    logger.info('Serving HTTP sources', { address: endpoint.address });
    if (folder === undefined) {
      this.warnOfClearText(sourceBindAddress);
      return;
    }
    this.cancelReload = watchServingCertificate(folder, clock, (next) => {
      endpoint.renew(next);
    });
  }

  private warnOfClearText(bindAddress: string): void {
    if (isLoopbackHost(parseBindAddress(bindAddress)?.host)) return;
    const paths = [...this.routes.values()].flatMap(({ source }) => ('bearer' in source.auth ? [source.path] : []));
    if (paths.length === 0) return;
    const hint =
      'serve HTTPS with run-operator --source-cert-dir, or sourceCertDir of the Manager; use a loopback address behind a proxy';
    this.logger.warn('bearer tokens for HTTP sources are received in clear text', { paths: paths.join(', '), hint });
  }

  async close(): Promise<void> {
    this.cancelReload();
    await this.endpoint?.close();
  }

  private async respond(request: IncomingMessage, bodies: RequestBodies): Promise<Answer> {
    const [path = '', query] = (request.url ?? '').split('?', 2);
    const route = this.routes.get(path);
    if (!route?.isServed()) return { status: 404, text: 'not found\n' };
    if (request.method !== 'POST') return { status: 405, text: 'only POST is supported\n', headers: { allow: 'POST' } };
    return this.receive(route, request, new URLSearchParams(query), bodies);
  }

  private async receive(
    route: SourceRoute,
    request: IncomingMessage,
    query: URLSearchParams,
    bodies: RequestBodies,
  ): Promise<Answer> {
    const { auth, maxBodyBytes } = route.source;
    // A bearer token, and the form of a signature, are checked before the body is read.
    if ('bearer' in auth && !(await this.isAuthentic(auth, request, Buffer.of()))) return UNAUTHORIZED;
    if ('hmac' in auth) {
      if (signatureOf(auth, request.headers) === undefined) return UNAUTHORIZED;
      if (query.size > 0) return UNSIGNED_QUERY;
    }
    const body = await bodies.read(request, { maxBytes: maxBodyBytes });
    if ('hmac' in auth && !(await this.isAuthentic(auth, request, body))) return UNAUTHORIZED;
    if (!route.triggers.isRunning)
      return { status: 503, text: 'this replica does not lead\n', headers: { 'retry-after': '1' } };
    return this.call(route, sourceRequest(request, query, body.toString('utf8')));
  }

  private async isAuthentic(auth: SourceAuth, { headers }: IncomingMessage, body: Buffer): Promise<boolean> {
    try {
      const result = await isAuthentic(auth, headers, body);
      this.secretProblem = '';
      return result;
    } catch (error) {
      const { message, hint } = error as OperatorError;
      if (message !== this.secretProblem) this.logger.error(`HTTP sources answer 500: ${message}`, { hint });
      this.secretProblem = message;
      throw error;
    }
  }

  private async call({ source, triggers }: SourceRoute, request: SourceRequest): Promise<Answer> {
    const late = new AbortController();
    const received = triggers.receive(source, request, late.signal);
    try {
      if (!(await settledWithin(this.options.clock, METHOD_MS, received))) {
        late.abort(new Error(`${source.name} did not return within ${METHOD_MS} ms`));
        received.catch(() => undefined);
        return { status: 504, text: 'the source did not respond in time\n' };
      }
      const text = `${stringifyJson({ objects: await received })}\n`;
      return { status: 202, text, contentType: 'application/json' };
    } catch (error) {
      if (error instanceof InvalidBodyError) return { status: 400, text: 'the body is not valid JSON\n' };
      this.logger.error(`${source.name} failed`, { err: thrownError(error) });
      return { status: 500, text: 'internal error\n' };
    }
  }
}

const UNAUTHORIZED: Answer = {
  status: 401,
  text: 'unauthorized\n',
  headers: { 'www-authenticate': 'Bearer', connection: 'close' },
};

const UNSIGNED_QUERY: Answer = {
  status: 400,
  text: 'the signature does not cover the query: send its values in the body\n',
  headers: { connection: 'close' },
};

class InvalidBodyError extends SyntaxError {}

function sourceRequest({ headers }: IncomingMessage, query: URLSearchParams, text: string): SourceRequest {
  return {
    headers,
    query,
    text,
    json: () => {
      try {
        if (isTooDeep(text)) throw new SyntaxError('it is nested too deeply');
        return JSON.parse(text) as unknown;
      } catch (error) {
        throw new InvalidBodyError((error as Error).message);
      }
    },
  };
}
