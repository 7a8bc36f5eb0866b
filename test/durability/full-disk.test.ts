import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { StartedCommand } from '../cli/started-command.js';
import { ApiEndpoint, type ApiReply } from '../fidelity/api-endpoint.js';
import { ServedFolder } from './served-folder.js';
import { SmallDisk } from './small-disk.js';

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

test('a server with a full disk rejects writes, keeps its data, and accepts writes once there is room', async () => {
  expect((await create('map-before')).code).toBe(201);
  // The log may have started again in its file, so that its present size does not show how far it grows.
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

describe('on a disk that is full', () => {
  let disk: SmallDisk;
  let small: StartedCommand;
  let api: ApiEndpoint;
  beforeEach(async () => {
    disk = await SmallDisk.create();
    await begin();
  });
  afterEach(async () => {
    api.close();
    await small.end('SIGKILL');
    await disk.remove();
  });

  async function begin(): Promise<void> {
    small = folder.serve(disk.prefix, join(disk.folder, 'data'));
    api = new ApiEndpoint(await small.kubeconfig());
  }

  const send = (method: string, path: string, body?: object): Promise<ApiReply> =>
    api.send({ method, path, ...(body && { body }) });
  const createMap = (name: string): Promise<ApiReply> =>
    send('POST', CONFIG_MAPS, { metadata: { name }, data: { text: 'x'.repeat(50_000) } });

  test('deletions succeed on a full disk, and make room for new objects', async () => {
    const stored: string[] = [];
    for (let index = 0; (await createMap(`large-${index}`)).code === 201; index++) stored.push(`large-${index}`);
    expect(stored.length).toBeGreaterThan(20);
    disk.fill();
    expect((await createMap('refused')).code).toBe(500);
    for (const name of stored.slice(0, 20)) expect((await send('DELETE', `${CONFIG_MAPS}/${name}`)).code).toBe(200);
    expect((await createMap('accepted')).code).toBe(201);
    api.close();
    await small.end('SIGKILL');
    await begin();
    const { body } = await send('GET', CONFIG_MAPS);
    const names = (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => !name.startsWith('kube-')).sort()).toEqual(['accepted', ...stored.slice(20)].sort());
  });

  test('a server on a full disk starts again, and objects with finalizers can be deleted', async () => {
    const metadata = { name: 'held', finalizers: ['example.com/hold'] };
    expect((await send('POST', CONFIG_MAPS, { metadata })).code).toBe(201);
    api.close();
    await small.end('SIGKILL');
    disk.fill();
    await begin();
    expect((await send('DELETE', `${CONFIG_MAPS}/held`)).code).toBe(200);
    const release = { method: 'PATCH', path: `${CONFIG_MAPS}/held`, body: { metadata: { finalizers: null } } };
    expect((await api.send({ ...release, contentType: 'application/merge-patch+json' })).code).toBe(200);
    expect((await send('GET', `${CONFIG_MAPS}/held`)).code).toBe(404);
  });
});
