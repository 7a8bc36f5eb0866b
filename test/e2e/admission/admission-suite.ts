import { readFile } from 'node:fs/promises';
import { createServer, request, type Agent, type RequestOptions, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { randomBytes } from 'node:crypto';
import { eventually } from 'kindwright/testing';
import { parseYaml } from '../../../src/base/yaml.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { untilInitialized } from '../../controlplane/until-initialized.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

/** A reply as a test reads it: any depth, no ceremony. */
export interface Json {
  readonly [field: string]: Json;
}

export interface Reply {
  readonly code: number;
  readonly body: Json;
  readonly warnings: readonly string[];
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

export interface WebSocketAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of a refusal. */
  readonly text?: string;
  /** Whether it came by a connection that was there before. */
  readonly isReused?: boolean;
  readonly socket?: Duplex;
}

interface KubeConfig {
  readonly clusters: readonly [{ readonly cluster: Record<string, string> }];
  readonly users: readonly [{ readonly user: Record<string, string> }];
}

/** Raw requests of a test to the server of a suite, as its administrator. */
export class AdmissionSuite {
  private constructor(
    private readonly cluster: SuiteControlPlane,
    private readonly server: string,
    private readonly access: RequestOptions,
  ) {}

  static async start(starting: Promise<SuiteControlPlane> = startSuiteControlPlane()): Promise<AdmissionSuite> {
    const cluster = await starting;
    const config = parseYaml(await readFile(cluster.kubeconfig, 'utf8'), 'kubeconfig') as KubeConfig;
    const [{ cluster: where }] = config.clusters;
    const [{ user }] = config.users;
    const token = user.token === undefined ? {} : { headers: { authorization: `Bearer ${user.token}` } };
    const access = {
      ca: await pem(where, 'certificate-authority'),
      cert: await pem(user, 'client-certificate'),
      key: await pem(user, 'client-key'),
      ...token,
    };
    const suite = new AdmissionSuite(cluster, where.server ?? '', access);
    // The embedded cluster has one; in the real one it must be created.
    await suite.send('DELETE', '/apis/storage.k8s.io/v1/storageclasses/standard');
    return suite;
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }

  /** The same server, for requests that impersonate a user. */
  impersonating(user: string): AdmissionSuite {
    const headers = { ...(this.access.headers as Record<string, string> | undefined), 'impersonate-user': user };
    return new AdmissionSuite(this.cluster, this.server, { ...this.access, headers });
  }

  /** The same server, as the user of a client certificate. */
  as(identity: { readonly cert: string; readonly key: string }): AdmissionSuite {
    return new AdmissionSuite(this.cluster, this.server, { ca: this.access.ca, agent: false, ...identity });
  }

  /** The same server, as the anonymous user. */
  anonymously(): AdmissionSuite {
    return new AdmissionSuite(this.cluster, this.server, { ca: this.access.ca, agent: false });
  }

  /** Requests a WebSocket: resolves with the response, and with the connection if it was upgraded. */
  openWebSocket(
    path: string,
    more: Readonly<Record<string, string>> = {},
    agent: Agent | false = false,
  ): Promise<WebSocketAnswer> {
    const headers = {
      ...(this.access.headers as Record<string, string> | undefined),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...more,
    };
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, this.server), { ...this.access, agent, headers }, (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
        response.on('close', () =>
          resolve({
            code: response.statusCode ?? 0,
            headers: response.headers,
            text: received,
            isReused: call.reusedSocket,
          }),
        );
      });
      call.on('upgrade', ({ statusCode = 0, headers: replied }, socket, head) => {
        if (head.length > 0) socket.unshift(head);
        resolve({ code: statusCode, headers: replied, socket });
      });
      call.on('error', reject);
      call.end();
    });
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    contentType = 'application/json',
    more: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      ...(this.access.headers as Record<string, string> | undefined),
      'user-agent': 'test/1',
      ...(text !== '' && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
      ...more,
    };
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, this.server), { ...this.access, method, headers }, (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
        response.on('end', () => {
          const { statusCode = 0, headers: replied } = response;
          // Node has a character for each byte.
          const warnings = [replied.warning ?? []]
            .flat()
            .flatMap((line) =>
              Buffer.from(line, 'latin1')
                .toString()
                .split(/(?<="), (?=299 - ")/),
            )
            .map((each) => /^299 - "(.*)"$/s.exec(each)?.[1] ?? each);
          resolve({ code: statusCode, body: parse(received), warnings, headers: replied });
        });
      });
      call.on('error', reject);
      call.end(text);
    });
  }

  /** Sends, and fails unless it is a success. */
  async must(method: string, path: string, body?: unknown, contentType?: string): Promise<Json> {
    const reply = await untilInitialized(() => this.send(method, path, body, contentType));
    if (reply.code >= 300) throw new Error(`${method} ${path}: ${reply.code} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  /** Sends until the reply is as wanted: what configures admission takes effect a little later. */
  async until(send: () => Promise<Reply>, isWanted: (reply: Reply) => boolean): Promise<Reply> {
    return eventually(
      async () => {
        const reply = await send();
        if (!isWanted(reply)) throw new Error(`not as wanted: ${reply.code} ${JSON.stringify(reply.body)}`);
        return reply;
      },
      { timeout: '60s' },
    );
  }

  /** A namespace of its own, with all that controllers make in it. */
  async namespace(labels: Record<string, string> = {}): Promise<string> {
    const name = `test-${randomBytes(4).toString('hex')}`;
    await this.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    // Both are made by controllers, in their own time.
    for (const made of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt'])
      await this.until(
        () => this.send('GET', `/api/v1/namespaces/${name}/${made}`),
        ({ code }) => code === 200,
      );
    return name;
  }

  /** Makes a quota, by which the server counts and refuses once it resolves. */
  async quota(namespace: string, name: string, spec: object): Promise<void> {
    const core = `/api/v1/namespaces/${namespace}`;
    const make = (quotaName: string, quotaSpec: object): Promise<Json> =>
      this.must('POST', `${core}/resourcequotas`, {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: quotaName },
        spec: quotaSpec,
      });
    await make(name, spec);
    await this.until(
      () => this.send('GET', `${core}/resourcequotas/${name}`),
      ({ body }) => body.status?.used !== undefined,
    );
    // Admission receives quotas in their order: when it enforces the second one, it has the first.
    await make('last', { hard: { 'count/leases.coordination.k8s.io': '0' } });
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases?dryRun=All`;
    await this.until(
      () => this.send('POST', leases, { metadata: { name: 'refused' } }),
      ({ body }) => JSON.stringify(body).includes('exceeded quota: last'),
    );
  }
}

