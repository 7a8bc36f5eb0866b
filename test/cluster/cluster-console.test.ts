import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  ClusterRoleBinding,
  loadClusterConfig,
  Namespace,
  Role,
  RoleBinding,
  ServiceAccount,
  type KindRef,
  type KubeObject,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import type { Hello, ObjectPage, RunPage, WhyReport } from '../../src/console/wire.js';
import { StartedCommand } from '../cli/started-command.js';
import { TemporaryProject } from '../cli/temporary-project.js';
import { freePort } from '../controlplane/free-port.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { applyFile } from '../e2e/apply-file.js';
import { kubeconfigOf } from '../e2e/service-account.js';
import { KUBELET_ARGS, StartedKubelet } from './started-kubelet.js';

const OPERATOR = `
import { ConfigMap, Context, CustomResource, Field, Kind, Owns } from 'kindwright';

class MemoSpec {
  @Field() text!: string;
}
class MemoStatus {
  @Field({ optional: true }) text?: string;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
@Owns(ConfigMap)
export class Memo extends CustomResource {
  @Field() spec!: MemoSpec;
  @Field() status!: MemoStatus;

  async reconcile(ctx: Context): Promise<void> {
    ctx.log.info('the text is ' + this.spec.text);
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { text: this.spec.text } });
    this.status.text = this.spec.text;
  }
}
`;
const Memo = {
  ...{ group: 'demo.example.com', version: 'v1', kind: 'Memo', plural: 'memos', scope: 'Namespaced' },
} as KindRef<KubeObject & { readonly spec: { readonly text: string }; readonly status?: { readonly text?: string } }>;
const SYSTEM = 'memo-system';
/** The texts of the objects in the namespace that the user may not see, and its name. */
const HIDDEN = ['bravo', 'team-b'];

const folder = mkdtempSync(join(tmpdir(), 'cluster-console-'));
let project: TemporaryProject;
let cluster: RunningControlPlane;
let admin: Client;
let kubelet: StartedKubelet;
let operator: StartedCommand;
const started: StartedCommand[] = [];
let address: string;
/** The consoles of a user who may list objects in team-a only, and of an administrator. */
let restricted: OpenConsole;
let complete: OpenConsole;
let hidden: { readonly uid: string; readonly run: string };

/** A console of the command `kindwright console`. */
class OpenConsole {
  private constructor(
    readonly command: StartedCommand,
    private readonly origin: string,
    private readonly token: string,
    readonly runtime: string,
  ) {}

  static async open(name: string, args: readonly string[]): Promise<OpenConsole> {
    const runtime = join(folder, name);
    const all = ['console', '-n', SYSTEM, '--port', '0', ...args];
    const command = new StartedCommand(project.start('kindwright', all, { XDG_RUNTIME_DIR: runtime }));
    started.push(command);
    const [, origin = '', token = ''] = await command.printed(/Console: (http:\/\/127\.0\.0\.1:\d+)\/#t=([\w-]+)\n/);
    return new OpenConsole(command, origin, token, runtime);
  }

  request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...(init.headers as Record<string, string>) };
    return fetch(`${this.origin}/api/v1/${path}`, { ...init, headers });
  }

  async get<T>(path: string): Promise<T> {
    return (await (await this.request(path)).json()) as T;
  }
}

beforeAll(async () => {
  const port = await freePort();
  address = `127.0.0.1:${port}`;
  const flag = `--console-bind-address=${address}`;
  project = new TemporaryProject({
    'package.json': JSON.stringify({ type: 'module', kindwright: { namespace: SYSTEM, deployment: { args: [flag] } } }),
    'operators/memo.ts': OPERATOR,
  });
  expect(await project.run('generate-manifests')).toMatchObject({ exitCode: 0 });
  cluster = await startControlPlane({
    parts: ['etcd', 'apiserver', 'controller-manager'],
    apiserverArgs: KUBELET_ARGS,
  });
  admin = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  kubelet = await StartedKubelet.start(cluster, admin, { folder, forwardPort: port });
  const out = join(project.folder, 'crds-out');
  for (const file of [...globSync('*_memos.yaml', { cwd: out }), ...globSync('memo/*.yaml', { cwd: out }).sort()])
    await applyFile(admin, join(out, file), ['Deployment']);
  for (const name of ['team-a', 'team-b']) await admin.create(Namespace, { metadata: { name } });
  for (const namespace of [SYSTEM, 'team-a'])
    await eventually(() => admin.get(ServiceAccount, 'default', { namespace }), { timeout: '30s' });
  await createUsers();
  await kubelet.run(admin, { name: 'memo-0', namespace: SYSTEM }, [flag]);
  const account = { namespace: SYSTEM, name: 'memo-controller-manager' };
  const kubeconfig = await kubeconfigOf(cluster, admin, account);
  operator = new StartedCommand(project.start('run-operator', ['--kubeconfig', kubeconfig, flag]));
  started.push(operator);
  await eventually(() => expect(operator.stderr).toContain('Started workers'), { timeout: '30s' });
  for (const [namespace, word] of [
    ['team-a', 'alpha'],
    ['team-b', 'bravo'],
  ] as const) {
    await admin.create(Memo, { metadata: { name: word, namespace }, spec: { text: word } });
    await eventually(async () => expect((await admin.get(Memo, word, { namespace })).status?.text).toBe(word));
  }
  restricted = await OpenConsole.open('restricted', [
    '--kubeconfig',
    await kubeconfigOf(cluster, admin, { namespace: 'team-a', name: 'viewer' }),
  ]);
  complete = await OpenConsole.open('complete', ['--kubeconfig', cluster.kubeconfig, '--service-account', 'auditor']);
  const { rows } = await complete.get<ObjectPage>('find?kind=memo&name=bravo');
  hidden = { uid: rows[0]!.uid, run: rows[0]!.lastRun!.id };
}, 120_000);
afterAll(async () => {
  for (const command of started) await command.end();
  kubelet.stop();
  admin.close();
  await cluster.stop();
  project.remove();
  rmSync(folder, { recursive: true });
});

