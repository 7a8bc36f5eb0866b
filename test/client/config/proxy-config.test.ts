import { describe, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import {
  bareHost,
  isSocks,
  parseProxy,
  portOf,
  proxyFromEnvironment,
} from '../../../src/client/config/proxy-config.js';

function proxyOf(server: string, env: Record<string, string>): string | undefined {
  return proxyFromEnvironment(new URL(server), env)?.url.host;
}

describe('proxyFromEnvironment', () => {
  const env = { HTTPS_PROXY: 'http://secure:3128', HTTP_PROXY: 'http://plain:3128' };

  test('proxyFromEnvironment reads the variable of the scheme', () => {
    expect(proxyOf('https://api.example.com', env)).toBe('secure:3128');
    expect(proxyOf('http://api.example.com', env)).toBe('plain:3128');
    expect(proxyOf('https://api.example.com', { https_proxy: 'small:1' })).toBe('small:1');
    expect(proxyOf('https://api.example.com', { HTTPS_PROXY: '' })).toBeUndefined();
  });

  test.each(['https://localhost:6443', 'https://127.0.0.1:6443', 'https://[::1]:6443'])(
    'a request to %s uses no proxy',
    (server) => {
      expect(proxyOf(server, env)).toBeUndefined();
    },
  );

  test.each([
    ['*', true],
    ['api.example.com', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['API.Example.COM', true],
    ['other.com, example.com', true],
    ['api.example.com:6443', true],
    ['api.example.com:443', false],
    ['xample.com', false],
    ['www.api.example.com', false],
    ['', false],
    [',', false],
    ['10.0.0.0/8', false],
  ])('NO_PROXY=%s excepts api.example.com:6443: %s', (exceptions, isExcepted) => {
    const proxy = proxyOf('https://api.example.com:6443', { ...env, NO_PROXY: exceptions });
    expect(proxy === undefined).toBe(isExcepted);
  });

  test.each([
    ['10.0.0.0/8', true],
    ['10.1.2.3', true],
    ['10.1.2.3:443', true],
    ['10.2.0.0/16', false],
    ['fd00::/8', false],
    ['10.0.0.0/99', false],
    ['1.2.3', false],
  ])('NO_PROXY=%s excepts 10.1.2.3: %s', (exceptions, isExcepted) => {
    expect(proxyOf('https://10.1.2.3', { ...env, NO_PROXY: exceptions }) === undefined).toBe(isExcepted);
  });
});

describe('parseProxy', () => {
  test('user and password of a proxy become a header that is not printed', () => {
    const proxy = parseProxy('http://bob:s3c%40ret@proxy:3128', 'proxy-url');
    expect(proxy.authorization?.reveal()).toBe(`Basic ${Buffer.from('bob:s3c@ret').toString('base64')}`);
    expect(inspect(proxy)).not.toMatch(/s3c|Basic/);
  });

  test('a proxy address without a scheme is an HTTP proxy', () => {
    expect(parseProxy('proxy:3128', 'HTTPS_PROXY').url.href).toBe('http://proxy:3128/');
  });

  test.each([
    ['socks5://bob:s3c%40ret@proxy:1081', '1081'],
    ['socks5h://bob:s3c%40ret@proxy', '1080'],
  ])('the address %j is a SOCKS proxy, and its user and password are not printed', (text, port) => {
    const proxy = parseProxy(text, 'proxy-url');
    expect([isSocks(proxy.url), bareHost(proxy.url), portOf(proxy.url)]).toEqual([true, 'proxy', port]);
    expect(inspect(proxy)).not.toMatch(/s3c|Basic/);
  });

  test.each(['socks4://s3cret@proxy:1080', 'socks4a://s3cret@proxy', 'socks://s3cret@proxy:1080'])(
    'the proxy address %j is refused, because it is not one of SOCKS 5',
    (text) => {
      expect(() => parseProxy(text, 'proxy-url')).toThrow(/^proxy-url is not a proxy of SOCKS 5$/);
    },
  );

  test.each([
    'ftp://s3cret@proxy:1080',
    'socks5://',
    'http://[s3cret',
    'http://s3cret%zz@proxy',
    'http://u:s3cret%zz@proxy',
    '',
  ])('the proxy address %j is refused, and the error does not contain it', (text) => {
    expect(() => parseProxy(text, 'proxy-url')).toThrow(/^proxy-url is not the URL of an HTTP or SOCKS 5 proxy$/);
  });
});
