import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type {
  CacheList,
  Hello,
  MetricsHistory,
  ObjectPage,
  ObjectTree,
  RunDetail,
  RunPage,
  RuntimeState,
  WriteOutcome,
} from '../../src/console/wire.js';
import type { Client } from '../../src/client/client.js';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from '../cli/started-command.js';
import { TemporaryProject } from '../cli/temporary-project.js';

const CANARY = 'canary9f3b';
const OPERATOR = `
import { Context, CustomResource, Field, Kind, Owns, Secret } from 'kindwright';

class VaultSpec {
  @Field({ format: 'password' }) password!: string;
  @Field({ format: 'int32', minimum: 0 }) size!: number;
}
class VaultStatus {
  @Field({ format: 'int32' }) size!: number;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
@Owns(Secret)
export class Vault extends CustomResource {
  @Field() spec!: VaultSpec;
  @Field() status!: VaultStatus;

  async reconcile(ctx: Context): Promise<void> {
    ctx.log.info('calling with Authorization: Bearer ' + this.spec.password);
    const { name } = this.metadata;
    await ctx.apply(Secret, { metadata: { name }, stringData: { password: this.spec.password + '-data' } });
    this.status.size = this.spec.size;
    if (this.spec.size > 10) throw new Error('cannot connect to https://user:' + this.spec.password + '@host/');
  }
}
`;
const Vault: KindRef<UnstructuredObject> = {
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Vault',
  plural: 'vaults',
  scope: 'Namespaced',
};
const vault = (size: number) => ({
  metadata: { name: 'example', namespace: 'default' },
  spec: { password: `${CANARY}-${size}`, size },
});
const JSON_TYPE = { 'content-type': 'application/json' };
const YAML = `apiVersion: demo.example.com/v1
kind: Vault
metadata:
  name: other
  namespace: default
spec:
  password: x
  size: `;

let project: TemporaryProject;
let command: StartedCommand;
let client: Client;
let origin: string;
let token: string;
let uid: string;

beforeAll(async () => {
  project = new TemporaryProject({ 'operators/vault.ts': OPERATOR });
  const env = { XDG_RUNTIME_DIR: join(project.folder, 'runtime') };
  command = new StartedCommand(project.start('run-operator', ['--embedded', '--open'], env));
  const [, url = '', secret = ''] = await command.printed(/Console: (http:\/\/127\.0\.0\.1:\d+)\/#t=([\w-]+)\n/);
  origin = url;
  token = secret;
  client = await command.client();
  // Objects that exist before cause no event.
  await eventually(() => expect(command.stderr).toContain('Started workers'));
  const created = await client.create(Vault, vault(1));
  uid = created.metadata.uid ?? '';
  await eventually(async () => expect((await runs()).some(({ writes }) => writes > 0)).toBe(true));
});
afterAll(async () => {
  await command.end();
  project.remove();
});

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
  return fetch(`${origin}/api/v1/${path}`, { ...init, headers });
}
async function get<T>(path: string): Promise<T> {
  return (await (await request(path)).json()) as T;
}
async function post<T>(path: string, body: string, type = 'application/yaml'): Promise<T> {
  return (await (await request(path, { method: 'POST', body, headers: { 'content-type': type } })).json()) as T;
}
/** Reads the event stream until it matches, and closes it. */
async function streamUntil(pattern: RegExp, headers: Record<string, string> = {}): Promise<string> {
  const abort = new AbortController();
  const stream = await request('stream', { signal: abort.signal, headers });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!pattern.test(text)) text += (await reader.read()).value ?? '';
  abort.abort();
  return text;
}
async function runs() {
  return (await get<RunPage>(`objects/${uid}/runs`)).runs;
}

