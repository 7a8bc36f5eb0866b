import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { StartedCommand } from '../cli/started-command.js';
import { ApiEndpoint, type ApiReply } from '../fidelity/api-endpoint.js';
import { ServedFolder } from './served-folder.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let folder: ServedFolder;
let server: StartedCommand;
let endpoint: ApiEndpoint;
beforeEach(async () => {
  folder = new ServedFolder();
  await start();
});
afterEach(async () => {
  await stop();
  folder.remove();
});

async function start(): Promise<void> {
  server = folder.serve();
  endpoint = new ApiEndpoint(await server.kubeconfig());
}

async function stop(): Promise<void> {
  endpoint.close();
  await server.end('SIGKILL');
}

/** How large a file of the server may become. */
function limitFiles(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', [`--fsize=${bytes}:unlimited`, '--pid', String(server.pid)]);
}

function create(name: string): Promise<ApiReply> {
  const body = { metadata: { name }, data: { text: 'x'.repeat(5000) } };
  return endpoint.send({ method: 'POST', path: CONFIG_MAPS, body });
}

async function names(): Promise<string[]> {
  const { body } = await endpoint.send({ method: 'GET', path: CONFIG_MAPS });
  const { items } = body as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('map-'));
}

test('a full disk refuses writes, keeps what is there, and is forgotten once there is room', async () => {
  expect((await create('map-before')).code).toBe(201);
  // The log may have begun anew in its own file: what was written then is no measure of what it will grow to.
  limitFiles(10_000);
  const replies: ApiReply[] = [];
  for (let index = 10; index < 20; index++) replies.push(await create(`map-${index}`));
  const refused = replies.filter(({ code }) => code !== 201);
  expect(refused.length).toBeGreaterThan(5);
  for (const { code, body } of refused)
    expect([code, body]).toEqual([
      500,
      expect.objectContaining({
        reason: 'InternalError',
        message: expect.stringContaining(`${folder.database} cannot be written: `),
      }),
    ]);
  const kept = [
    'map-before',
    ...replies.flatMap(({ code }, index) => (code === 201 ? `map-${index + 10}` : [])),
  ].sort();
  expect(await names()).toEqual(kept);
  limitFiles('unlimited');
  expect((await create('map-room')).code).toBe(201);
  await stop();
  await start();
  expect(await names()).toEqual([...kept, 'map-room'].sort());
});

test('a second server on the same folder exits with the reason', async () => {
  const second = folder.serve();
  await second.closed();
  expect(JSON.parse(second.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    msg: `${folder.database} is in use by another server`,
    code: 'E_DATA_DIR',
    hint: 'stop the other server, or pass another --data-dir',
  });
  expect((await create('map-first')).code).toBe(201);
});
