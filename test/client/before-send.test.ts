import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { json } from './scripted-server.js';
import { clientOf, ConfigMap, scripted, until } from './test-client.js';

const refused = new Error('not the leader');
const small = { metadata: { name: 'a', namespace: 'team' } };
const large = { ...small, data: { text: 'x'.repeat(200_000) } };

describe('a write with beforeSend', () => {
  test('a write is not sent if beforeSend throws, and its connection serves the next request', async () => {
    const server = await scripted((_request, socket) => void socket.write(json({})));
    const client = clientOf(server);
    await client.request({ method: 'GET', path: '/x' });
    const beforeSend = () => {
      throw refused;
    };
    await expect(client.create(ConfigMap, small, { beforeSend })).rejects.toThrow('not the leader');
    await client.request({ method: 'GET', path: '/x' });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(server.connections).toBe(1);
  });

  test('beforeSend is called for a waiting write when it gets a connection', async () => {
    const finish: (() => void)[] = [];
    const server = await scripted((_request, socket) => {
      finish.push(() => socket.write(json({})));
    });
    const client = clientOf(server);
    const running = Array.from({ length: 64 }, () => client.request({ method: 'GET', path: '/x' }));
    await until(() => finish.length === 64);
    let isLeading = true;
    const beforeSend = () => {
      if (!isLeading) throw refused;
    };
    const write = client.create(ConfigMap, small, { beforeSend }).catch((error: unknown) => error);
    isLeading = false;
    for (const respond of finish) respond();
    expect(await write).toBe(refused);
    await Promise.all(running);
    expect(server.requests).toHaveLength(64);
  });

  test('beforeSend is called for a large write again before its last byte, without which the server cannot process it', async () => {
    const server = await scripted((_request, socket) => void socket.write(json({})));
    let calls = 0;
    const beforeSend = () => {
      calls += 1;
      if (calls > 1) throw refused;
    };
    await expect(clientOf(server).create(ConfigMap, large, { beforeSend })).rejects.toThrow('not the leader');
    expect(calls).toBe(2);
    expect(server.requests).toEqual([]);
  });

  test('a large write is sent completely if beforeSend does not throw', async () => {
    const server = await scripted((_request, socket) => void socket.write(json(small)));
    await clientOf(server).create(ConfigMap, large, { beforeSend: () => undefined });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject(large);
  });

  test('a connection whose server responds before it has read a large write is not used for the next request', async () => {
    const first: string[] = [];
    const server = createServer((socket) => {
      // Reads no more until it has responded, so that the rest of the body stays in the buffers of both sides.
      socket.once('data', (bytes: Buffer) => {
        socket.pause();
        first.push(bytes.toString('latin1').split('\r\n')[0] ?? '');
        socket.write(json(small));
        setImmediate(() => socket.resume());
      });
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = clientOf({ url: new URL(`http://127.0.0.1:${String(port)}`) });
    const huge = { ...small, data: { text: 'x'.repeat(32 * 2 ** 20) } };
    let calls = 0;
    try {
      await client.create(ConfigMap, huge, { beforeSend: () => void (calls += 1) });
      await client.request({ method: 'GET', path: '/x', timeout: 2000 });
      expect(first).toEqual([expect.stringMatching(/^POST /), 'GET /x HTTP/1.1']);
      expect(calls).toBe(1);
    } finally {
      client.close();
      server.close();
    }
  });
});
