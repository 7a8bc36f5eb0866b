import type { ClientRequest, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { objectAt, stringAt, type ApiObject } from '../objects/api-object.js';
import type { UserInfo } from '../objects/user-info.js';
import { goCallError } from '../remote/call-error.js';
import { readAnswer } from '../remote/read-answer.js';
import type { ServiceResolver } from '../remote/service-resolver.js';
import type { FrontProxy } from './front-proxy.js';
import { serviceOf } from './service-reference.js';

const TIMEOUT_MS = 5000;

/** The user of requests that this server makes for itself. */
const AGGREGATOR: UserInfo = { name: 'system:kube-aggregator', groups: ['system:masters'] };

/** The response of a server behind an APIService. */
export interface RemoteAnswer {
  readonly url: string;
  readonly code: number;
  readonly contentType: string;
  readonly text: string;
}

/** The address of the server behind an APIService. */
export interface RemoteAddress {
  readonly host: string;
  readonly port: number;
}

/** Calls the servers behind APIServices. */
export class RemoteClient {
  constructor(
    private readonly services: ServiceResolver,
    private readonly frontProxy: FrontProxy,
  ) {}

  /** @throws Error when the Service cannot be resolved */
  addressOf(apiService: ApiObject): RemoteAddress {
    const { namespace, name, port } = serviceOf(apiService) ?? { namespace: '', name: '', port: 0 };
    return this.services.resolve(namespace, name, port);
  }

  /** Opens a request as a user; it is sent when the caller writes to it or ends it. */
  open(
    apiService: ApiObject,
    { host, port }: RemoteAddress,
    call: { readonly method: string; readonly path: string; readonly headers: OutgoingHttpHeaders },
    user: UserInfo,
  ): ClientRequest {
    const { namespace = '', name = '' } = serviceOf(apiService) ?? {};
    const spec = objectAt(apiService, 'spec');
    const caBundle = stringAt(spec, 'caBundle');
    const { keyPem: key, certPem: cert } = this.frontProxy.certificate ?? {};
    return request({
      ...call,
      headers: { ...call.headers, ...userHeaders(user), host: `${host}:${port}` },
      host,
      port,
      servername: `${name}.${namespace}.svc`,
      rejectUnauthorized: spec.insecureSkipTLSVerify !== true,
      // Go trusts every certificate in the bundle, including a server's own one that is not a CA.
      ...(caBundle !== '' && { ca: Buffer.from(caBundle, 'base64'), allowPartialTrustChain: true }),
      ...(key !== undefined && cert !== undefined && { key, cert }),
      agent: false,
    });
  }

  /**
   * Gets a document from a server.
   * @throws Error with the message of Go's HTTP client after 5 seconds without a response
   */
  async get(apiService: ApiObject, path: string, accept: string, user = AGGREGATOR): Promise<RemoteAnswer> {
    const address = this.addressOf(apiService);
    const url = `https://${address.host}:${address.port}${path}`;
    const call = this.open(apiService, address, { method: 'GET', path, headers: { accept } }, user);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const abort = (): void => {
      call.destroy();
    };
    signal.addEventListener('abort', abort);
    try {
      return await answerOf(call, url);
    } catch (error) {
      throw goCallError('Get', error as Error, url, address, signal.aborted);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

function answerOf(call: ClientRequest, url: string): Promise<RemoteAnswer> {
  return new Promise((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response) => {
      const { statusCode: code = 0, headers } = response;
      readAnswer(response).then((text) => {
        resolve({ url, code, contentType: headers['content-type'] ?? '', text });
      }, reject);
    });
    call.end();
  });
}

/** Returns the user headers of a front proxy: SetAuthProxyHeaders of client-go. */
function userHeaders({ name, uid, groups, extra = {} }: UserInfo): OutgoingHttpHeaders {
  return {
    'x-remote-user': name,
    ...(uid !== undefined && uid !== '' && { 'x-remote-uid': uid }),
    'x-remote-group': [...groups],
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`x-remote-extra-${encodeURIComponent(key)}`, [...values]]),
    ),
  };
}
