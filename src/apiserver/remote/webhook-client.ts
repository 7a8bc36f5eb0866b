import { goQuoted } from '../../base/go-quoted.js';
import { parseJson, stringifyJson } from '../../base/json.js';
import { posix } from 'node:path';
import { Agent, request, type RequestOptions } from 'node:https';
import { numberAt, objectAt, stringAt, type JsonObject } from '../objects/api-object.js';
import { goCallError, serverResponseError } from './call-error.js';
import { readAnswer } from './read-answer.js';
import type { ServiceResolver } from './service-resolver.js';

interface Target {
  readonly url: URL;
  /** The URL in error messages, with its port. */
  readonly shown: string;
  /** The host name that the certificate must be valid for. */
  readonly servername: string | undefined;
  /** The address to connect to, if it is not the host of the URL. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
}

/** The IdleConnTimeout of Go's default transport. */
const IDLE_MS = 90_000;
/** Idle connections that are kept for one webhook. */
const MAX_IDLE = 25;
/** Errors of a connection that the webhook closed while it was idle. */
const CLOSED: readonly (string | undefined)[] = ['ECONNRESET', 'EPIPE'];

/** Posts JSON to admission and conversion webhooks. */
export class WebhookClient {
  /** Reuses connections with the same address, host name and CA bundle. */
  private agent: Agent | undefined; // created on the first call: Node's HTTPS takes 3 MB

  constructor(private readonly services: ServiceResolver) {}

  /**
   * Returns the body of the response.
   * @throws Error with the message of Kubernetes' client
   */
  async post(clientConfig: JsonObject, body: object, timeoutSeconds: number): Promise<unknown> {
    const target = this.targetOf(clientConfig, `timeout=${timeoutSeconds}s`);
    const caBundle = stringAt(clientConfig, 'caBundle');
    // Go trusts every certificate in the bundle, including the webhook's own.
    const ca = caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64'), allowPartialTrustChain: true };
    this.agent ??= new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS });
    const connection = { ...ca, agent: this.agent };
    const text = await post(target, connection, stringifyJson(body), AbortSignal.timeout(timeoutSeconds * 1000));
    try {
      return parseJson(text);
    } catch {
      throw new Error(
        `couldn't get version/kind; json parse error: invalid character in ${goQuoted(text.slice(0, 100))}`,
      );
    }
  }

  /** Closes all connections. */
  close(): void {
    this.agent?.destroy();
  }

  private targetOf(clientConfig: JsonObject, query: string): Target {
    const given = stringAt(clientConfig, 'url');
    if (given !== '') {
      const url = new URL(given);
      url.pathname = cleanPath(url.pathname);
      url.search = query;
      return { url, shown: url.href, servername: undefined, address: undefined };
    }
    const service = objectAt(clientConfig, 'service');
    const [name, namespace] = [stringAt(service, 'name'), stringAt(service, 'namespace')];
    const port = numberAt(service, 'port') ?? 443;
    const servername = `${name}.${namespace}.svc`;
    const path = cleanPath(stringAt(service, 'path'));
    const shown = `https://${servername}:${port}${path}?${query}`;
    try {
      return { url: new URL(shown), shown, servername, address: this.services.resolve(namespace, name, port) };
    } catch (error) {
      throw new Error(`Post "${shown}": ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Removes duplicate, trailing and relative segments like Go's path.Join: envtest turns a service's path into `//path`. */
function cleanPath(path: string): string {
  return posix.join('/', path, '.').replace(/(?!^)\/$/, '');
}

function post(
  target: Target,
  connection: Pick<RequestOptions, 'agent' | 'ca'>,
  body: string,
  signal: AbortSignal,
): Promise<string> {
  const { url, shown, servername, address } = target;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, */*',
    'user-agent': 'kube-apiserver-admission',
    'content-length': Buffer.byteLength(body),
  };
  const place = address && { hostname: address.host, port: address.port };
  const options = { ...connection, ...place, ...(servername !== undefined && { servername }), headers, signal };
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(
        goCallError(
          'Post',
          error,
          shown,
          address ?? { host: url.hostname, port: Number(url.port || 443) },
          signal.aborted,
        ),
      );
    };
    const call = request(url, { ...options, method: 'POST' }, (response) => {
      const { statusCode = 0 } = response;
      readAnswer(response).then((text) => {
        if (statusCode >= 200 && statusCode < 300) resolve(text);
        else reject(serverResponseError(statusCode, text));
      }, fail);
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (call.reusedSocket && CLOSED.includes(error.code)) resolve(post(target, connection, body, signal));
      else fail(error);
    });
    call.end(body);
  });
}
