import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Client, CoreEvent, loadClusterConfig, Secret, type Context } from 'kindwright';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { applyChild } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import { answer, editLines, loseResponse, statusReply } from '../proxy/faults.js';
import { createAccount, issueToken } from './credentials.js';

const HOT_RUNS = 40;
const EXEC_API = 'client.authentication.k8s.io/v1';

/** Values that must not be printed, by what they are. */
class Planted {
  private readonly values = new Map<string, string>();

  /** Returns the value of a name, which is made on its first use. */
  of(name: string): string {
    const value = this.values.get(name) ?? `planted-${randomBytes(12).toString('hex')}`;
    this.values.set(name, value);
    return value;
  }

  add(name: string, value: string): string {
    this.values.set(name, value);
    return value;
  }

  get size(): number {
    return this.values.size;
  }

  /** The names of the values that a text contains, also in base64 or hexadecimal form. */
  in(text: string): string[] {
    return [...this.values]
      .filter(([, value]) => formsOf(value).some((form) => text.includes(form)))
      .map(([name]) => name);
  }
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  return [value, bytes.toString('base64').replace(/=*$/, '').slice(0, -1), bytes.toString('hex')];
}

/** A credential plugin that prints a file. */
async function pluginOf(
  world: World,
  planted: Planted,
): Promise<{ file: string; client: Client; log: RecordingLogger }> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-'));
  world.onEnd(() => rm(folder, { recursive: true }));
  const [file, command] = [join(folder, 'output'), join(folder, 'plugin')];
  await writeFile(command, `#!/bin/sh\ncat '${file}'\n`);
  await chmod(command, 0o700);
  const env = [{ name: 'PLUGIN_KEY', value: planted.of('environment of the plugin') }];
  const exec = { apiVersion: EXEC_API, command, env, interactiveMode: 'Never' };
  await writeFile(file, credential(planted.add('first token', await issueToken(world)), planted));
  const kubeconfig = await world.cluster.kubeconfigFor(world.proxy.url, { exec });
  const log = new RecordingLogger();
  const client = new Client(await loadClusterConfig({ kubeconfig }), { logger: log });
  world.onEnd(() => client.close());
  return { file, client, log };
}

function credential(token: string, planted: Planted): string {
  const status = { token, refreshToken: planted.of('unknown member of a credential') };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion: EXEC_API, status });
}

