import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Secret, type KindRef, type UnstructuredObject } from 'kindwright';
import type { Client } from '../../src/client/client.js';
import type { FindingList, ObjectPage, RunPage } from '../../src/console/wire.js';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from '../cli/started-command.js';
import { TemporaryProject } from '../cli/temporary-project.js';

/** The secrets, each in another place. */
const CANARIES = Array.from({ length: 20 }, (_, index) => `canary${String(index + 10)}x8f3b2d`);
/** Writes a secret into the source of the operator. */
const canary = (index: number) => `'${CANARIES[index]}'`;
const PEM = (index: number) => `'-----BEGIN PRIVATE KEY-----\\n' + ${canary(index)} + '\\n-----END PRIVATE KEY-----'`;
const JWT = (index: number) => `'eyJhbGciOiJIUzI1NiJ9.' + ${canary(index)} + '.c2ln'`;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const OPERATOR = `
import { type Condition, ConfigMap, Context, CustomResource, Field, Kind, Owns, Secret, setCondition, Watches } from 'kindwright';

class Login {
  @Field() user!: string;
  @Field({ format: 'password' }) token!: string;
}
class VaultSpec {
  @Field({ format: 'password' }) password!: string;
  @Field({ items: Login }) logins!: Login[];
  @Field({ values: Login }) byName!: Record<string, Login>;
}
class VaultStatus {
  @Field({ format: 'password', optional: true }) session?: string;
  @Field({ optional: true }) note?: string;
  @Field({ format: 'int32', optional: true }) count?: number;
  @Field() conditions?: Condition[];
}

@Kind({ group: 'demo.example.com', version: 'v1' })
@Owns(Secret)
@Owns(ConfigMap)
@Watches(Secret, () => [])
export class Vault extends CustomResource {
  @Field() spec!: VaultSpec;
  @Field() status!: VaultStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    ctx.log.info('calling with Authorization: Bearer ' + ${canary(0)});
    ctx.log.info('connecting', { to: { url: 'postgres://admin:' + ${canary(1)} + '@db/x' }, token: ${JWT(2)} });
    ctx.log.warn('cannot sign', { err: new Error(${PEM(3)}) });
    ctx.event('Warning', 'Refused', 'basic ' + ${canary(4)});
    await ctx.apply(Secret, {
      metadata: { name, annotations: { '${LAST_APPLIED}': '{"data":' + ${canary(5)} + '}' } },
      stringData: { password: ${canary(6)} + String(performance.now()) }, // a hot loop
    });
    await ctx.apply(ConfigMap, {
      metadata: { name, annotations: { token: ${JWT(7)} } },
      data: { 'tls.key': ${PEM(8)}, url: 'https://user:' + ${canary(9)} + '@host/' },
    });
    this.status.count = (this.status.count ?? 0) + 1;
    this.status.session = ${canary(10)} + String(this.status.count);
    this.status.note = 'uses ' + ${JWT(11)};
    const ready = { type: 'Ready', status: 'False', reason: 'Failed', message: 'bearer ' + ${canary(12)} } as const;
    this.status.conditions = setCondition(this.status.conditions, ready);
    if (name === 'failing')
      throw new Error('cannot connect to https://user:' + ${canary(13)} + '@host/', { cause: new Error(${PEM(14)}) });
  }
}
`;
const Vault: KindRef<UnstructuredObject> = {
  ...({ group: 'demo.example.com', version: 'v1', kind: 'Vault', plural: 'vaults', scope: 'Namespaced' } as const),
};
const vault = (name: string) => ({
  metadata: {
    name,
    namespace: 'default',
    annotations: { [LAST_APPLIED]: JSON.stringify({ spec: { password: CANARIES[15] } }) },
  },
  spec: {
    password: CANARIES[16],
    logins: [{ user: 'a', token: CANARIES[17] }],
    byName: { b: { user: 'b', token: CANARIES[18] } },
  },
});

let project: TemporaryProject;
let command: StartedCommand;
let client: Client;
let origin: string;
let token: string;

beforeAll(async () => {
  project = new TemporaryProject({ 'operators/vault.ts': OPERATOR });
  const env = { XDG_RUNTIME_DIR: join(project.folder, 'runtime') };
  command = new StartedCommand(project.start('run-operator', ['--embedded', '-v'], env));
  const printed = await command.printed(/Console: (http:\/\/127\.0\.0\.1:\d+)\/#t=([\w-]+)\n/);
  [, origin = '', token = ''] = printed;
  client = await command.client();
  await eventually(() => expect(command.stderr).toContain('Started workers'));
  await client.create(Secret, {
    metadata: { name: 'watched', namespace: 'default' },
    stringData: { key: CANARIES[19]! },
  });
  for (const name of ['looping', 'failing']) await client.create(Vault, vault(name));
  await eventually(
    async () => {
      expect((await get<FindingList>('doctor')).findings.map(({ rule }) => rule)).toContain('own-write');
      const { runs } = await get<RunPage>('runs?limit=20');
      expect(runs.map(({ outcome }) => outcome)).toEqual(expect.arrayContaining(['done', 'failed']));
    },
    { timeout: '30s' },
  );
});
afterAll(async () => {
  await command.end();
  project.remove();
});

async function text(path: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return response.text();
}
async function get<T>(path: string): Promise<T> {
  return JSON.parse(await text(path)) as T;
}

/** Everything that leaves the process, by its origin. */
async function outputs(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const { rows } = await get<ObjectPage>('objects');
  const { runs } = await get<RunPage>('runs?limit=20');
  const paths = [
    ...['hello', 'objects', 'runs', 'runtime', 'caches', 'logs', 'metrics', 'doctor', 'schema/Vault.demo.example.com'],
    ...rows.flatMap(({ uid }) => ['', '/tree', '/events', '/runs'].map((part) => `objects/${uid}${part}`)),
    ...rows.map(({ uid }) => `why/${uid}`),
    ...runs.map(({ id }) => `runs/${id}`),
  ];
  for (const path of paths) found[path] = await text(path);
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const stream = await fetch(`${origin}/api/v1/stream`, { headers, signal: abort.signal });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  while (!/event: findings[\s\S]*event: rows[\s\S]*event: logs/.test(received))
    received += (await reader.read()).value ?? '';
  abort.abort();
  const env = { XDG_RUNTIME_DIR: join(project.folder, 'runtime') };
  for (const args of [['why', 'vault', 'failing'], ['why', 'vault', 'looping'], ['tree', 'vault', 'looping'], ['top']])
    found[args.join(' ')] = (await project.run('kindwright', args, env)).stdout;
  return { ...found, stream: received };
}

test('20 planted secrets are in no response, stream, command and finding of the console', async () => {
  const found = await outputs();
  expect(Object.values(found).join('')).toContain('‹redacted');
  const leaks = Object.entries(found).flatMap(([name, content]) =>
    CANARIES.flatMap((secret, index) =>
      content.includes(secret) || content.includes(btoa(secret).slice(0, 14)) ? [`${String(index)} in ${name}`] : [],
    ),
  );
  expect(leaks).toEqual([]);
  const written = command.stderr.split('\n').filter((line) => /Vault default\/|Hot loop/.test(line));
  expect(written.length).toBeGreaterThan(0);
  for (const secret of CANARIES) expect(written.join()).not.toContain(secret);
});
