import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { KeyCertificate, ServingIdentity } from '../../../src/pki/certificate.js';
import { InjectedFault, type CallMatch, type Fault, type Occurrence, type Reply, type Severance } from './fault.js';
import { isWrite, parseApiRequest, type ProxiedCall } from './proxied-call.js';
import { WatchRelay } from './watch-relay.js';

export interface FaultProxyOptions {
  /** The API server. */
  readonly upstream: URL;
  /** Files of the certificate authority and, for requests without a token, of the client certificate. */
  readonly files: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
  readonly identity: ServingIdentity;
}

type Outcome = Reply | Severance;

/**
 * A TLS server in front of an API server that forwards HTTP/1.1 requests, records all of them, and injects faults.
 *
 * Requests without a token are forwarded with the client certificate of the options. Everything a client does to the
 * cluster passes here, so `calls` is a complete ledger of it.
 */
export class FaultProxy {
  /** In the order of their arrival. */
  readonly calls: ProxiedCall[] = [];
  private readonly injected: InjectedFault[] = [];
  private readonly relays = new Set<WatchRelay>();
  private readonly sockets = new Set<Socket>();
  private readonly withCertificate: Agent;
  private readonly withToken: Agent;
  private server: Server | undefined;
  private port = 0;
  /** How many connections were accepted so far. */
  accepted = 0;
  /** Chooses the API server for a call, as a load balancer does. */
  route: (call: ProxiedCall) => URL = () => this.options.upstream;

  private constructor(private readonly options: FaultProxyOptions) {
    const { ca, cert, key } = options.files;
    this.withCertificate = new Agent({ keepAlive: true, ca, cert, key });
    this.withToken = new Agent({ keepAlive: true, ca });
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await proxy.listen();
    return proxy;
  }

  get url(): URL {
    return new URL(`https://127.0.0.1:${String(this.port)}`);
  }

  get openConnections(): number {
    return this.sockets.size;
  }

  /** The watches that are open, oldest first. */
  watches(resource?: string): WatchRelay[] {
    return [...this.relays].filter(({ call }) => resource === undefined || call.resource === resource);
  }

  /** The writes so far, in the order of their arrival. */
  get writes(): ProxiedCall[] {
    return this.calls.filter(isWrite);
  }

  inject(match: CallMatch, fault: Fault, occurrence: Occurrence = {}): InjectedFault {
    const injected = new InjectedFault(match, fault, occurrence);
    this.injected.push(injected);
    return injected;
  }

  /** Listens again, at the port of the first time. */
  async listen({ certPem, keyPem }: KeyCertificate = this.options.identity): Promise<void> {
    const server = createServer({ cert: certPem, key: keyPem }, (incoming, response) => {
      this.handle(incoming, response).catch(() => response.destroy());
    });
    server.on('secureConnection', (socket) => {
      this.accepted += 1;
      socket.setNoDelay(true);
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('tlsClientError', () => undefined);
    server.keepAliveTimeout = 0;
    server.requestTimeout = 0;
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Closes all connections and refuses new ones until `listen`. */
  async refuse(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    const closed = once(server, 'close');
    server.close();
    this.cut();
    await closed;
  }

  /** Closes all connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    await this.refuse();
    this.withCertificate.destroy();
    this.withToken.destroy();
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await receive(incoming);
    this.calls.push(call);
    const faults = this.injected.filter((injected) => injected.takes(call)).map(({ fault }) => fault);
    try {
      const outcome = await this.outcomeOf(call, response, faults);
      if (outcome === undefined) return;
      if (typeof outcome === 'object') call.answeredStatus = outcome.status;
      deliver(outcome, response);
    } finally {
      call.endedMs = performance.now();
    }
  }

  /** Resolves with undefined when a watch has been relayed. */
  // eslint-disable-next-line complexity -- the course of one call, in order
  private async outcomeOf(
    call: ProxiedCall,
    response: ServerResponse,
    faults: readonly Fault[],
  ): Promise<Outcome | undefined> {
    for (const fault of faults) {
      const early = await fault.request?.(call);
      if (early !== undefined) return early;
    }
    const upstream = await this.forward(call);
    call.status = upstream.statusCode ?? 0;
    if (call.verb === 'watch' && call.status === 200) {
      await this.relay(new WatchRelay(call, upstream, response, faults));
      return undefined;
    }
    let reply: Reply = await complete(upstream);
    for (const fault of faults) {
      const changed = (await fault.response?.(call, reply)) ?? reply;
      if (typeof changed === 'string') return changed;
      reply = changed;
    }
    return reply;
  }

  private async relay(relay: WatchRelay): Promise<void> {
    this.relays.add(relay);
    try {
      await relay.run();
    } finally {
      this.relays.delete(relay);
    }
  }

  private async forward(call: ProxiedCall): Promise<IncomingMessage> {
    const { method, url, body } = call;
    const { host: _, 'accept-encoding': _encoding, connection: _connection, ...headers } = call.headers;
    const agent = headers['authorization'] === undefined ? this.withCertificate : this.withToken;
    const forwarded = request(new URL(url, this.route(call)), { method, headers, agent });
    forwarded.end(body);
    const [upstream] = (await once(forwarded, 'response')) as [IncomingMessage];
    return upstream;
  }
}

async function receive(incoming: IncomingMessage): Promise<ProxiedCall> {
  const receivedMs = performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { method = 'GET', url = '/', headers } = incoming;
  const parsed = new URL(url, 'https://proxy');
  const request = parseApiRequest(method, parsed, headers['content-type'] ?? '', body);
  return { ...request, method, url, query: parsed.searchParams, headers, body, receivedMs };
}

async function complete(upstream: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of upstream) chunks.push(chunk as Buffer);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(upstream.headers))
    if (!HOP_BY_HOP.has(name) && value !== undefined) headers[name] = String(value);
  return { status: upstream.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

function deliver(outcome: Outcome, response: ServerResponse): void {
  if (outcome === 'reset') response.destroy();
  else if (outcome !== 'hang') {
    const { status, headers, body } = outcome;
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.end(body);
  }
}
