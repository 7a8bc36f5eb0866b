import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  type Context,
  Controller,
  ForbiddenError,
  loadClusterConfig,
  Namespace,
  NotFoundError,
  ObjectController,
  Pod,
  Rbac,
  Role,
  RoleBinding,
  ServiceAccount,
  ConfigMap,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { DatabaseDump } from '../../docs/examples/database-dump.js';
import { grantedRules } from '../../src/manifests/access/granted-rules.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { RestrictedOperator } from '../e2e/sdk/restricted-operator.js';
import { installKinds, RunningManager } from '../e2e/sdk/running-manager.js';
import { KUBELET_ARGS, StartedKubelet } from './started-kubelet.js';

const namespace = 'dumps';
const pod = 'db-0';
const folder = mkdtempSync(join(tmpdir(), 'pod-streams-'));
const logFile = join(folder, 'container.log');

/** Calls what a test passes, in a reconcile of the object of its name. */
@Controller({ for: ConfigMap, name: 'streaming', impersonate: ['strangers', 'debugger'] })
@Rbac(Pod, 'get', 'create', { subresource: 'exec' })
@Rbac(Pod, 'get', 'create', { subresource: 'attach' })
@Rbac(Pod, 'get', 'create', { subresource: 'portforward' })
@Rbac(Pod, 'get', { subresource: 'log' })
class Streaming extends ObjectController<ConfigMap> {
  static readonly calls = new Map<string, (ctx: Context) => Promise<void>>();

  async reconcile(ctx: Context): Promise<void> {
    await Streaming.calls.get(this.object.metadata.name)?.(ctx);
  }
}

let cluster: RunningControlPlane;
let admin: Client;
let kubelet: StartedKubelet;
let http: Server;
let manager: RunningManager;
let operator: RestrictedOperator;
let stranger: RestrictedOperator;

beforeAll(async () => {
  writeFileSync(
    logFile,
    '2026-01-01T00:00:00.000000000Z stdout F first\n2026-01-01T00:00:01.000000000Z stdout F second\n',
  );
  cluster = await startControlPlane({
    parts: ['etcd', 'apiserver', 'controller-manager'],
    apiserverArgs: KUBELET_ARGS,
  });
  admin = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  http = createServer((request, response) => response.end(`you asked for ${request.url}`)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  kubelet = await StartedKubelet.start(cluster, admin, { folder, logFile, forwardPort: port });
  for (const name of [namespace, 'strangers']) await admin.create(Namespace, { metadata: { name } });
  await eventually(() => admin.get(ServiceAccount, 'default', { namespace }), { timeout: '30s' });
  await kubelet.run(admin, { name: pod, namespace });
  const classes = [DatabaseDump, Streaming];
  await installKinds(admin, [DatabaseDump]);
  // The roles that the decorators grant, and nothing else.
  const rights = buildResourceModels(classes).flatMap((model) =>
    grantedRules(model).map(({ rule }, index) => ({
      name: `rule-${index}`,
      group: rule.apiGroups[0]!,
      resource: rule.resources[0]!,
      verbs: rule.verbs,
    })),
  );
  operator = await RestrictedOperator.create(admin, namespace, rights, true);
  stranger = await RestrictedOperator.create(admin, 'strangers', [], true);
  manager = await RunningManager.start(operator.client, classes);
});
afterAll(async () => {
  await manager.stop();
  for (const client of [operator.client, stranger.client, admin]) client.close();
  kubelet.stop();
  http.close();
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

let count = 0;
/** Runs a function in a reconcile. */
async function inReconcile<T>(call: (ctx: Context) => Promise<T>): Promise<T> {
  const name = `call-${String((count += 1))}`;
  const result = new Promise<T>((resolve, reject) => {
    Streaming.calls.set(name, (ctx) => {
      Streaming.calls.delete(name);
      return call(ctx).then(resolve, reject);
    });
  });
  await admin.create(ConfigMap, { metadata: { name, namespace } });
  return result;
}

test('an operator takes a dump by a command and streams it to a file, with the permissions of its decorators', async () => {
  DatabaseDump.folder = folder;
  DatabaseDump.command = 'printf';
  await admin.create(DatabaseDump, {
    metadata: { name: 'nightly', namespace },
    spec: { pod, database: 'CREATE TABLE' },
  });
  await eventually(async () => {
    const { status } = await admin.get(DatabaseDump, 'nightly', { namespace });
    expect(status?.file).toBe(join(folder, 'nightly.sql'));
    expect(status?.log).toContain('second');
  });
  expect(readFileSync(join(folder, 'nightly.sql'), 'utf8')).toBe('CREATE TABLE');
});

describe('ctx.exec', () => {
  test('it returns the output of a command, and fails with that of one that fails', async () => {
    const command = ['sh', '-c', 'echo done; echo warning >&2'];
    expect(await inReconcile((ctx) => ctx.exec(pod, command))).toEqual({ stdout: 'done\n', stderr: 'warning\n' });
    // kwok reports an exit code as text only; see test/client/pods/live-pod-streams.test.ts.
    await expect(inReconcile((ctx) => ctx.exec(pod, ['sh', '-c', 'exit 3']))).rejects.toThrow('exit status 3');
  });

  test('a large output passes a slow stream completely', async () => {
    let bytes = 0;
    const stdout = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        setImmediate(done);
      },
    });
    await inReconcile((ctx) => ctx.exec(pod, ['head', '-c', '50000000', '/dev/zero'], { stdout }));
    expect(bytes).toBe(50_000_000);
  });

  test('the error of the API server is that of any other call', async () => {
    await expect(inReconcile((ctx) => ctx.exec('missing', ['true']))).rejects.toBeInstanceOf(NotFoundError);
    const streams = stranger.client.podStreams({
      signal: new AbortController().signal,
      namespace,
      beforeWrite: () => undefined,
    });
    const error = await streams.exec(pod, ['true']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ForbiddenError);
    expect((error as Error).message).toContain('cannot get resource "pods/exec"');
  });

  test('an abort ends it', async () => {
    const stopping = new AbortController();
    const streams = admin.podStreams({ signal: stopping.signal, namespace, beforeWrite: () => undefined });
    const running = streams.exec(pod, ['sleep', '60']);
    await delay(500);
    stopping.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });
});