async function pem(from: Record<string, string>, name: string): Promise<string | undefined> {
  const [data, path] = [from[`${name}-data`], from[name]];
  if (data !== undefined) return Buffer.from(data, 'base64').toString();
  return path === undefined ? undefined : readFile(path, 'utf8');
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text } as unknown as Json;
  }
}

export type Handler = (request: Json, path: string) => object | Promise<object>;

/** A webhook on loopback: responds to AdmissionReviews with the result of its handler. */
export class WebhookServer {
  /** Every request so far, oldest first. */
  readonly reviews: Json[] = [];

  private constructor(
    private readonly server: Server,
    readonly caBundle: string,
    /** Its certificate, as a bundle of one. */
    readonly certificate: string,
  ) {}

  /** `answer` gets `request` of each review and gives what `response` has beside the uid. */
  static async start(answer: Handler, member: 'request' | 'whole' = 'request'): Promise<WebhookServer> {
    const { keyPem, certPem, caPem } = createServingIdentity(Date.now());
    const server = createServer({ key: keyPem, cert: certPem }, (message, response) => {
      let text = '';
      message.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      message.on('end', () => {
        const review = JSON.parse(text) as Json;
        webhook.reviews.push(review);
        void Promise.resolve(answer(review.request!, message.url ?? '')).then((given) => {
          const { kind, apiVersion } = review;
          const reply =
            member === 'whole' ? given : { kind, apiVersion, response: { uid: review.request!.uid, ...given } };
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
        });
      });
    });
    const [authority, own] = [caPem, certPem].map((pem) => Buffer.from(pem).toString('base64'));
    const webhook = new WebhookServer(server, authority!, own!);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.unref(); // a test that fails leaves it open
    return webhook;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  clientConfig(path = '/'): object {
    return { url: `https://127.0.0.1:${this.port}${path}`, caBundle: this.caBundle };
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

export const patchOf = (...operations: object[]): object => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

export const configMap = (name: string, data: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

/** A string member of a response. */
export const text = (value: Json | undefined): string => value as unknown as string;