/** A user with permissions in team-a only, an administrator, and one who may not read the console. */
async function createUsers(): Promise<void> {
  const role = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  const viewer = [{ kind: 'ServiceAccount', name: 'viewer', namespace: 'team-a' }];
  const auditor = [{ kind: 'ServiceAccount', name: 'auditor', namespace: SYSTEM }];
  await admin.create(ServiceAccount, { metadata: { name: 'viewer', namespace: 'team-a' } });
  for (const name of ['auditor', 'stranger'])
    await admin.create(ServiceAccount, { metadata: { name, namespace: SYSTEM } });
  const rules = [
    { apiGroups: ['demo.example.com'], resources: ['memos'], verbs: ['list'] },
    { apiGroups: [''], resources: ['configmaps', 'events'], verbs: ['list'] },
  ];
  await admin.create(Role, { metadata: { name: 'viewer', namespace: 'team-a' }, rules });
  await admin.create(RoleBinding, {
    metadata: { name: 'viewer', namespace: 'team-a' },
    roleRef: role('Role', 'viewer'),
    subjects: viewer,
  });
  await admin.create(ClusterRoleBinding, {
    metadata: { name: 'console-readers' },
    roleRef: role('ClusterRole', 'memo-console-reader-role'),
    subjects: viewer,
  });
  await admin.create(RoleBinding, {
    metadata: { name: 'console-users', namespace: SYSTEM },
    roleRef: role('Role', 'memo-console-connect-role'),
    subjects: viewer,
  });
  await admin.create(ClusterRoleBinding, {
    metadata: { name: 'auditor' },
    roleRef: role('ClusterRole', 'cluster-admin'),
    subjects: auditor,
  });
}

/** Sends a request to the operator itself, as a client in its pod could. */
function direct(path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ readonly status: number | undefined; readonly body: string }>((resolve, reject) => {
    const options = { method, headers, rejectUnauthorized: false };
    const call = requestHttps(`https://${address}/api/v1/${path}`, options, (response) => {
      void text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    call.on('error', reject).end();
  });
}

async function bearerOf(namespace: string, name: string): Promise<string> {
  const token = await cluster.kubectl(['create', 'token', name, '-n', namespace]);
  return `Bearer ${token.trim()}`;
}

const uids = async (console: OpenConsole) =>
  (await console.get<ObjectPage>('objects')).rows.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);

