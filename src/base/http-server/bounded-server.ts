import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ServerOptions } from 'node:https';
import { SystemClock } from '../system-clock.js';
import { OpenConnections } from './open-connections.js';
import { RequestBodies } from './request-bodies.js';

/** A certificate and its key, as PEM. */
interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

interface BoundedServerOptions {
  /** True for HTTPS. */
  readonly isSecure: boolean;
  /** Default 200. Beyond it, the connection that is idle for the longest time is closed for a new one. */
  readonly maxConnections?: number;
  readonly settings?: ServerOptions;
}

const MAX_CONNECTIONS = 200;
/** The time for a request to arrive, and the time between two checks of it. */
const REQUEST_MS = 10_000;
const CHECK_MS = 2_000;

/** An HTTP server with limits for what clients without credentials can hold: connections, time, and memory for bodies. */
export class BoundedServer {
  readonly bodies = new RequestBodies();
  readonly connections: OpenConnections;
  readonly http: Server;
  readonly https;
  private readonly settings: ServerOptions;

  /** @param respond must not reject */
  constructor(
    respond: (request: IncomingMessage, response: ServerResponse, bodies: RequestBodies) => Promise<void>,
    { isSecure, maxConnections = MAX_CONNECTIONS, settings = {} }: BoundedServerOptions,
  ) {
    this.settings = settings;
    const limits: ServerOptions = {
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      ...settings,
    };
    const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
      this.bodies.track(request, response);
      this.connections.hold(request, respond(request, response, this.bodies));
    };
    // An import of node:http costs 18 ms and 16 MB: the ES facade reads WebSocket, a getter that loads undici.
    this.https = isSecure ? process.getBuiltinModule('node:https').createServer(limits, onRequest) : undefined;
    this.http = this.https ?? process.getBuiltinModule('node:http').createServer(limits, onRequest);
    this.connections = new OpenConnections(this.http, new SystemClock(), maxConnections);
  }

  /** Replaces the certificate for new connections. */
  renew(certificate: KeyPair): void {
    this.https?.setSecureContext({ ...this.settings, ...certificate }); // what is omitted becomes the default
  }
}
