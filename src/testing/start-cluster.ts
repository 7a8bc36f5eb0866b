import type { Clock } from '../base/clock.js';
import { silentLogger, type Logger } from '../base/logger.js';
import { SystemClock } from '../base/system-clock.js';
import { Client } from '../client/client.js';
import { loadClusterConfig } from '../client/cluster-config.js';
import type { Cluster } from './cluster.js';
import type { TestServer } from './test-server.js';

export interface StartClusterOptions {
  /**
   * etcd and kube-apiserver from the folder in `KUBEBUILDER_ASSETS`, instead of the embedded server. Default: if that
   * variable is set.
   *
   * No controllers run there: a Deployment gets no pods, and nothing is collected by owner references.
   */
  readonly real?: boolean;
  /**
   * The time of the operators and of the embedded server; default: the machine's. A FakeClock stands still until it is
   * advanced: back-off, `requeueAfterMs` and delays of pods then wait for that.
   */
  readonly clock?: Clock;
  /** What operators and server log; default: nothing. */
  readonly logger?: Logger;
  /** Nodes of the embedded server: how many, or their names. Default 2. */
  readonly nodes?: number | readonly string[];
  /** Time a pod of the embedded server takes from its creation to Running. Default 0. */
  readonly podStartDelayMs?: number;
}

/**
 * Starts a cluster of its own for a test: an API server in this process, with nothing in it yet.
 *
 * @throws OperatorError naming the programs that are missing, when it is to be a real one.
 */
export async function startCluster(options: StartClusterOptions = {}): Promise<Cluster> {
  const { clock = new SystemClock(), logger = silentLogger } = options;
  const [server, { Cluster }] = await Promise.all([startServer(options), import('./cluster.js')]);
  try {
    const client = new Client(await loadClusterConfig({ kubeconfig: server.kubeconfig, env: {} }), { logger });
    return new Cluster(client, server, { clock, logger });
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startServer(options: StartClusterOptions): Promise<TestServer> {
  const assets = process.env['KUBEBUILDER_ASSETS'] ?? '';
  const { real = assets !== '', ...rest } = options;
  if (real) {
    const { RealServer } = await import('./real-server.js');
    return RealServer.start(assets);
  }
  const { EmbeddedApiServer } = await import('../apiserver/embedded-api-server.js');
  return EmbeddedApiServer.start(rest);
}
