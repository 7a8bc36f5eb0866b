import type { AdmissionPluginName } from '../apiserver/admission/default-plugins.js';
import type { EmbeddedApiServerOptions } from '../apiserver/embedded-api-server.js';
import type { Clock } from '../base/clock.js';
import type { Duration } from '../base/duration.js';
import { silentLogger, type Logger } from '../base/logger.js';
import { isTooOldNode, NEEDED_NODE } from '../base/node-version.js';
import { OperatorError } from '../base/operator-error.js';
import { optionMs } from '../base/option-ms.js';
import { renamedError } from '../base/renamed.js';
import { SystemClock } from '../base/system-clock.js';
import { Client } from '../client/client.js';
import { loadClusterConfig, type ClusterConfig } from '../client/cluster-config.js';
import { Secret } from '../client/secret.js';
import type { Cluster } from './cluster.js';
import { serverPlanner, type PodPlanner } from './pod-plan.js';
import type { TestServer } from './test-server.js';
import { withHint } from './with-hint.js';

/** The server of a cluster, and what it simulates. */
export interface StartClusterOptions {
  /**
   * `embedded` is the API server of kindwright, in this process; `real` is etcd and kube-apiserver from the folder in
   * `KUBEBUILDER_ASSETS`. Default: `real` if that variable is set.
   *
   * No controllers run on the real server: a Deployment gets no pods, and nothing is collected by owner references.
   */
  readonly server?: 'embedded' | 'real';
  /**
   * The time of the operators and of the embedded server; default: the machine's. A FakeClock stands still until it is
   * advanced: back-off, `requeueAfter` and delays of pods then wait for that.
   */
  readonly clock?: Clock;
  /** The logger of operators and server. Default: none. */
  readonly logger?: Logger;
  /**
   * Report changes that operators make to `this.spec`, `this.metadata`, undeclared status fields or cached objects as
   * errors. Default: true unless NODE_ENV is `production`.
   */
  readonly strict?: boolean;
  /**
   * Makes the webhooks of the operators fail after `run` has registered them, so that `failurePolicy` decides about
   * writes: `down` refuses connections, also for conversions; `slow` lets each review end at its `timeoutSeconds`.
   * Default: they work.
   */
  readonly webhooks?: 'down' | 'slow';
  /** Nodes of the embedded server: how many, or their names. Default 2. */
  readonly nodes?: number | readonly string[];
  /** Time from the creation of a pod of the embedded server until it is Running. Default 0. */
  readonly podStartDelay?: Duration;
  /** Plans single pods of the embedded server: how long they take, and whether they fail. */
  readonly planPod?: PodPlanner;
  /** Admission plugins the embedded server does without, by the names kube-apiserver has for them. */
  readonly disableAdmissionPlugins?: readonly AdmissionPluginName[];
  /**
   * File to which the permissions that the operators use are added, as by `run-operator --record-rbac`. Requests of the
   * test itself are not recorded. Repeated runs of the same tests leave the file unchanged, so it can be committed.
   */
  readonly recordRbac?: string;
}

/**
 * Starts a cluster of its own for a test: an API server in this process, with nothing in it yet.
 *
 * `@Mutate` methods of its operators are called twice; a write fails with the name of a method that is not idempotent.
 * @throws OperatorError naming the programs that are missing, when it is to be a real one.
 */
export function startCluster(options: StartClusterOptions = {}): Promise<Cluster> {
  return withHint(start(options));
}

async function start(options: StartClusterOptions): Promise<Cluster> {
  const { node } = process.versions;
  if (isTooOldNode(node)) {
    const hint = 'install a newer Node from https://nodejs.org, or in the project: npm install -D node';
    throw new OperatorError(`kindwright requires Node ${NEEDED_NODE} or later; this is Node ${node}`, {
      code: 'E_NODE',
      hint,
    });
  }
  const { clock = new SystemClock(), logger = silentLogger } = options;
  const accesses = await openRecord(options.recordRbac, logger);
  const [{ Cluster }, { server, config }] = await Promise.all([import('./cluster.js'), startServer(options)]);
  const { strict, webhooks } = options;
  return new Cluster(new Client(config, { logger }), server, { clock, logger, strict, webhooks, accesses });
}

/** Opens the record file, with the system clock: accesses are saved even if the clock of the test stands still. */
async function openRecord(file: string | undefined, logger: Logger) {
  if (file === undefined) return undefined;
  const { AccessRecordFile } = await import('../client/access/access-record-file.js');
  return AccessRecordFile.open(file, { clock: new SystemClock(), logger });
}

/** A server, and how to reach it as its administrator. */
interface Started {
  readonly server: TestServer;
  readonly config: ClusterConfig;
}

async function startServer(options: StartClusterOptions): Promise<Started> {
  if (Object.hasOwn(options, 'real')) throw renamedError('real', `server: 'real'`);
  const assets = process.env['KUBEBUILDER_ASSETS'] ?? '';
  const { server = assets === '' ? 'embedded' : 'real', ...rest } = options;
  return server === 'real' ? startReal(assets) : startEmbedded(rest);
}

async function startReal(assets: string): Promise<Started> {
  const { RealServer } = await import('./real-server.js');
  const server = await RealServer.start(assets);
  try {
    return { server, config: await loadClusterConfig({ kubeconfig: server.kubeconfig, env: {} }) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Not by way of the kubeconfig: loading a YAML parser takes longer than the rest of the server's start. */
async function startEmbedded({ podStartDelay, planPod, ...options }: StartClusterOptions): Promise<Started> {
  if (Object.hasOwn(options, 'podStartDelayMs')) throw renamedError('podStartDelayMs', `podStartDelay: '30s'`);
  const pods: EmbeddedApiServerOptions = {
    podStartDelayMs: optionMs('podStartDelay', podStartDelay, 0),
    ...(planPod && { planPod: serverPlanner(planPod) }),
  };
  const { EmbeddedApiServer } = await import('../apiserver/embedded-api-server.js');
  const server = await EmbeddedApiServer.start({ ...options, ...pods });
  const config = {
    server: new URL(server.url),
    namespace: undefined,
    source: server.kubeconfig,
    user: 'kindwright',
    tls: { ca: { data: new Secret(server.caPem) } },
    auth: { token: new Secret(server.token) },
  };
  return { server, config };
}
