import { Worker } from 'node:worker_threads';
import { OperatorError } from '../../base/operator-error.js';
import { thrownError } from '../../base/thrown-error.js';
import type { Plan } from '../plan/plan.js';
import type { History } from '../record/history.js';

/** Lives of the operator after which a worker is replaced: modules that Node has loaded are never freed. */
const MOST_LIVES = 1000;
/** CPU time of the process, and real time, without a step after which the user's code is taken to loop without end. */
const ENDLESS_MS = 5000;
/** Real time without a step after which the user's code is taken to wait without end; longer than a busy machine stalls. */
const STALLED_MS = 60_000;
const CHECK_MS = 500;

interface Reply {
  readonly id?: number;
  readonly history?: History;
  readonly error?: unknown;
  readonly lives?: number;
}

export interface PlanRunOptions {
  /** Record the lines of the user's code that read and write. Takes longer. */
  readonly isTraced?: boolean;
}

/** The message that starts a run in the worker. */
export interface RunRequest {
  readonly id: number;
  readonly plan: Plan;
  /** Record the lines of the user's code. */
  readonly isTraced: boolean;
}

interface Pending {
  readonly plan: Plan;
  resolve(history: History): void;
  reject(error: unknown): void;
}

/**
 * Runs plans for the operators in files, in a worker thread of its own: there, time, timers and random values are those of
 * the plan, and the user's modules are loaded again for each life of the operator.
 *
 * Concurrency: one plan runs at a time; `run` may be called again before, and plans then run in the order of the calls. Use
 * several simulations for several processors.
 * Guarantees: the same plan gives the same history, whatever ran before.
 *
 * @example
 * await using simulation = await Simulation.load(['/project/operators/podset.ts']);
 * const history = await simulation.run({ seed: 1, given: [], workload, faults: [], replicas: 1, nodes: 2, schedule: 'first' });
 */
export class Simulation implements AsyncDisposable {
  private readonly pending = new Map<number, Pending>();
  private readonly counter = new Int32Array(new SharedArrayBuffer(4));
  private worker: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private lives = 0;
  private ids = 0;

  private constructor(private readonly files: readonly string[]) {}

  /**
   * Loads the operators of files.
   *
   * @param files - absolute paths of the modules that export the classes
   * @throws what the files throw when they are loaded, such as the ModelError of a class with mistakes
   */
  static async load(files: readonly string[]): Promise<Simulation> {
    const simulation = new Simulation(files);
    await simulation.begin();
    return simulation;
  }

  /**
   * Runs a plan and returns everything that happened. The faults of the plan, the operator's errors and endless loops in its
   * code are part of the history.
   *
   * @throws OperatorError for a fault with an unknown name; Error if the simulation itself fails.
   */
  run(plan: Plan, { isTraced = false }: PlanRunOptions = {}): Promise<History> {
    const result = this.last.then(() => this.runNow(plan, isTraced));
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Ends the worker thread. */
  async close(): Promise<void> {
    await this.worker?.terminate();
    this.worker = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async runNow(plan: Plan, isTraced: boolean): Promise<History> {
    if (this.lives >= MOST_LIVES) await this.close();
    const worker = this.worker ?? (await this.begin());
    const id = this.ids++;
    const watch = this.watch(worker, plan, id);
    try {
      return await new Promise<History>((resolve, reject) => {
        this.pending.set(id, { plan, resolve, reject });
        worker.postMessage({ id, plan, isTraced } satisfies RunRequest);
      });
    } finally {
      clearInterval(watch);
      this.pending.delete(id);
    }
  }

  /** Ends the worker when a step of the plan does not end. */
  private watch(worker: Worker, plan: Plan, id: number): NodeJS.Timeout {
    let seen = -1;
    let sinceMs = performance.now();
    let cpu = process.cpuUsage();
    return setInterval(() => {
      const now = Atomics.load(this.counter, 0);
      const waitedMs = performance.now() - sinceMs;
      const usedMs = process.cpuUsage(cpu).user / 1000;
      if (now !== seen) {
        seen = now;
        sinceMs = performance.now();
        cpu = process.cpuUsage();
      } else if (Math.min(waitedMs, usedMs) > ENDLESS_MS || waitedMs > STALLED_MS) {
        this.worker = undefined;
        void worker.terminate();
        this.pending.get(id)?.resolve(endless(plan));
      }
    }, CHECK_MS);
  }

  private begin(): Promise<Worker> {
    this.lives = 0;
    const beats = this.counter.buffer;
    const worker = new Worker(new URL('../worker/worker.js', import.meta.url), {
      workerData: { files: this.files, beats },
    });
    worker.unref();
    return new Promise((resolve, reject) => {
      worker.once('message', ({ error }: Reply) => {
        if (error !== undefined) {
          void worker.terminate();
          reject(thrownError(error));
          return;
        }
        this.worker = worker;
        worker.on('message', (reply: Reply) => {
          this.settle(reply);
        });
        resolve(worker);
      });
      worker.on('error', (error) => {
        reject(thrownError(error));
        this.worker = undefined;
        for (const pending of this.pending.values()) pending.reject(error);
      });
    });
  }

  private settle({ id = -1, history, error, lives = 0 }: Reply): void {
    this.lives = lives;
    const pending = this.pending.get(id);
    if (history) pending?.resolve(history);
    else pending?.reject(error instanceof Error ? error : new OperatorError(String(error), { code: 'E_SIMULATION' }));
  }
}

/** The history of a run that was ended because a step did not end. */
function endless(plan: Plan): History {
  const nothing = { at: 0, isQuiet: false, objects: [] };
  const breakdown = {
    at: 0,
    actor: { type: 'operator', name: 'operator-1' },
    reason: 'endless step',
    message: `the operator did not return to the event loop within ${ENDLESS_MS / 1000} s`,
  } as const;
  return {
    plan,
    commits: [],
    requests: [],
    reconciles: [],
    deliveries: [],
    steps: [],
    calm: nothing,
    breakdowns: [breakdown],
    fired: [],
    definedKinds: [],
    ownedKinds: [],
    fieldManagers: [],
    hash: '',
  };
}
