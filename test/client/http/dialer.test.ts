import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { createServingIdentity, type ServingIdentity } from '../../../src/pki/certificate.js';
import { eventually } from '../../../src/testing/eventually.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import type { TlsConfig } from '../../../src/client/config/tls-config.js';
import { parseProxy } from '../../../src/client/config/proxy-config.js';
import { Secret } from '../../../src/client/secret.js';
import { json, type ScriptedServer } from '../scripted-server.js';
import { clientOf, scripted } from '../test-client.js';
import { tempFolder } from '../temp-folder.js';

const YEAR_MS = 365 * 24 * 3600 * 1000;
const GET = { method: 'GET', path: '/x', retries: 0 };
const good = createServingIdentity(Date.now());
const other = createServingIdentity(Date.now());
const expired = createServingIdentity(Date.now() - 11 * YEAR_MS);

function pem(text: string): { data: Secret } {
  return { data: new Secret(text) };
}

/** A TLS server that responds with the certificate of the client. */
function tlsServer(identity: ServingIdentity = good): Promise<ScriptedServer> {
  const tls = { key: identity.keyPem, cert: identity.certPem, requestCert: true, rejectUnauthorized: false };
  return scripted((_request, socket) => {
    const { raw } = (socket as TLSSocket).getPeerCertificate() as { raw?: Buffer };
    socket.write(json({ certificate: raw?.toString('base64') ?? '' }));
  }, tls);
}

async function failureOf(server: ScriptedServer, tls: TlsConfig): Promise<unknown> {
  const client = clientOf(server, { tls });
  return client.request(GET).then(
    () => 'no error',
    (error: unknown) => error,
  );
}

function bodyOf(certificatePem: string): string {
  return certificatePem.replace(/-----[^-]+-----|\s/g, '');
}

describe('a server', () => {
  test('a server with a certificate of the configured authority is accepted', async () => {
    const client = clientOf(await tlsServer(), { tls: { ca: pem(good.caPem) } });
    expect(await client.request(GET)).toEqual({ certificate: '' });
  });

  test.each([
    ['from an unknown authority', good, { ca: pem(other.caPem) }, /unknown authority/],
    ['from an unknown authority, without a configured one,', good, {}, /unknown authority/],
    ['that has expired', expired, { ca: pem(expired.caPem) }, /certificate has expired/],
    [
      'for another name',
      good,
      { ca: pem(good.caPem), serverName: 'other.example.com' },
      /certificate is not valid for this host \(valid for DNS:localhost/,
    ],
  ])('a server with a certificate %s is rejected', async (_what, identity, tls, message) => {
    const server = await tlsServer(identity);
    const error = await failureOf(server, tls);
    expect(error).toMatchObject({ reason: 'tls', host: server.url.host });
    expect((error as Error).message).toMatch(message);
    expect(server.requests).toEqual([]);
  });

  test('the certificate of a server may have the name that the kubeconfig sets', async () => {
    const tls = { ca: pem(good.caPem), serverName: 'kubernetes.default.svc' };
    expect(await clientOf(await tlsServer(), { tls }).request(GET)).toBeDefined();
  });

  test('insecure-skip-tls-verify accepts a server with any certificate', async () => {
    expect(await clientOf(await tlsServer(other), { tls: { insecureSkipVerify: true } }).request(GET)).toBeDefined();
  });

  test('a server that does not use TLS has an error of its own', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${String((plain.address() as AddressInfo).port)}`;
    const client = clientOf(await tlsServer(), { server: new URL(`https://${host}`) });
    const message = `cannot reach ${host}: the server does not use TLS`;
    await expect(client.request(GET)).rejects.toMatchObject({ reason: 'tls', message });
    plain.close();
  });

  test('a server that accepts a connection but sends nothing times out after ten seconds', async () => {
    const mute = await scripted(() => undefined);
    const clock = new FakeClock();
    const client = clientOf(mute, { server: new URL(mute.url.href.replace('http:', 'https:')) }, { clock });
    const outcome = client.request(GET).catch((reason: unknown) => reason);
    await eventually(() => {
      expect(mute.open).toBe(1);
    });
    await clock.advance(10_000);
    expect(await outcome).toMatchObject({
      reason: 'timeout',
      message: expect.stringContaining('within 10 s'),
    });
  });

  test('closing the client ends the attempt to connect', async () => {
    const mute = await scripted(() => undefined);
    const client = clientOf(mute, { server: new URL(mute.url.href.replace('http:', 'https:')) });
    const outcome = client.request(GET).catch((reason: unknown) => reason);
    await eventually(() => {
      expect(mute.open).toBe(1);
    });
    client.close();
    expect(await outcome).toMatchObject({ reason: 'closed' });
    await eventually(() => {
      expect(mute.open).toBe(0);
    });
  });

  test('the error of a host that does not exist contains its name', async () => {
    const server = await tlsServer();
    const client = clientOf(server, { server: new URL('https://no-such-host.invalid:6443') });
    await expect(client.request(GET)).rejects.toMatchObject({ reason: 'dns', host: 'no-such-host.invalid:6443' });
  });
});

