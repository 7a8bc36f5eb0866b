import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { StartedCommand } from '../cli/started-command.js';
import { ApiEndpoint } from '../fidelity/api-endpoint.js';
import { ServedFolder } from './served-folder.js';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const PRELOAD = pathToFileURL(join(import.meta.dirname, 'killed-in-write.mjs')).href;

let folder: ServedFolder;
let server: StartedCommand;
beforeEach(() => {
  folder = new ServedFolder();
});
afterEach(async () => {
  await server.end('SIGKILL');
  folder.remove();
});

/** A server that ends when half of this file is written. */
const doomed = (file: string): StartedCommand =>
  folder.serve(['env', `KILLED_IN_WRITE=${file}`, `NODE_OPTIONS=--import=${PRELOAD}`]);

/** Resolves to the status code; 0 when no answer came. */
async function requestToken(kubeconfig: string): Promise<number> {
  const endpoint = new ApiEndpoint(kubeconfig);
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  try {
    await endpoint.send({ method: 'POST', path: ACCOUNTS, body: { metadata: { name: 'robot' } } });
    return (await endpoint.send({ method: 'POST', path: `${ACCOUNTS}/robot/token`, body: request })).code;
  } catch {
    return 0;
  } finally {
    endpoint.close();
  }
}

test('a server killed while it writes its kubeconfig leaves no file that the next one rejects', async () => {
  server = folder.serve();
  await server.kubeconfig();
  await server.end('SIGKILL');
  server = doomed('kubeconfig');
  await server.closed();
  expect(server.stdout).toBe('');
  server = folder.serve();
  expect(await requestToken(await server.kubeconfig())).toBe(201);
});

test('a server that is killed while it writes the key of its tokens creates another one at the next start', async () => {
  server = doomed('service-account.key');
  expect(await requestToken(await server.kubeconfig())).toBe(0);
  server = folder.serve();
  expect(await requestToken(await server.kubeconfig())).toBe(201);
});
