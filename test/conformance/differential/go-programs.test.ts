import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedApiServer } from '../../../src/apiserver/embedded-api-server.js';
import { findBinaries } from '../../controlplane/binaries.js';
import { ControlPlane } from '../../controlplane/control-plane.js';

const SOURCE = join(import.meta.dirname, '..', '..', 'go');
/** With nothing compiled yet, on two cores. */
const BUILD_MS = 600_000;
const run = promisify(execFile);

interface Server {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const SERVERS: readonly (readonly [string, () => Promise<Server>])[] = [
  ['a real control plane', () => ControlPlane.start()],
  ['the embedded server', () => EmbeddedApiServer.start()],
];

let folder: string;
let programs: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'go-programs-'));
  programs = join(folder, 'programs');
  await run('go', ['test', '-c', '-trimpath', '-buildvcs=false', '-o', programs, '.'], { cwd: SOURCE });
}, BUILD_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(SERVERS)('on %s', (_name, start) => {
  let server: Server;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  test.each([
    ['typed clients work in JSON and in protobuf', 'TestTypedClient'],
    ['dynamic and metadata clients work', 'TestDynamicClient|TestMetadataClient'],
    [
      'informers receive changes, after a list and after a streamed list',
      'TestWatchList|TestSharedInformers|TestMetadataInformer',
    ],
    ['apply configurations keep fields of other managers', 'TestApplyConfigurations'],
    ['a leader is elected, and events are counted', 'TestLeaderElection|TestEventRecorder'],
    ['a manager runs its reconciler', 'TestManager'],
    ['discovery and tables have the requested types', 'TestDiscoveryInProtobuf|TestTables|TestHealthChecks'],
    ['a changed definition applies to stored objects', 'TestChangedDefinition'],
    [
      'requests of a client are decoded as by Kubernetes',
      'TestEventSelectors|TestStrictDecoding|TestGivenManagedFields',
    ],
    ['a new node waits for its kubelet', 'TestNodeTaint'],
    ['the status of a namespace that is being deleted shows what remains', 'TestNamespaceDeletion'],
  ])('the Go program passes: %s', async (_what, names) => {
    const env = { ...process.env, KUBECONFIG: server.kubeconfig };
    await failWithOutput(run(programs, ['-test.v', `-test.run=^(${names})$`], { cwd: folder, env }));
  });
});

describe('envtest', () => {
  const ASSETS: readonly (readonly [string, () => Promise<string>])[] = [
    ['kube-apiserver and etcd', async () => dirname((await findBinaries()).etcd)],
    ['the programs that kindwright envtest-assets writes', writeAssets],
  ];
  test.each(ASSETS)('envtest starts %s', async (_what, assets) => {
    const env = { ...process.env, KUBEBUILDER_ASSETS: await assets() };
    await failWithOutput(run(programs, ['-test.v', '-test.run=^TestEnvtest$'], { cwd: folder, env }));
  });
});

async function writeAssets(): Promise<string> {
  const kindwright = join(import.meta.dirname, '..', '..', '..', 'dist', 'cli', 'bin', 'kindwright.js');
  await run(process.execPath, [kindwright, 'envtest-assets', folder]);
  return folder;
}

/** Go prints the results of tests to the output, not to the error. */
async function failWithOutput(program: Promise<unknown>): Promise<void> {
  try {
    await program;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  }
}
