import { Client, loadClusterConfig } from 'kindwright';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorProcess } from './operator-process.js';
import { startSuiteCluster, type SuiteCluster } from './suite-cluster.js';

/** Kubernetes' garbage collector looks for new kinds every 30 s, and knows of no owner before it has found its kind. */
export const GARBAGE_COLLECTED = { timeoutMs: 90_000 };

/** A cluster of its own, a client of it, and one operator that can be killed and started. */
export interface OperatorSuite {
  readonly cluster: SuiteCluster;
  readonly client: Client;
  operator: OperatorProcess;
  start(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Waits until the operator has had the time to react to everything it has seen. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSuite(
  operatorFile: string,
  args: readonly string[] = ['--install'],
): Promise<OperatorSuite> {
  const cluster = await startSuiteCluster();
  const client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  const start = () => OperatorProcess.start(cluster.kubeconfig, [operatorFile, ...args]);
  const suite: OperatorSuite = {
    cluster,
    client,
    operator: await start().started(),
    async start() {
      suite.operator = await start().started();
    },
    async kill() {
      await suite.operator.stop('SIGKILL');
    },
    async restart() {
      await suite.operator.stop();
      await suite.start();
    },
    async quiet() {
      await delay(1000); // the absence of a write cannot be waited for
    },
    async stop() {
      await suite.operator.stop();
      client.close();
      await cluster.stop();
    },
  };
  return suite;
}
