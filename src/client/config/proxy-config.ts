import { BlockList, isIP } from 'node:net';
import { OperatorError } from '../../base/operator-error.js';
import { Secret } from '../secret.js';

/** A proxy for the connections to the server: an HTTP proxy (CONNECT), or one of SOCKS 5. */
export interface ProxyConfig {
  /** Without user and password. */
  readonly url: URL;
  /** Value of the Proxy-Authorization header; a SOCKS proxy gets the user and password in it. */
  readonly authorization?: Secret;
}

/**
 * Parses the URL of a proxy. `origin` is the source of the URL, for messages.
 *
 * @throws OperatorError if it is not the URL of an HTTP or SOCKS 5 proxy.
 */
export function parseProxy(text: string, origin: string): ProxyConfig {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url && /^socks(?:4|4a)?:$/.test(url.protocol)) throw oldSocksProxy(origin);
  // Unlike those of HTTP, the URLs of SOCKS can have no host.
  if (!url || !/^(?:https?|socks5h?):$/.test(url.protocol) || url.hostname === '')
    throw invalidProxy(origin, 'use http://host:port or socks5://host:port');
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '') return { url };
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { url, authorization: new Secret(`Basic ${Buffer.from(pair).toString('base64')}`) };
  } catch {
    throw invalidProxy(origin, 'percent-encode the user and password: % is %25');
  }
}

function invalidProxy(origin: string, hint: string): OperatorError {
  return new OperatorError(`${origin} is not the URL of an HTTP or SOCKS 5 proxy`, { code: 'E_CONFIG', hint });
}

function oldSocksProxy(origin: string): OperatorError {
  return new OperatorError(`${origin} is not a proxy of SOCKS 5`, {
    code: 'E_CONFIG',
    hint: 'use socks5://host:port if the proxy supports SOCKS 5, or an HTTP proxy',
  });
}

/** Returns true for the URL of a SOCKS proxy. It resolves the name of the server, whether the scheme is socks5 or socks5h. */
export function isSocks({ protocol }: URL): boolean {
  return protocol.startsWith('socks');
}

/** Returns the proxy for a server from HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY excludes the server. */
export function proxyFromEnvironment(server: URL, env: NodeJS.ProcessEnv): ProxyConfig | undefined {
  const names = server.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const name = names.find((candidate) => env[candidate] !== undefined && env[candidate] !== '');
  if (name === undefined || isExcluded(server, env['NO_PROXY'] ?? env['no_proxy'] ?? '')) return undefined;
  return parseProxy(env[name] ?? '', name);
}

/** Implements the rules of Go's httpproxy: loopback; names with subdomains, addresses, networks; optional ports. */
function isExcluded(server: URL, exceptions: string): boolean {
  if (isLoopback(server)) return true;
  const host = bareHost(server).toLowerCase();
  return exceptions.split(',').some((entry) => matches(entry.trim().toLowerCase(), host, server));
}

function matches(entry: string, host: string, server: URL): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(host, entry);
  const port = /^(.*[^:]):(\d+)$/.exec(entry);
  if (port && port[2] !== portOf(server)) return false;
  return isSameOrSubdomain(host, (port?.[1] ?? entry).replace(/^\[|\]$/g, '').replace(/^\*\./, '.'));
}

function isSameOrSubdomain(host: string, name: string): boolean {
  if (name === '') return false;
  if (name.startsWith('.')) return host.endsWith(name);
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Returns whether a URL names this machine. */
export function isLoopback(url: URL): boolean {
  const host = bareHost(url).toLowerCase();
  return host === 'localhost' || host === '::1' || isInNetwork(host, '127.0.0.0/8');
}

/** Returns the host of a URL; an IPv6 address without brackets. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Returns the port of a URL; by default the port of its scheme. */
export function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  if (isSocks(url)) return '1080';
  return url.protocol === 'https:' ? '443' : '80';
}