/** What each object does in its reconciles. */
function stepsOf({ namespace }: World, planted: Planted): Readonly<Record<string, (ctx: Context) => Promise<unknown>>> {
  let runs = 0;
  return {
    reads: (ctx) => ctx.get(Secret, 'source'),
    writes: (ctx) =>
      ctx.apply(Secret, { metadata: { name: 'written' }, stringData: { key: planted.of('applied data') } }),
    creates: (ctx) =>
      ctx.create(Secret, {
        ...{ metadata: { generateName: 'invalid-' }, type: 'kubernetes.io/tls' },
        stringData: { key: planted.of('data of a rejected creation') },
      }),
    patches: (ctx) => ctx.patch(Secret, 'fixed', { stringData: { key: planted.of('data of a rejected patch') } }),
    loops: async (ctx) => {
      runs += 1;
      const key = planted.of(runs % 2 === 0 ? 'even data of a hot loop' : 'odd data of a hot loop');
      if (runs < HOT_RUNS) await ctx.patch(Secret, 'hot', { stringData: { key } });
    },
    tokens: async (ctx) => {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/operator/token`;
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
      const { status } = await ctx.client.request<{ status: { token: string } }>({ method: 'POST', path, body });
      planted.add('requested token', status.token);
    },
    misreads: (ctx) => ctx.get(Secret, 'elsewhere', { namespace: 'kube-system' }),
    calls: (ctx) =>
      ctx.client.request({
        method: 'GET',
        path: '/version',
        headers: { 'x-api-key': planted.of('header of a request') },
      }),
  };
}

/** Objects that the operator reads and changes. */
async function createSecrets({ admin, namespace }: World, planted: Planted): Promise<void> {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  await admin.create(Secret, {
    metadata: { name: 'source', namespace, annotations: { [annotation]: planted.of('annotation') } },
    stringData: { user: planted.of('first data'), password: planted.of('second data') },
  });
  const stringData = { key: planted.of('immutable data') };
  await admin.create(Secret, { metadata: { name: 'fixed', namespace }, immutable: true, stringData });
  await admin.create(Secret, {
    metadata: { name: 'hot', namespace },
    stringData: { key: planted.of('even data of a hot loop') },
  });
}

/** Answers and events with values that no error may repeat. Returns the number of those that were not sent yet. */
function injectFaults({ proxy, namespace }: World, planted: Planted): () => number {
  const reply = (body: string) =>
    answer({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) });
  const encoded = (name: string): string => Buffer.from(planted.of(name)).toString('base64');
  const other = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'other', namespace: 'kube-system', uid: 'u' } };
  const wrong = JSON.stringify({ ...other, data: { key: encoded('data of another object') } });
  const read = { verb: 'get', resource: 'secrets', name: 'elsewhere' } as const;
  const write = { verb: 'apply', resource: 'secrets' } as const;
  const events = [
    `{"type":"MODIFIED","object":{"kind":"Secret","data":{"key":"${encoded('data of a cut event')}`,
    JSON.stringify({
      type: 'ADDED',
      object: { ...other, kind: 'Junk', data: { key: encoded('data of another kind') } },
    }),
    `${planted.of('text instead of an event')} is no JSON`,
  ];
  const edited = proxy.inject(
    { verb: 'watch', resource: 'secrets' },
    editLines(({ text }) => (text.includes('"hot"') ? { send: [events.shift() ?? text] } : text)),
  );
  const faults = [
    proxy.inject(read, reply(`${planted.of('text instead of an object')} is no JSON`), { times: 1 }),
    proxy.inject(read, reply(wrong), { from: 2, times: 1 }),
    proxy.inject(read, answer(statusReply(403, 'Forbidden')), { from: 3 }),
    proxy.inject(write, answer(statusReply(409, 'Conflict')), { times: 1 }),
    proxy.inject(write, answer(statusReply(500, 'InternalError')), { from: 2, times: 1 }),
    proxy.inject(write, loseResponse, { from: 3, times: 1 }),
    proxy.inject({ where: ({ url }) => url === '/version' }, answer(statusReply(500, 'InternalError')), { times: 2 }),
    proxy.inject({ verb: 'create', subresource: 'token', namespace }, answer(statusReply(500, 'InternalError')), {
      from: 2,
      times: 1,
    }),
  ];
  return () => faults.filter(({ hits }) => hits === 0).length + events.length + (edited.hits === 0 ? 1 : 0);
}

/** Has the plugin print something else than a credential when the server rejects the token, then another token. */
async function replaceToken(world: World, file: string, planted: Planted): Promise<void> {
  await writeFile(file, `{"kind":"ExecCredential","status":{"token":"${planted.of('output of a broken plugin')}"`);
  const rejected = world.proxy.inject({}, answer(statusReply(401, 'Unauthorized')), { times: 3 });
  for (const watch of world.proxy.watches()) watch.reset();
  await within(30_000, () => assert(rejected.hits > 0, 'no rejected request'));
  await world.managers[0]?.manager.logged(/plugin/);
  await writeFile(file, credential(planted.add('second token', await issueToken(world)), planted));
}

/** Everything that the operator and its user can print. */
async function printedBy(world: World, values: readonly unknown[]): Promise<string> {
  const { admin, namespace, managers } = world;
  const texts = [...values, ...managers.map(({ manager }) => manager)].map((value) =>
    inspect(value, { depth: 12, maxStringLength: null, maxArrayLength: null }),
  );
  for (const { manager, metrics } of managers) {
    texts.push(
      manager.logger.toString(),
      JSON.stringify(manager.logger.lines, (_, value: unknown) => withError(value)),
    );
    texts.push((await metrics?.expose())?.text ?? '');
  }
  texts.push(JSON.stringify(await admin.list(CoreEvent, { namespace })), JSON.stringify(await world.gears()));
  return texts.join('\n');
}

function withError(value: unknown): unknown {
  return value instanceof Error ? [value.stack, String(value), Object.entries(value), value.cause] : value;
}

export const SECRET_ROWS: readonly Row[] = [
  {
    id: 'F100',
    title:
      '21 tokens, values of Secrets and outputs of a plugin appear in no log, error, Event or metric of an operator',
    async run(world) {
      const planted = new Planted();
      await createAccount(world);
      const { file, client, log } = await pluginOf(world, planted);
      await createSecrets(world, planted);
      const unsent = injectFaults(world, planted);
      const steps = stepsOf(world, planted);
      const thrown: unknown[] = [];
      let isOver = false;
      world.gear = async (self, ctx) => {
        try {
          await ctx.watch(Secret);
          if (!isOver) await steps[self.metadata.name]?.(ctx);
        } catch (error) {
          thrown.push(error);
          throw error;
        }
        await applyChild(self, ctx);
      };
      for (const name of Object.keys(steps)) await world.createGear(name);
      const { manager } = await world.start({}, undefined, client);
      await manager.logged(/^Hot loop/);
      await within(60_000, () => assertEqual(unsent(), 0, 'faults that had no effect'));
      await replaceToken(world, file, planted);
      isOver = true;
      for (const name of Object.keys(steps)) await world.changeGear(name, 'b');
      await assertConverged(world, 90_000);
      assertEqual(planted.size, 21, 'planted values');
      const text = await printedBy(world, [client, log.lines, ...thrown]);
      assertEqual(planted.in(text), [], 'printed');
      assert(thrown.length >= 8, `only ${thrown.length} errors`);
    },
  },
];
