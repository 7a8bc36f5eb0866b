import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type ConnectionOptions, type SecureContext } from 'node:tls';
import type { Clock } from '../../base/clock.js';
import { ConnectionError, toConnectionError } from '../connection-error.js';
import { bareHost, portOf, type ProxyConfig } from '../config/proxy-config.js';
import { openTunnel } from './proxy-tunnel.js';
import type { ClientCertificate, TlsConfig } from '../config/tls-config.js';
import { TlsMaterial } from './tls-material.js';

export interface DialerOptions {
  readonly server: URL;
  readonly tls: TlsConfig;
  readonly proxy?: ProxyConfig | undefined;
  readonly clock: Clock;
  /** Returns the client certificate of the credentials, if any. */
  readonly clientCertificate: () => Promise<ClientCertificate | undefined>;
  /** Time until TCP, the proxy and TLS are ready. */
  readonly timeoutMs: number;
}

interface Opening {
  socket?: Socket;
  hasTimedOut: boolean;
}

/** The idle time after which TCP keep-alive probes start; they close a connection to an unreachable host. */
const KEEP_ALIVE_MS = 15_000;

/** Opens connections to one server: TCP, through a proxy if there is one, then TLS. */
export class Dialer {
  private readonly host: string;
  private readonly port: number;
  private readonly material: TlsMaterial;
  private context: SecureContext | undefined;
  /** Contains a key. `util.inspect` does not print private fields. */
  #session: Buffer | undefined;
  private readonly openings = new Set<Opening>();

  /** @param onNewCertificates called when a connection is opened with other certificates than the previous one */
  constructor(
    private readonly options: DialerOptions,
    private readonly onNewCertificates: () => void,
  ) {
    this.host = bareHost(options.server);
    this.port = Number(portOf(options.server));
    this.material = new TlsMaterial(options.tls);
  }

  /** Opens a connection. Rejects with a ConnectionError that contains the server and the cause. */
  async dial(): Promise<Socket> {
    const isTls = this.options.server.protocol === 'https:';
    const context = isTls ? await this.currentContext() : undefined;
    const { server, clock, timeoutMs, proxy } = this.options;
    const opening: Opening = { hasTimedOut: false };
    this.openings.add(opening);
    const cancel = clock.schedule(timeoutMs, () => {
      opening.hasTimedOut = true;
      opening.socket?.destroy(new Error('time-out'));
    });
    try {
      const tunnel = proxy && (await this.openTunnel(proxy, opening));
      const socket = context ? this.openTls(context, tunnel) : (tunnel ?? this.openTcp());
      opening.socket = socket;
      if (socket !== tunnel) await isReady(socket, context ? 'secureConnect' : 'connect');
      socket.setNoDelay(true);
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      return socket;
    } catch (error) {
      throw opening.hasTimedOut ? timedOut(server.host, timeoutMs) : toConnectionError(error, server.host);
    } finally {
      cancel();
      this.openings.delete(opening);
    }
  }

  /** Aborts connections that are not yet open. */
  close(): void {
    for (const { socket } of this.openings) socket?.destroy();
  }

  /** Reads the certificates again and returns whether they have changed. If so, calls `onNewCertificates`. */
  async hasNewCertificates(): Promise<boolean> {
    const before = this.context;
    return before !== undefined && (await this.currentContext()) !== before;
  }

  private async currentContext(): Promise<SecureContext> {
    const given = await this.options.clientCertificate();
    const context = await this.material.context(given);
    if (context !== this.context) {
      const isFirst = this.context === undefined;
      this.context = context;
      this.#session = undefined;
      if (!isFirst) this.onNewCertificates();
    }
    return context;
  }

  private async openTunnel(proxy: ProxyConfig, opening: Opening): Promise<Socket> {
    const secureContext = proxy.url.protocol === 'https:' ? await this.material.proxyContext() : undefined;
    return openTunnel(proxy, { host: this.host, port: this.port, secureContext, opening });
  }

  private openTcp(): Socket {
    return connectTcp({ host: this.host, port: this.port });
  }

  private openTls(secureContext: SecureContext, tunnel: Socket | undefined): Socket {
    const { serverName, insecureSkipVerify = false } = this.options.tls;
    const name = serverName ?? this.host;
    const options: ConnectionOptions = {
      host: this.host,
      ...(tunnel ? { socket: tunnel } : { port: this.port }),
      secureContext,
      rejectUnauthorized: !insecureSkipVerify,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(name) === 0 && { servername: name }), // SNI does not allow IP addresses
      checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
      ...(this.#session && { session: this.#session }),
    };
    const socket = connectTls(options);
    socket.on('session', (session) => {
      if (secureContext === this.context) this.#session = session;
    });
    return socket;
  }
}

function isReady(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      socket.removeListener('error', settle);
      socket.removeListener('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = (): void => {
      settle(new Error('the connection was closed before it was ready'));
    };
    socket.once(event, () => {
      settle();
    });
    socket.once('error', settle);
    socket.once('close', closed);
  });
}

function timedOut(host: string, timeoutMs: number): ConnectionError {
  return new ConnectionError(`cannot reach ${host}: no connection within ${timeoutMs / 1000} s`, {
    reason: 'timeout',
    host,
    hint: 'check the address, and that no firewall blocks it',
  });
}
