import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedApiServer } from '../../../src/apiserver/embedded-api-server.js';
import { findBinaries, type Binaries } from '../../controlplane/binaries.js';
import { commandLine, type PartName } from '../../controlplane/command-line.js';
import { Part } from '../../controlplane/part.js';
import { Watchdog } from '../../controlplane/watchdog.js';
import { giveInput } from '../../controlplane/give-input.js';

const PARTS = ['controller-manager', 'scheduler', 'kwok'] as const;
const NODE = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } };

let folder: string;
let binaries: Binaries;
let server: EmbeddedApiServer;
let watchdog: Watchdog;
const parts: Part[] = [];

beforeAll(async () => {
  binaries = await findBinaries();
  folder = await mkdtemp(join(await realpath(tmpdir()), 'real-controllers-'));
  watchdog = new Watchdog(folder);
  server = await EmbeddedApiServer.start({ withoutControllers: true });
  await mkdir(join(folder, 'pki'));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(folder, 'pki', 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  await writeFile(join(folder, 'pki', 'ca.crt'), server.caPem);
  await kubectl(['create', '-f', '-'], JSON.stringify(NODE));
  for (const name of PARTS) start(name);
});
afterAll(async () => {
  await Promise.all(parts.map((part) => part.stop('SIGKILL')));
  await server.stop();
  await watchdog.end();
});

function start(name: PartName): void {
  const { kubeconfig } = server;
  const ports = { etcd: 0, etcdPeer: 0, apiserver: 0 };
  const line = commandLine(name, { binaries, dir: folder, ports, kubeconfig, apiserverArgs: [] });
  const part = new Part({ name, ...line, cwd: folder, logFile: join(folder, `${name}.log`), watchdog });
  part.start();
  parts.push(part);
}

async function kubectl(args: readonly string[], stdin = ''): Promise<string> {
  const env = { ...process.env, KUBECONFIG: server.kubeconfig, KUBECACHEDIR: join(folder, 'cache') };
  const promise = promisify(execFile)(binaries.kubectl, args, { env });
  giveInput(promise.child, stdin);
  return (await promise).stdout.trim();
}

test('the controllers of Kubernetes roll out a deployment', async () => {
  await kubectl(['create', 'deployment', 'web', '--image=nginx', '--replicas=3']);
  await kubectl(['rollout', 'status', 'deployment/web', '--timeout=60s']);
  const nodes = await kubectl(['get', 'pods', '-l', 'app=web', '-o', 'jsonpath={.items[*].spec.nodeName}']);
  expect(nodes).toBe('node-1 node-1 node-1');
});

test('the controllers of Kubernetes complete a job', async () => {
  await kubectl(['create', 'job', 'hello', '--image=busybox', '--', 'true']);
  expect(await kubectl(['wait', '--for=condition=Complete', 'job/hello', '--timeout=60s'])).toContain('condition met');
});

test('the garbage collector of Kubernetes removes what a deployment owns', async () => {
  await kubectl(['delete', 'deployment', 'web', '--cascade=foreground', '--timeout=60s']);
  expect(await kubectl(['get', 'replicasets,pods', '-l', 'app=web', '-o', 'name'])).toBe('');
});

test('the namespace controller of Kubernetes empties a namespace', async () => {
  await kubectl(['create', 'namespace', 'team']);
  await kubectl(['create', 'configmap', 'one', '-n', 'team']);
  await kubectl(['delete', 'namespace', 'team', '--timeout=60s']);
  await expect(kubectl(['get', 'configmap', 'one', '-n', 'team'])).rejects.toThrow('not found');
});

test('no watch of the real controllers fails on the embedded server', async () => {
  const logs = await Promise.all(PARTS.map((name) => readFile(join(folder, `${name}.log`), 'utf8')));
  expect(logs.join('\n')).not.toMatch(/failed to (list|watch)|Failed to watch|too old resource version/);
});