test('ctx.logs streams the log, and follows it until the stream is destroyed', async () => {
  const log = await inReconcile((ctx) => ctx.logs(pod, { tailLines: 1 }));
  expect((await log.toArray()).join('')).toContain('second');
  const followed = await inReconcile((ctx) => ctx.logs(pod, { follow: true }));
  let text = '';
  for await (const chunk of followed) {
    text += String(chunk);
    if (text.includes('third')) break;
    if (text.includes('second'))
      writeFileSync(logFile, '2026-01-01T00:00:02.000000000Z stdout F third\n', { flag: 'a' });
  }
  expect(text).toContain('third');
  await expect(inReconcile((ctx) => ctx.logs('missing'))).rejects.toBeInstanceOf(NotFoundError);
});

test('ctx.portForward connects to a port of the pod', async () => {
  const connection = await inReconcile((ctx) => ctx.portForward(pod, 8080));
  connection.write('GET /metrics HTTP/1.1\r\nHost: pod\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of connection) {
    text += String(chunk);
    if (text.includes('/metrics')) break;
  }
  expect(text).toContain('you asked for /metrics');
});

test('ctx.as connects with the rights of the tenant, and not with those of the operator', async () => {
  const command = ['echo', 'hello'];
  for (const name of ['strangers', 'debugger']) await admin.create(ServiceAccount, { metadata: { name, namespace } });
  const metadata = { name: 'debugger', namespace };
  const resources = ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/log'];
  await admin.create(Role, { metadata, rules: [{ apiGroups: [''], resources, verbs: ['get', 'create'] }] });
  const subjects = [{ kind: 'ServiceAccount', ...metadata }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'debugger' };
  await admin.create(RoleBinding, { metadata, roleRef, subjects });
  await eventually(async () => {
    const result = await inReconcile((ctx) => ctx.as({ serviceAccount: 'debugger' }).exec(pod, command));
    expect(result.stdout).toBe('hello\n');
  });
  const log = await inReconcile((ctx) => ctx.as({ serviceAccount: 'debugger' }).logs(pod, { tailLines: 1 }));
  expect(await log.toArray()).toHaveLength(1);
  const calls: readonly ((ctx: Context) => Promise<unknown>)[] = [
    (ctx) => ctx.as({ serviceAccount: 'strangers' }).exec(pod, command),
    (ctx) => ctx.as({ serviceAccount: 'strangers' }).attach(pod),
    (ctx) => ctx.as({ serviceAccount: 'strangers' }).logs(pod),
    (ctx) => ctx.as({ serviceAccount: 'strangers' }).portForward(pod, 8080),
  ];
  for (const call of calls) {
    const error = await inReconcile(call).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ForbiddenError);
    expect((error as ForbiddenError).message).toContain('system:serviceaccount:dumps:strangers');
    expect((error as ForbiddenError).hint).toContain('bind a role');
  }
});
