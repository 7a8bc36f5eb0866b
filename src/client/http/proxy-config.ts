import { BlockList, isIP } from 'node:net';
import { OperatorError } from '../../base/operator-error.js';
import { Secret } from '../secret.js';

/** An HTTP proxy that the connections to the server go through (CONNECT). */
export interface ProxyConfig {
  /** Without user and password. */
  readonly url: URL;
  /** Value of the Proxy-Authorization header. */
  readonly authorization?: Secret;
}

/**
 * The proxy that a URL speaks of; `origin` says where the URL was found.
 *
 * @throws OperatorError when it is no URL of an HTTP proxy.
 */
export function parseProxy(text: string, origin: string): ProxyConfig {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new OperatorError(`${origin} is not the URL of an HTTP proxy`, {
      code: 'E_CONFIG',
      hint: 'use http://host:port',
    });
  }
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '') return { url };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, authorization: new Secret(`Basic ${Buffer.from(pair).toString('base64')}`) };
}

/** The proxy that HTTPS_PROXY or HTTP_PROXY names for a server, unless NO_PROXY excepts it. */
export function proxyFromEnvironment(server: URL, env: NodeJS.ProcessEnv): ProxyConfig | undefined {
  const names = server.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const name = names.find((candidate) => env[candidate] !== undefined && env[candidate] !== '');
  if (name === undefined || isExcepted(server, env['NO_PROXY'] ?? env['no_proxy'] ?? '')) return undefined;
  return parseProxy(env[name] ?? '', name);
}

/** The rules of Go's httpproxy: loopback never; else names with their subdomains, addresses, networks, each with a port. */
function isExcepted(server: URL, exceptions: string): boolean {
  const host = bareHost(server).toLowerCase();
  if (host === 'localhost' || isLoopback(host)) return true;
  return exceptions.split(',').some((entry) => matches(entry.trim().toLowerCase(), host, server));
}

function matches(entry: string, host: string, server: URL): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(host, entry);
  const port = /^(.*[^:]):(\d+)$/.exec(entry);
  if (port && port[2] !== portOf(server)) return false;
  return isOrIsBelow(host, (port?.[1] ?? entry).replace(/^\[|\]$/g, '').replace(/^\*\./, '.'));
}

function isOrIsBelow(host: string, name: string): boolean {
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

function isLoopback(host: string): boolean {
  return host === '::1' || isInNetwork(host, '127.0.0.0/8');
}

/** The host of a URL, an IPv6 address without its brackets. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** The port of a URL, that of its scheme if it names none. */
export function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}
