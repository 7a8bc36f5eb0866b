import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigYaml } from '../apiserver/kubeconfig-file.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import { writeAtomically } from '../base/write-atomically.js';
import { Client } from '../client/client.js';
import { loadClusterConfig } from '../client/cluster-config.js';
import { createServingIdentity } from '../pki/certificate.js';
import { eventually } from './eventually.js';
import { SupervisedProcess } from './supervised-process.js';
import type { TestServer } from './test-server.js';

const PROGRAMS = ['etcd', 'kube-apiserver'] as const;
const READY = { timeout: '60s', interval: '50ms' };

/** The arguments of kube-apiserver. */
interface Address {
  readonly etcd: string;
  readonly port: number;
}

/** etcd and kube-apiserver with RBAC, without any controllers: what KUBEBUILDER_ASSETS holds. */
export class RealServer implements TestServer {
  readonly kubeconfig: string;
  private readonly programs: SupervisedProcess[] = [];

  private constructor(
    private readonly assets: string,
    private readonly folder: string,
  ) {
    this.kubeconfig = join(folder, 'kubeconfig');
  }

  /**
   * Resolves when the server is ready.
   *
   * @throws OperatorError that names the missing programs, or contains the end of the output of one that exited
   */
  static async start(assets: string): Promise<RealServer> {
    await assertPrograms(assets);
    const server = new RealServer(assets, await mkdtemp(join(tmpdir(), 'kindwright-')));
    try {
      await server.startPrograms();
      await server.ready();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.programs.map((program) => program.kill()));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async startPrograms(): Promise<void> {
    const [clients = 0, peers = 0, port = 0] = await freePorts(3);
    const etcd = `http://127.0.0.1:${clients}`;
    this.writeFiles(`https://127.0.0.1:${port}`);
    this.programs.push(
      new SupervisedProcess(join(this.assets, 'etcd'), this.etcdArguments(etcd, `http://127.0.0.1:${peers}`)),
      new SupervisedProcess(join(this.assets, 'kube-apiserver'), this.apiserverArguments({ etcd, port })),
    );
  }

  private writeFiles(url: string): void {
    const token = randomBytes(32).toString('base64url');
    const { caPem, certPem, keyPem } = createServingIdentity(new SystemClock().now());
    const serviceAccounts = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const files = {
      'tls.crt': certPem,
      'tls.key': keyPem,
      'sa.key': serviceAccounts.export({ type: 'sec1', format: 'pem' }),
      'tokens.csv': `${token},admin,admin,system:masters\n`,
      kubeconfig: kubeconfigYaml(url, caPem, token),
    };
    for (const [name, content] of Object.entries(files))
      writeAtomically(join(this.folder, name), content.toString(), 0o600);
  }

  private etcdArguments(clients: string, peers: string): string[] {
    return [
      `--data-dir=${join(this.folder, 'etcd')}`,
      '--unsafe-no-fsync',
      '--log-level=error',
      `--listen-client-urls=${clients}`,
      `--advertise-client-urls=${clients}`,
      `--listen-peer-urls=${peers}`,
      `--initial-advertise-peer-urls=${peers}`,
      `--initial-cluster=default=${peers}`,
    ];
  }

  private apiserverArguments({ etcd, port }: Address): string[] {
    const file = (name: string): string => join(this.folder, name);
    return [
      `--etcd-servers=${etcd}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      `--tls-cert-file=${file('tls.crt')}`,
      `--tls-private-key-file=${file('tls.key')}`,
      `--token-auth-file=${file('tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--disable-admission-plugins=ServiceAccount', // no controller creates the ServiceAccount that pods need
      `--service-account-key-file=${file('sa.key')}`,
      `--service-account-signing-key-file=${file('sa.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-cluster-ip-range=10.0.0.0/16',
    ];
  }

  private async ready(): Promise<void> {
    const client = new Client(await loadClusterConfig({ kubeconfig: this.kubeconfig, env: {} }));
    const until = async (): Promise<Error | undefined> => {
      const ended = this.programs.find(({ lastOutput }) => lastOutput !== undefined);
      if (ended) return endedError(ended);
      await client.request({ method: 'GET', path: '/readyz', retries: 0 });
      await client.request({ method: 'GET', path: '/api/v1/namespaces/default', retries: 0 });
      return undefined;
    };
    const error = await eventually(until, READY).finally(() => {
      client.close();
    });
    if (error) throw error;
  }
}

async function assertPrograms(assets: string): Promise<void> {
  const missing: string[] = [];
  for (const name of PROGRAMS) {
    await access(join(assets, name), constants.X_OK).catch(() => missing.push(name));
  }
  if (assets !== '' && missing.length === 0) return;
  const where = assets === '' ? 'KUBEBUILDER_ASSETS is not set' : `${assets} has no ${missing.join(' and no ')}`;
  throw new OperatorError(`a real API server cannot be started: ${where}`, {
    code: 'E_ASSETS',
    hint: 'export KUBEBUILDER_ASSETS="$(setup-envtest use -p path)", or leave it unset for the embedded server',
  });
}

function endedError(program: SupervisedProcess): OperatorError {
  return new OperatorError(`${program.name} ended: ${program.lastOutput ?? ''}`, { code: 'E_ASSETS' });
}

/** Loopback ports that nothing listens on. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}