describe('the console of an operator', () => {
  test('opens no browser without a terminal', async () => {
    await eventually(() => expect(command.stderr).toContain('The browser is not opened'));
  });

  test('measures the caches, and counts the requests to the API server by their status', async () => {
    const { caches } = await get<CacheList>('caches');
    expect(caches.map(({ kind }) => kind).sort()).toEqual(['Secret', 'Vault.demo.example.com']);
    for (const { objects, bytes = 0 } of caches) expect(bytes).toBeGreaterThan(objects * 100);
    await eventually(async () => {
      const { samples } = await get<MetricsHistory>('metrics');
      expect(samples.some(({ apiCalls = {} }) => (apiCalls['201'] ?? 0) + (apiCalls['200'] ?? 0) > 0)).toBe(true);
    });
  });

  test('lists the kinds and objects with their runs', async () => {
    const { mode, isLeader, kinds } = await get<Hello>('hello');
    expect({ mode, isLeader, ids: kinds.map(({ id }) => id) }).toEqual({
      mode: 'dev',
      isLeader: true,
      ids: ['Secret', 'Vault.demo.example.com'],
    });
    const { rows } = await get<ObjectPage>('find?kind=vault&name=example');
    expect(rows).toMatchObject([{ kind: 'Vault.demo.example.com', namespace: 'default', name: 'example', uid }]);
    const { root } = await get<ObjectTree>(`objects/${uid}/tree`);
    expect(root.children).toMatchObject([{ row: { kind: 'Secret', name: 'example' } }]);
  });

  test('shows the causes and the writes of a run, each with what it changed', async () => {
    const wrote = (await runs()).find(({ writes }) => writes > 0);
    const run = await get<RunDetail>(`runs/${wrote?.id ?? ''}`);
    expect(run.causes).toMatchObject([{ type: 'event', event: 'add', object: { name: 'example', uid } }]);
    expect(run.ops.filter((op) => op.do === 'apply' || op.do === 'status')).toMatchObject([
      { do: 'apply', kind: 'Secret', name: 'example' },
      { do: 'status', name: 'example', changes: [{ path: 'status', to: '{"size":1}' }] },
    ]);
    expect(run.log.map(({ message }) => message)).toContainEqual(expect.stringMatching(/Bearer ‹redacted/));
  });

  test('shows the error of a run with the line of the user', async () => {
    await client.patch(Vault, 'example', { spec: vault(11).spec }, { namespace: 'default' });
    await eventually(async () => expect((await runs()).some(({ outcome }) => outcome === 'failed')).toBe(true));
    const failed = (await runs()).find(({ outcome }) => outcome === 'failed');
    const { failure } = await get<RunDetail>(`runs/${failed?.id ?? ''}`);
    expect(failure?.location).toMatch(/^operators\/vault\.ts:23:/);
    expect(failure?.message).toContain('https://user:‹redacted');
  });

  test('reconciles an object immediately, and names this as the cause', async () => {
    await client.patch(Vault, 'example', { spec: vault(2).spec }, { namespace: 'default' });
    expect(await post(`reconcile/${uid}`, '{}', 'application/json')).toEqual({ accepted: true });
    await eventually(async () => expect((await runs()).map(({ why }) => why).join()).toContain('console'));
  });

  test('validates an object with the API server, without storing it', async () => {
    const invalid = await post<WriteOutcome>('validate', `${YAML}-1\n`);
    expect(invalid).toMatchObject({ ok: false, diagnostics: [{ path: 'spec.size', line: 8 }] });
    expect(await post<WriteOutcome>('validate', `${YAML}1\n`)).toMatchObject({ ok: true, diagnostics: [] });
    expect(await get<ObjectPage>('find?kind=vault&name=other')).toMatchObject({ total: 0 });
  });

  test('refuses to write a redacted value', async () => {
    const yaml = YAML.replace('password: x', 'password: ‹redacted 1f9a3c07›');
    expect(await post<WriteOutcome>('apply', `${yaml}1\n`)).toMatchObject({ ok: false, diagnostics: [{ line: 7 }] });
  });

  test('sends no secret in any response, the stream and the log', async () => {
    let text = await streamUntil(/event: rows[\s\S]*event: runtime/);
    const secretUid = (await get<ObjectPage>('find?kind=secret&name=example')).rows[0]?.uid ?? '';
    const paths = [
      'logs',
      'runs',
      'doctor',
      'runtime',
      'caches',
      ...[uid, secretUid].flatMap((id) => [`objects/${id}`, `why/${id}`]),
    ];
    for (const path of paths) text += await (await request(path)).text();
    for (const { id } of await runs()) text += await (await request(`runs/${id}`)).text();
    expect(text).toContain('‹redacted');
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(btoa(`${CANARY}-1-data`).slice(0, 12));
    const written = command.stderr.split('\n').filter((line) => line.includes('Vault default/example:'));
    expect(written.length).toBeGreaterThan(0);
    expect(written.join()).not.toContain(CANARY);
  });

  test('pauses a controller, and begins one reconcile with each step', async () => {
    const control = (action: string) => post<RuntimeState>(`${action}/vault`, '{}', 'application/json');
    expect(await control('pause')).toMatchObject({ queues: [{ controller: 'vault', isPaused: true }] });
    const before = (await runs()).length;
    await client.patch(Vault, 'example', { spec: vault(3).spec }, { namespace: 'default' });
    await eventually(async () => {
      const { queues } = await get<RuntimeState>('runtime');
      expect(queues[0]?.waitingKeys.map(({ object }) => object.name)).toContain('example');
    });
    expect(await runs()).toHaveLength(before);
    await control('step');
    await eventually(async () => expect((await runs()).length).toBeGreaterThan(before));
    expect((await control('resume')).queues[0]).not.toHaveProperty('isPaused');
    expect((await request('pause/missing', { method: 'POST', body: '{}', headers: JSON_TYPE })).status).toBe(404);
  });

  test('resumes a stream with what has changed, and starts again after an unknown place', async () => {
    const first = await streamUntil(/"isComplete":true[\s\S]*\nid: \S+\n/);
    // The last line of what was read may be incomplete.
    const [, id = ''] = [...first.matchAll(/^id: (\S+)\n/gm)].at(-1)!;
    await client.create(Vault, { ...vault(1), metadata: { name: 'later', namespace: 'default' } });
    await eventually(async () => expect((await get<ObjectPage>('find?kind=vault&name=later')).total).toBe(1));
    const resumed = await streamUntil(/"name":"later"[\s\S]*\nid: \S+\n/, { 'last-event-id': id });
    for (const name of ['rows', 'runs', 'logs']) expect(resumed).not.toMatch(`event: ${name}\ndata: {"reset":true`);
    for (const unknown of ['', 'x.1.1', id.replace(/\.\d+\./, '.99999999.')]) {
      const restarted = await streamUntil(/"isComplete":true/, { 'last-event-id': unknown });
      expect(restarted).toMatch('event: rows\ndata: {"reset":true');
    }
  });

  test('can be found by commands of the same user only', () => {
    const folder = join(project.folder, 'runtime', 'kindwright-consoles');
    const [file = ''] = readdirSync(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toMatchObject({ url: origin, token });
  });

  test('opens at most 8 streams, and refuses a ninth', async () => {
    const abort = new AbortController();
    const open = await Promise.all(
      Array.from({ length: 9 }, () => request('stream?topics=runs', { signal: abort.signal })),
    );
    expect(open.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 8 }, () => 200), 503]);
    abort.abort();
  });
});
