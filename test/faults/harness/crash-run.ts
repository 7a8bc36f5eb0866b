import { type Client, type KindLike, Namespace, ServiceAccount, toKindRef } from 'kindwright';
import { OperatorProcess } from '../../e2e/operator-process.js';
import { historyOf, type History } from '../oracles/history.js';
import type { FaultProxy } from '../proxy/fault-proxy.js';
import type { Fault } from '../proxy/fault.js';
import { isWrite } from '../proxy/proxied-call.js';
import type { FaultCluster } from './fault-cluster.js';

/** The arguments of a scenario. */
export interface Stage {
  readonly admin: Client;
  readonly namespace: string;
}

/** What users do with the kind of one operator, step by step. */
export interface Scenario {
  /** The file in `operators/`, without extension. */
  readonly operator: string;
  /** The kinds whose objects are compared between two runs. */
  readonly kinds: readonly KindLike[];
  /** Waits after each step until the operator has reacted to it. */
  readonly play: (stage: Stage) => Promise<void>;
  /** Called when the operator has been killed. */
  readonly cleanUp?: (stage: Stage) => Promise<void>;
}

/** At which write the operator is killed, and on which side of the response. */
export interface Crash {
  /** From 1. */
  readonly write: number;
  /** `before`: the write is stored, and its response is lost. */
  readonly moment: 'before' | 'after';
}

export interface Course {
  readonly history: History;
  /** How many writes the operator sent. */
  readonly writes: number;
}

/** Time for an operator to receive a response; it cannot write any more. */
const RECEIVE_MS = 30;

/** One run of a scenario: an operator as a process, behind a proxy of its own, in a namespace of its own. */
export class CrashRun {
  private operator: OperatorProcess | undefined;
  private crashed: Promise<void> | undefined;

  private constructor(
    private readonly cluster: FaultCluster,
    private readonly scenario: Scenario,
    private readonly namespace: string,
    private readonly proxy: FaultProxy,
    private readonly kubeconfig: string,
  ) {}

  /** Runs the scenario, and kills and restarts the operator once if a crash is given. */
  static async play(cluster: FaultCluster, scenario: Scenario, namespace: string, crash?: Crash): Promise<Course> {
    const { metadata } = await cluster.admin.create(Namespace, { metadata: { name: namespace } });
    await cluster.admin.create(ServiceAccount, { metadata: { name: 'default', namespace } });
    const proxy = await cluster.proxy();
    const run = new CrashRun(cluster, scenario, namespace, proxy, await cluster.kubeconfigFor(proxy.url));
    try {
      return await run.play(metadata.resourceVersion ?? '', crash);
    } finally {
      await run.end();
    }
  }

  private get stage(): Stage {
    return { admin: this.cluster.admin, namespace: this.namespace };
  }

  private async play(since: string, crash: Crash | undefined): Promise<Course> {
    const { cluster, scenario, namespace, proxy } = this;
    const kinds = scenario.kinds.map((kind) => toKindRef(kind));
    if (crash) this.prepare(crash);
    this.startOperator();
    await scenario.play(this.stage);
    const history = await historyOf(cluster.admin, { kinds, namespace, since });
    if (crash && !this.crashed) throw new Error(`there was no write ${crash.write}`);
    await this.crashed;
    return { history, writes: proxy.writes.length };
  }

  private startOperator(): void {
    const { operator } = this.scenario;
    const args = [`operators/${operator}.ts`, '--namespace', this.namespace, '--no-preflight'];
    this.operator = OperatorProcess.start(this.kubeconfig, args);
  }

  private prepare({ write, moment }: Crash): void {
    let isDying = false;
    this.proxy.inject({ where: isWrite }, { request: async () => (isDying ? 'hang' : undefined) });
    const crash = (delayMs: number): void => {
      isDying = true;
      this.crashed = this.restart(delayMs).then(() => {
        isDying = false;
      });
    };
    const fault: Fault = {
      response: async (_call, reply) => {
        crash(moment === 'before' ? 0 : RECEIVE_MS);
        return moment === 'before' ? 'hang' : reply;
      },
    };
    this.proxy.inject({ where: isWrite }, fault, { from: write, times: 1 });
  }

  private async restart(delayMs: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await this.operator?.stop('SIGKILL');
    this.startOperator();
  }

  private async end(): Promise<void> {
    await this.crashed;
    await this.operator?.stop('SIGKILL');
    await this.proxy.close();
    await this.scenario.cleanUp?.(this.stage);
  }
}
