import { once } from 'node:events';
import { connect as connectTcp, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { thrownError } from '../../base/thrown-error.js';
import { ConnectionError, toConnectionError } from '../connection-error.js';
import { bareHost, isSocks, portOf, type ProxyConfig } from '../config/proxy-config.js';
import { ResponseHead } from './response-head.js';

const MAX_HEAD_BYTES = 16 * 1024;

export interface TunnelOptions {
  /** The server. */
  readonly host: string;
  readonly port: number;
  /** The authorities of an HTTPS proxy. */
  readonly secureContext: SecureContext | undefined;
  /** Gets the new socket, which the caller destroys on timeout. */
  readonly opening: { socket?: Socket };
}

/** Opens a connection to a server through a proxy: an HTTP proxy by CONNECT (RFC 9110, 9.3.6), or one of SOCKS 5 (RFC 1928). */
export async function openTunnel(proxy: ProxyConfig, options: TunnelOptions): Promise<Socket> {
  return isSocks(proxy.url) ? openSocks(proxy, options) : openHttpTunnel(proxy, options);
}

async function openHttpTunnel(
  proxy: ProxyConfig,
  { host, port, secureContext, opening }: TunnelOptions,
): Promise<Socket> {
  const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const address = { host: bareHost(proxy.url), port: Number(portOf(proxy.url)) };
  const servername = isIP(address.host) === 0 ? address.host : ''; // SNI does not allow IP addresses
  const socket = secureContext ? connectTls({ ...address, secureContext, servername }) : connectTcp(address);
  opening.socket = socket;
  const authorization = proxy.authorization ? `Proxy-Authorization: ${proxy.authorization.reveal()}\r\n` : '';
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  const head = await readHead(socket, proxy.url.host);
  if (head.status >= 200 && head.status <= 299) return socket;
  socket.destroy();
  throw new ConnectionError(`the proxy ${proxy.url.host} rejected the connection to ${target}: ${head.status}`, {
    reason: 'proxy',
    host: target,
    hint: head.status === 407 ? 'add the user and password to the URL of the proxy' : 'check proxy-url and HTTPS_PROXY',
  });
}

/** The package is loaded on demand: few clusters are behind such a proxy. */
async function openSocks(proxy: ProxyConfig, { host, port, opening }: TunnelOptions): Promise<Socket> {
  const { SocksClient } = await import('socks');
  const address = { host: bareHost(proxy.url), port: Number(portOf(proxy.url)) };
  const socket = connectTcp(address);
  opening.socket = socket;
  try {
    await once(socket, 'connect');
    await SocksClient.createConnection({
      command: 'connect',
      destination: { host, port },
      proxy: { ...address, type: 5, ...credentialsOf(proxy) },
      existing_socket: socket,
    });
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    // An error of the package contains the password, so it is not the cause.
    const { message, code } = thrownError(error) as NodeJS.ErrnoException;
    const failure = toConnectionError(Object.assign(new Error(message), { code }), `the proxy ${proxy.url.host}`);
    throw new ConnectionError(failure.message, { reason: 'proxy', host: `${host}:${port}`, hint: failure.hint });
  }
}

function credentialsOf({
  authorization,
}: ProxyConfig): { readonly userId: string; readonly password: string } | undefined {
  if (!authorization) return undefined;
  const pair = Buffer.from(authorization.reveal().replace(/^Basic /, ''), 'base64').toString();
  const colon = pair.indexOf(':');
  return { userId: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function readHead(socket: Socket, proxyHost: string): Promise<ResponseHead> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (settled: () => void): void => {
      socket.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close');
      settled();
    };
    const fail = (error: unknown): void => {
      settle(() => {
        socket.on('error', () => undefined).destroy();
        const { message, host, hint } = toConnectionError(error, `the proxy ${proxyHost}`);
        reject(new ConnectionError(message, { reason: 'proxy', host, hint, cause: error }));
      });
    };
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end >= 0) {
        try {
          const head = new ResponseHead(text.slice(0, end));
          settle(() => {
            resolve(head);
          });
        } catch (error) {
          fail(error);
        }
      } else if (text.length > MAX_HEAD_BYTES) fail(new Error('the head of its response is too long'));
    });
    socket.on('error', fail);
    socket.on('close', () => {
      fail(new Error('it closed the connection'));
    });
  });
}