describe('a certificate in a file', () => {
  function files(): { ca: string; certificate: string; key: string; tls: TlsConfig } {
    const folder = tempFolder({ 'ca.crt': good.caPem, 'a.crt': good.certPem, 'a.key': good.keyPem });
    const [ca, certificate, key] = ['ca.crt', 'a.crt', 'a.key'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const clientCertificate = { certificate: { file: certificate }, key: { file: key } };
    return { ca, certificate, key, tls: { ca: { file: ca }, clientCertificate } };
  }

  test('a client certificate in a file is presented to the server', async () => {
    const client = clientOf(await tlsServer(), { tls: files().tls });
    expect(await client.request(GET)).toEqual({ certificate: bodyOf(good.certPem) });
  });

  test('a client certificate whose file has changed is used by the next connection', async () => {
    const { certificate, key, tls } = files();
    const clock = new FakeClock();
    const client = clientOf(await tlsServer(), { tls }, { clock });
    await client.request(GET);
    writeFileSync(certificate, other.certPem);
    writeFileSync(key, other.keyPem);
    expect(await client.request(GET)).toEqual({ certificate: bodyOf(good.certPem) });
    await clock.advance(60_001);
    expect(await client.request(GET)).toEqual({ certificate: bodyOf(other.certPem) });
  });

  test.each([
    ['bad', 'junk'],
    ['empty', ''],
    ['half written', good.caPem.slice(0, 100)],
  ])('a certificate file that has become %s does not replace the previous certificate', async (_what, content) => {
    const { ca, tls } = files();
    const server = await tlsServer();
    const clock = new FakeClock();
    const client = clientOf(server, { tls }, { clock });
    await client.request(GET);
    writeFileSync(ca, content);
    await clock.advance(60_001);
    expect(await client.request(GET)).toBeDefined();
    expect(server.connections).toBe(2);
  });

  test('a changed file of the certificate authority is used by the next connection', async () => {
    const { ca, tls } = files();
    const client = clientOf(await tlsServer(other), { tls });
    await expect(client.request(GET)).rejects.toMatchObject({ reason: 'tls' });
    writeFileSync(ca, other.caPem);
    expect(await client.request(GET)).toBeDefined();
  });

  test.each([
    ['missing', '/nonexistent/ca.crt', 'certificate-authority /nonexistent/ca.crt cannot be read: ENOENT'],
    ['in another format', '', 'is not in PEM format'],
  ])('a certificate file that is %s is an error that names it', async (_what, path, message) => {
    const file = path === '' ? join(tempFolder({ der: 's3cret' }), 'der') : path;
    const error = await failureOf(await tlsServer(), { ca: { file } });
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('s3cret');
  });

  test('a certificate that does not belong to its key is an error that names its file', async () => {
    const clientCertificate = { certificate: pem(good.certPem), key: pem(other.keyPem) };
    const error = await failureOf(await tlsServer(), { clientCertificate });
    expect(error).toMatchObject({ message: 'the client-key does not match the client-certificate' });
  });
});

describe('a 401', () => {
  test('a request that fails with 401 is sent again when the client certificate has been renewed', async () => {
    const folder = tempFolder({ 'a.crt': good.certPem, 'a.key': good.keyPem });
    const [certificate, key] = [{ file: join(folder, 'a.crt') }, { file: join(folder, 'a.key') }];
    const identity = { key: good.keyPem, cert: good.certPem, requestCert: true, rejectUnauthorized: false };
    const server = await scripted((_request, socket) => {
      const { raw } = (socket as TLSSocket).getPeerCertificate();
      const isNew = raw.toString('base64') === bodyOf(other.certPem);
      socket.write(json({}, isNew ? 200 : 401));
    }, identity);
    const client = clientOf(server, { tls: { ca: pem(good.caPem), clientCertificate: { certificate, key } } });
    await expect(client.request(GET)).rejects.toMatchObject({ status: 401 });
    writeFileSync(certificate.file, other.certPem);
    writeFileSync(key.file, other.keyPem);
    expect(await client.request(GET)).toEqual({});
  });

  test('a request that fails with 401 is sent again with a renewed token', async () => {
    const tokenFile = join(tempFolder({ token: 'one' }), 'token');
    const server = await scripted(({ headers }, socket) => {
      socket.write(json({}, headers['authorization'] === 'Bearer two' ? 200 : 401));
    });
    const client = clientOf(server, { auth: { tokenFile } });
    await expect(client.request(GET)).rejects.toMatchObject({ status: 401 });
    writeFileSync(tokenFile, 'two');
    expect(await client.request(GET)).toEqual({});
    expect(server.requests).toHaveLength(3);
  });
});

describe('a proxy', () => {
  /** Forwards to the address a CONNECT names, or answers with a refusal. */
  function proxyServer(refusal?: string, established = '200 Connection established'): Promise<ScriptedServer> {
    return scripted(({ path }, socket) => {
      if (refusal !== undefined) {
        socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
        return;
      }
      const [host = '', port = ''] = path.split(':');
      const upstream = connect(Number(port), host, () => {
        socket.removeAllListeners('data');
        socket.write(`HTTP/1.1 ${established}\r\n\r\n`);
        socket.pipe(upstream).pipe(socket);
      });
      socket.on('close', () => upstream.destroy());
      upstream.on('close', () => socket.destroy());
    });
  }

  test('a proxy opens a tunnel and sees nothing of the requests in it', async () => {
    const proxy = await proxyServer();
    const server = await tlsServer();
    const config = { tls: { ca: pem(good.caPem) }, proxy: parseProxy(`http://u:p@${proxy.url.host}`, 'test') };
    const client = clientOf(server, { ...config, auth: { token: new Secret('s3cret') } });
    await client.request(GET);
    expect(proxy.requests).toMatchObject([{ method: 'CONNECT', path: server.url.host }]);
    expect(proxy.requests[0]?.headers).toEqual({ host: server.url.host, 'proxy-authorization': 'Basic dTpw' });
  });

  test('a proxy opens a tunnel with any 2xx status, as RFC 9110 defines it', async () => {
    const proxy = await proxyServer(undefined, '204 No Content');
    const server = await tlsServer();
    const client = clientOf(server, { tls: { ca: pem(good.caPem) }, proxy: parseProxy(proxy.url.href, 'test') });
    await client.request(GET);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['407 Proxy Authentication Required', 'add the user and password to the URL of the proxy'],
    ['403 Forbidden', 'check proxy-url and HTTPS_PROXY'],
  ])('a proxy that rejects CONNECT with %s is an error with a hint', async (refusal, hint) => {
    const proxy = await proxyServer(refusal);
    const server = await tlsServer();
    const client = clientOf(server, { proxy: parseProxy(proxy.url.href, 'test') });
    const message = `the proxy ${proxy.url.host} rejected the connection to ${server.url.host}: ${refusal.slice(0, 3)}`;
    await expect(client.request(GET)).rejects.toMatchObject({ reason: 'proxy', message, hint });
  });

  test('a proxy that cannot be reached is an error that names it', async () => {
    const proxy = await proxyServer();
    const { host } = proxy.url;
    await proxy.stop();
    const client = clientOf(await tlsServer(), { proxy: parseProxy(host, 'test') });
    const message = `cannot reach the proxy ${host}: connection refused`;
    await expect(client.request(GET)).rejects.toMatchObject({ reason: 'proxy', message });
  });
});

describe('a SOCKS proxy', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** A proxy of SOCKS 5 that requires the password, and resolves all host names to this machine. */
  async function socksServer(password: string, reply = 0): Promise<{ host: string; targets: string[] }> {
    const targets: string[] = [];
    const server = createServer((client) => {
      const next = (): Promise<Buffer> => once(client, 'data').then(([bytes]) => bytes as Buffer);
      void (async () => {
        const methods = await next();
        client.write(Buffer.from([5, methods.subarray(2).includes(2) ? 2 : 255]));
        const login = await next();
        const userLength = login[1]!;
        const user = login.subarray(2, 2 + userLength).toString();
        const isRight = `${user}:${login.subarray(3 + userLength).toString()}` === `bob:${password}`;
        client.write(Buffer.from([1, isRight ? 0 : 1]));
        if (!isRight) return;
        const request = await next();
        const end = 5 + request[4]!;
        const port = request.readUInt16BE(request[3] === 3 ? end : 8);
        targets.push(
          `${request[3] === 3 ? request.subarray(5, end).toString() : request.subarray(4, 8).join('.')}:${port}`,
        );
        const upstream = connect(port, '127.0.0.1', () => {
          client.write(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]));
          client.pipe(upstream).pipe(client);
        });
        client.on('close', () => upstream.destroy());
        upstream.on('error', () => client.destroy());
      })();
      client.on('error', () => undefined);
      closing.push(() => client.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, targets };
  }

  test.each(['socks5', 'socks5h'])(
    'requests pass a proxy with the scheme %s, which sees nothing of them',
    async (scheme) => {
      const proxy = await socksServer('p@ss');
      const server = await tlsServer();
      const config = {
        tls: { ca: pem(good.caPem) },
        proxy: parseProxy(`${scheme}://bob:p%40ss@${proxy.host}`, 'test'),
      };
      const client = clientOf(server, config);
      await client.request(GET);
      expect(server.requests).toHaveLength(1);
      expect(proxy.targets).toEqual([server.url.host]);
    },
  );

  test('requests without TLS pass a SOCKS proxy', async () => {
    const proxy = await socksServer('secret');
    const server = await scripted((_request, socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
    const client = clientOf(server, { proxy: parseProxy(`socks5://bob:secret@${proxy.host}`, 'test') });
    expect(await client.request(GET)).toBe('{}');
  });

  test('a SOCKS proxy that rejects the password is an error without it', async () => {
    const proxy = await socksServer('right');
    const client = clientOf(await tlsServer(), { proxy: parseProxy(`socks5://bob:wr0ng@${proxy.host}`, 'test') });
    const error = await client.request(GET).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'proxy', message: expect.stringContaining(`the proxy ${proxy.host}`) });
    expect(inspect(error, { depth: 9 })).not.toContain('wr0ng');
  });

  test('a SOCKS proxy that cannot reach the server is an error that names both', async () => {
    const proxy = await socksServer('right', 5);
    const server = await tlsServer();
    const client = clientOf(server, { proxy: parseProxy(`socks5://bob:right@${proxy.host}`, 'test') });
    const message = expect.stringMatching(/the proxy 127\.0\.0\.1:\d+: .*ConnectionRefused/);
    await expect(client.request(GET)).rejects.toMatchObject({ reason: 'proxy', message, host: server.url.host });
  });

  test('a SOCKS proxy that cannot be reached is an error that names it', async () => {
    const client = clientOf(await tlsServer(), { proxy: parseProxy('socks5://127.0.0.1:1', 'test') });
    const message = 'cannot reach the proxy 127.0.0.1:1: connection refused';
    await expect(client.request(GET)).rejects.toMatchObject({ reason: 'proxy', message });
  });
});
