import { Client, loadClusterConfig } from 'kindwright';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorProcess } from './operator-process.js';
import { OperatorAccount } from './operator-account.js';
import { restartGarbageCollector, startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';
import { limitTests } from '../time-limits.js';

// Operators are processes, and garbage is collected within.
limitTests(120_000);

/** The garbage collector of Kubernetes waits up to 30 s before it tries again what has failed. */
export const GARBAGE_COLLECTED = { timeout: '90s' };

/** A cluster of its own, a client of it, and one operator with its generated rights that can be killed and started. */
export interface OperatorSuite {
  /** The administrator's. */
  readonly client: Client;
  readonly account: OperatorAccount;
  operator: OperatorProcess;
  start(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Waits until the operator has had the time to react to everything it has seen. */
  quiet(): Promise<void>;
  /** Rejects if the operator has reported a hot loop. */
  stop(): Promise<void>;
}

export async function startSuite(name: string): Promise<OperatorSuite> {
  const cluster: SuiteControlPlane = await startSuiteControlPlane({ audit: true });
  const client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  const account = await OperatorAccount.install(cluster, client, name);
  await restartGarbageCollector(cluster);
  const operators: OperatorProcess[] = [];
  const start = () => {
    const operator = OperatorProcess.start(account.kubeconfig, [`operators/${name}.ts`]);
    operators.push(operator);
    return operator;
  };
  const suite: OperatorSuite = {
    client,
    account,
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
      const loops = operators.flatMap(({ messages }) => messages.filter((message) => message.startsWith('Hot loop')));
      if (loops.length > 0) throw new Error(loops.join('\n'));
    },
  };
  return suite;
}
