import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const GRACE_MS = 10_000;
const RECONCILES = 'controller_runtime_reconcile_total';

/** An operator in its own process, with metrics under the names of controller-runtime. */
export class RunningOperator {
  private readonly child: ChildProcess;
  private readonly metricsAddress: string;

  constructor([program, ...args]: readonly [string, ...string[]], kubeconfig: string, metricsAddress: string) {
    this.metricsAddress = metricsAddress;
    const env = { ...process.env, KUBECONFIG: kubeconfig, NODE_ENV: 'production' };
    // Detached: Ctrl-C ends the benchmark, which then stops the operator.
    this.child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
    this.child.on('error', () => undefined); // shows as a process that does not run
  }

  /** @throws Error when the process has ended by itself. */
  get pid(): number {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) {
      throw new Error(`the operator ended with ${signalCode ?? `exit code ${exitCode ?? 'unknown'}`}`);
    }
    return pid;
  }

  /** Returns whether it has finished at least `count` reconciles, and has none to do. */
  async hasReconciled(count: number): Promise<boolean> {
    try {
      const text = await this.metrics();
      return sum(text, RECONCILES) >= count && sum(text, 'workqueue_depth') === 0;
    } catch {
      return false; // it does not serve metrics yet
    }
  }

  /** Returns the number of reconciles so far. */
  async reconciles(): Promise<number> {
    return sum(await this.metrics(), RECONCILES);
  }

  async stop(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), GRACE_MS);
    await exit;
    clearTimeout(timer);
  }

  private async metrics(): Promise<string> {
    return (await fetch(`http://${this.metricsAddress}/metrics`)).text();
  }
}

function sum(text: string, metric: string): number {
  const values = text.matchAll(new RegExp(`^${metric}(?:{[^}]*})? (\\S+)$`, 'gm'));
  return [...values].reduce((total, [, value]) => total + Number(value), 0);
}
