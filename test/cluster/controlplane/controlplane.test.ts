import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { eventually } from '../../../src/testing/eventually.js';
import { ControlPlane } from '../../controlplane/control-plane.js';

/** Parent and state of every process that is more than an entry in the table. */
async function processes(): Promise<{ pid: number; parent: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows
    .filter(([, , state]) => !state?.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

async function childrenOf(parent: number | undefined): Promise<number[]> {
  return (await processes()).filter((row) => row.parent === parent).map(({ pid }) => pid);
}

async function allGone(pids: readonly number[]): Promise<void> {
  await eventually(async () => {
    const alive = (await processes()).map(({ pid }) => pid);
    expect(pids.filter((pid) => alive.includes(pid))).toEqual([]);
  });
}

describe('a control plane', () => {
  let cluster: ControlPlane;
  const kubectl = (...args: string[]) => cluster.kubectl(args);
  beforeAll(async () => {
    cluster = await ControlPlane.start({ audit: true });
  });
  afterAll(() => cluster.stop());

  test('the control plane is Kubernetes 1.36', async () => {
    const { serverVersion } = JSON.parse(await kubectl('version', '-o', 'json')) as {
      serverVersion: { gitVersion: string };
    };
    expect(serverVersion.gitVersion).toMatch(/^v1\.36\./);
  });

  test('the control plane runs the pods of a Deployment', async () => {
    await kubectl('create', 'deployment', 'web', '--image=nginx', '--replicas=3');
    await kubectl('wait', '--for=condition=Available', 'deployment/web', '--timeout=60s');
    const phases = await kubectl('get', 'pods', '-l', 'app=web', '-o', 'jsonpath={.items[*].status.phase}');
    expect(phases).toBe('Running Running Running');
  });

  test('the control plane deletes the pods of a deleted Deployment', async () => {
    await kubectl('delete', 'deployment', 'web');
    await eventually(async () => expect(await kubectl('get', 'pods', '-l', 'app=web', '-o', 'name')).toBe(''));
  });

  test('the control plane mounts a token of the ServiceAccount into pods', async () => {
    await kubectl('run', 'token', '--image=nginx');
    const path = 'jsonpath={.spec.containers[0].volumeMounts[0].mountPath}';
    expect(await kubectl('get', 'pod', 'token', '-o', path)).toBe('/var/run/secrets/kubernetes.io/serviceaccount');
  });

  test('the control plane enforces the Pod Security Standards', async () => {
    await kubectl('create', 'namespace', 'strict');
    await kubectl('label', 'namespace', 'strict', 'pod-security.kubernetes.io/enforce=restricted');
    const run = ['run', 'root', '--image=nginx', '-n', 'strict', '--dry-run=server'];
    await eventually(() => expect(kubectl(...run)).rejects.toThrow(/violates PodSecurity/));
  });

  test('the control plane forbids requests of a user until a role is bound, and its audit log contains both', async () => {
    const jane = ['--kubeconfig', await cluster.user('jane'), 'get', 'pods'];
    await expect(kubectl(...jane)).rejects.toThrow(/pods is forbidden: User "jane" cannot list resource "pods"/);
    await kubectl('create', 'rolebinding', 'jane', '--clusterrole=view', '--user=jane');
    await eventually(async () => expect(await kubectl(...jane)).toContain('token'));
    const calls = (await cluster.auditEvents()).filter(({ user, resource }) => user === 'jane' && resource === 'pods');
    expect(calls.map(({ code }) => code)).toEqual(expect.arrayContaining([403, 200]));
  });

  test('the control plane authenticates the groups of a client certificate', async () => {
    const admin = await cluster.user('root', 'system:masters');
    expect(await kubectl('--kubeconfig', admin, 'auth', 'can-i', '*', '*')).toBe('yes\n');
  });

  test('the control plane accepts a token it created for a ServiceAccount', async () => {
    const token = (await kubectl('create', 'token', 'default')).trim();
    const access = [`--server=${cluster.server.origin}`, `--certificate-authority=${cluster.dir}/pki/ca.crt`];
    const bare = ['--kubeconfig=/dev/null', ...access, `--token=${token}`];
    const name = await kubectl(...bare, 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}');
    expect(name).toBe('system:serviceaccount:default:default');
  });

  test('the control plane is unreachable without its API server, and loses no data', async () => {
    await cluster.stopPart('apiserver');
    await expect(kubectl('get', 'pods')).rejects.toThrow(/refused/);
    await cluster.startPart('apiserver');
    expect(await kubectl('get', 'pods', '-o', 'name')).toBe('pod/token\n');
  });

  test('the control plane survives the end of its etcd', async () => {
    await cluster.stopPart('etcd', 'SIGKILL');
    await cluster.startPart('etcd');
    expect(await kubectl('get', 'pods', '-o', 'name')).toBe('pod/token\n');
  });

  test('no pods are created while the controller manager is stopped', async () => {
    await cluster.stopPart('controller-manager');
    await kubectl('create', 'deployment', 'late', '--image=nginx');
    expect(await kubectl('get', 'deployment', 'late', '-o', 'jsonpath={.status}')).toBe('{}');
    await cluster.startPart('controller-manager');
    await kubectl('wait', '--for=condition=Available', 'deployment/late', '--timeout=60s');
  });

  test('the control plane leaves neither processes nor files behind', async () => {
    const second = await ControlPlane.start({ parts: ['etcd', 'apiserver'] });
    const pids = [second.pidOf('etcd'), second.pidOf('apiserver')].map(Number);
    expect(await processes()).toEqual(expect.arrayContaining(pids.map((pid) => expect.objectContaining({ pid }))));
    await second.stop();
    await allGone(pids);
    expect(existsSync(second.dir)).toBe(false);
  });
});

describe('a control plane started by hand', () => {
  test.each(['SIGINT', 'SIGKILL'] as const)(
    'a control plane started by hand ends when its process gets %s',
    async (signal) => {
      const main = join(import.meta.dirname, '..', '..', 'controlplane', 'main.ts');
      const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'pipe'] });
      const complaint = text(child.stderr);
      const failed = once(child, 'exit').then(async () => Promise.reject(new Error(await complaint)));
      failed.catch(() => undefined); // in the end it is killed
      const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed])) as [string];
      const kubeconfig = line.replace('KUBECONFIG=', '');
      const children = await childrenOf(child.pid);
      expect(children).toHaveLength(6); // five parts and the watchdog
      child.kill(signal);
      await allGone([Number(child.pid), ...children]);
      expect(existsSync(kubeconfig)).toBe(false);
    },
  );
});

describe('a control plane in a folder of the caller', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kept-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  test('a control plane in a folder of the caller keeps its data, its keys and its address', async () => {
    const options = { dir, parts: ['etcd', 'apiserver'] } as const;
    const first = await ControlPlane.start(options);
    await first.kubectl(['create', 'namespace', 'kept']);
    await first.stop();
    const second = await ControlPlane.start(options);
    expect(await second.kubectl(['get', 'namespace', 'kept', '-o', 'name'])).toBe('namespace/kept\n');
    expect([second.server.href, second.kubeconfig]).toEqual([first.server.href, first.kubeconfig]);
    await second.stop();
  });
});