describe('the console of an operator in a cluster', () => {
  test('shows an administrator all objects, and changes nothing', async () => {
    expect(await complete.get<Hello>('hello')).toMatchObject({ mode: 'read-only', operator: 'memo' });
    expect(await uids(complete)).toEqual(
      expect.arrayContaining(['Memo.demo.example.com team-a/alpha', 'Memo.demo.example.com team-b/bravo']),
    );
    const { runs } = await complete.get<RunPage>(`objects/${hidden.uid}/runs`);
    expect(runs.length).toBeGreaterThan(0);
    const headers = { 'content-type': 'application/json' };
    for (const path of ['apply', 'validate', 'delete', `reconcile/${hidden.uid}`, 'pause', 'step'])
      expect((await complete.request(path, { method: 'POST', body: '{}', headers })).status).toBe(405);
  });

  test('shows a user of one namespace its objects and their runs', async () => {
    expect(await uids(restricted)).toEqual([
      'ConfigMap team-a/alpha',
      expect.stringMatching('ConfigMap team-a/kube-root-ca.crt'),
      'Memo.demo.example.com team-a/alpha',
    ]);
    const { rows } = await restricted.get<ObjectPage>('find?kind=memo&name=alpha');
    const { runs } = await restricted.get<WhyReport>(`why/${rows[0]!.uid}`);
    expect(runs[0]).toMatchObject({ controller: 'memo', object: { namespace: 'team-a', name: 'alpha' } });
    expect(runs.flatMap(({ log }) => log.map(({ message }) => message))).toContain('the text is alpha');
    expect(runs.flatMap(({ ops }) => ops.map(({ name }) => name))).toContain('alpha');
    expect(await restricted.get(`objects/${rows[0]!.uid}/events`)).toEqual({ events: [] });
  });

  test('shows this user nothing of another namespace', async () => {
    const { rows } = await restricted.get<ObjectPage>('objects');
    const { runs } = await restricted.get<RunPage>('runs');
    const paths = [
      ...['hello', 'objects', 'objects?namespace=team-b', 'find?kind=memo&name=bravo', 'find?kind=memo', 'runs'],
      ...['runs?controller=memo', 'runtime', 'logs', 'metrics', 'doctor'],
      ...rows.flatMap(({ uid }) => ['', '/tree', '/events', '/runs'].map((part) => `objects/${uid}${part}`)),
      ...rows.map(({ uid }) => `why/${uid}`),
      ...runs.map(({ id }) => `runs/${id}`),
    ];
    let all = '';
    for (const path of paths) all += `${path} ${await (await restricted.request(path)).text()}\n`;
    expect(all).toContain('alpha');
    // What it has asked for itself is in the paths.
    const answers = all.replaceAll('objects?namespace=team-b ', '').replaceAll('name=bravo ', '');
    for (const word of [...HIDDEN, hidden.uid, hidden.run]) expect(answers).not.toContain(word);
    for (const path of [
      `objects/${hidden.uid}`,
      `objects/${hidden.uid}/tree`,
      `why/${hidden.uid}`,
      `runs/${hidden.run}`,
    ])
      expect((await restricted.request(path)).status).toBe(404);
    expect(await restricted.get(`logs?run=${hidden.run}`)).toMatchObject({ lines: [] });
  });

  test('sends this user no event about another namespace', async () => {
    const abort = new AbortController();
    const stream = await restricted.request('stream', { signal: abort.signal });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    const readUntil = async (pattern: RegExp) => {
      while (!pattern.test(received)) received += (await reader.read()).value ?? '';
    };
    await readUntil(/"isComplete":true/);
    const write = (namespace: string, name: string, spec: string) =>
      admin.patch(Memo, name, { spec: { text: spec } }, { namespace, type: 'merge' });
    await write('team-b', 'bravo', 'bravo changed');
    await eventually(async () => {
      expect((await admin.get(Memo, 'bravo', { namespace: 'team-b' })).status?.text).toBe('bravo changed');
    });
    await write('team-a', 'alpha', 'alpha changed');
    await readUntil(/the text is alpha changed[\s\S]*event: runtime/);
    abort.abort();
    for (const word of [...HIDDEN, hidden.uid]) expect(received).not.toContain(word);
  });

  test('is read by kindwright why with the same permissions', async () => {
    const { runtime } = restricted;
    const seen = await project.run('kindwright', ['why', 'memo', 'alpha'], { XDG_RUNTIME_DIR: runtime });
    expect(seen.stdout).toMatch(/Memo team-a\/alpha[\s\S]*because Memo/);
    const unseen = await project.run('kindwright', ['why', 'memo', 'bravo'], { XDG_RUNTIME_DIR: runtime });
    expect(unseen).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the operator has no memo bravo') });
  });

  test('refuses requests without a token, of users without permission, and of browsers', async () => {
    expect(await direct('hello', {})).toMatchObject({ status: 401 });
    expect(await direct('hello', { authorization: 'Bearer made.up' })).toMatchObject({ status: 401 });
    const stranger = await bearerOf(SYSTEM, 'stranger');
    expect(await direct('hello', { authorization: stranger })).toMatchObject({ status: 403 });
    const authorization = await bearerOf(SYSTEM, 'auditor');
    expect(await direct('hello', { authorization })).toMatchObject({ status: 200 });
    expect(await direct('hello', { authorization, origin: `https://${address}` })).toMatchObject({ status: 403 });
    expect(await direct('hello', { authorization, 'sec-fetch-site': 'none' })).toMatchObject({ status: 403 });
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect(await direct('apply', { authorization }, method)).toMatchObject({ status: 405 });
    await expect(fetch(`http://${address}/api/v1/hello`, { headers: { authorization } })).rejects.toThrow();
  });

  test('needs a token: a kubeconfig with a client certificate has none', async () => {
    const args = ['console', '-n', SYSTEM, '--kubeconfig', cluster.kubeconfig];
    expect(await project.run('kindwright', args)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/no bearer token[\s\S]*--service-account/),
    });
  });

  test('has a hint when no pod of the namespace serves one', async () => {
    const args = ['console', '-n', 'team-a', '--kubeconfig', cluster.kubeconfig];
    expect(await project.run('kindwright', args)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/team-a has no running pod[\s\S]*--console-bind-address=127\.0\.0\.1:8444/),
    });
  });

  test('needs no permission beyond the generated roles', () => {
    expect(operator.stderr).not.toMatch(/forbidden|no permission/);
  });
});
