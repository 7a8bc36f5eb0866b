import { expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { freePort } from './free-port.js';

test('a port is not allocated twice before its process can listen', async () => {
  const ports = await Promise.all(Array.from({ length: 30 }, freePort));
  expect(new Set(ports).size).toBe(30);
});

test('a port in use is not allocated', async () => {
  const taken = await freePort();
  const server = createServer().listen(taken, '127.0.0.1');
  await once(server, 'listening');
  const ports: number[] = [];
  for (let count = 0; count < 20; count++) ports.push(await freePort());
  server.close();
  expect(ports).not.toContain(taken);
});
