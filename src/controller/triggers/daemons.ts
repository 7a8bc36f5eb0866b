import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { objectKey, type ObjectKey } from '../../api/objects/object-key.js';
import type { TriggerRun } from '../../api/reconcile/reconcile-observer.js';
import { Backoff } from '../../base/backoff.js';
import { sleep, type Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { thrownError } from '../../base/thrown-error.js';
import type { DaemonTask } from '../../resource/decorators/daemon.js';
import { ReconcileRequest } from '../run/reconcile-request.js';
import { isSameApartFromStatus } from '../../api/objects/same-object.js';
import type { TriggerMetrics } from './trigger-metrics.js';
import type { TriggerRecorder } from './trigger-recorder.js';

export interface DaemonsOptions {
  /** The `@Daemon` methods. */
  readonly methods: readonly string[];
  /** Calls a method on a copy of the object as it is now; resolves immediately if the object is deleted. */
  readonly call: (request: ReconcileRequest, method: string, task: DaemonTask) => Promise<void>;
  readonly reconcile: (key: ObjectKey, source: string, run: TriggerRun | undefined) => void;
  readonly recorder: TriggerRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: TriggerMetrics | undefined;
}

interface ObjectTasks {
  /** The object as it was when the tasks were started. */
  readonly object: ReadonlyDeep<KubeObject>;
  readonly stopping: AbortController;
  readonly ended: Promise<unknown>;
}

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
/** After this time a task that has not ended is reported. */
const SLOW_END_MS = 10_000;

/**
 * The tasks of the `@Daemon` methods of all objects of a kind.
 *
 * The tasks of an object start when those of its earlier state, or of an earlier object of that name, have ended.
 */
export class Daemons {
  private readonly tasksByKey = new Map<ObjectKey, ObjectTasks>();
  /** Stopped tasks that have not ended, by object. */
  private readonly endingByKey = new Map<ObjectKey, Promise<unknown>>();

  constructor(private readonly options: DaemonsOptions) {}

  /**
   * Starts the tasks of an object, unless they run for this state of its spec. After a correction of the cache, another
   * spec may have the same generation.
   */
  follow(object: ReadonlyDeep<KubeObject>, isCorrection = false): void {
    const key = objectKey(object);
    const present = this.tasksByKey.get(key)?.object;
    if (present && (isCorrection ? isSameApartFromStatus : hasSameSpec)(present, object)) return;
    const isReplaced = present?.metadata.uid !== object.metadata.uid;
    this.stop(key, new Error(isReplaced ? 'the object was replaced' : 'the spec has changed'));
    const stopping = new AbortController();
    const previous = this.endingByKey.get(key) ?? Promise.resolve();
    const ended = Promise.all(
      this.options.methods.map(async (method) => {
        await previous;
        await this.run(key, method, stopping.signal);
      }),
    );
    this.tasksByKey.set(key, { object, stopping, ended });
  }

  /** The objects with tasks that have not been stopped. */
  get keys(): Iterable<ObjectKey> {
    return this.tasksByKey.keys();
  }

  /** The objects with tasks that may not have ended. */
  get busyKeys(): ObjectKey[] {
    return [...this.tasksByKey.keys(), ...this.endingByKey.keys()];
  }

  /** Aborts the tasks of an object. */
  stop(key: ObjectKey, reason: Error): void {
    const tasks = this.tasksByKey.get(key);
    if (!tasks) return;
    this.tasksByKey.delete(key);
    const { clock, logger } = this.options;
    const cancel = clock.schedule(SLOW_END_MS, () => {
      logger.warn('A @Daemon task does not end after its signal was aborted; no other is started for the object', {
        key,
        hint: 'pass task.signal to the calls that the task waits for',
      });
    });
    const ended = tasks.ended.then(() => {
      cancel();
      if (this.endingByKey.get(key) === ended) this.endingByKey.delete(key);
    });
    this.endingByKey.set(key, ended);
    tasks.stopping.abort(reason);
  }

  /** Aborts all tasks. */
  abortAll(reason: Error): void {
    for (const key of [...this.tasksByKey.keys()]) this.stop(key, reason);
  }

  /** Aborts all tasks; resolves when they have ended. */
  async stopAll(reason: Error): Promise<void> {
    this.abortAll(reason);
    await Promise.all(this.endingByKey.values());
  }

  /** Runs one task until it returns or is aborted. Never rejects. */
  private async run(key: ObjectKey, method: string, signal: AbortSignal): Promise<void> {
    const { clock, metrics, logger } = this.options;
    const name = `@Daemon ${method}`;
    const backoff = new Backoff(
      {
        initialMs: FIRST_RETRY_MS,
        maxMs: LONGEST_RETRY_MS,
        factor: 2,
        jitter: 0.2,
        resetAfterMs: 2 * LONGEST_RETRY_MS,
      },
      () => clock.monotonic(),
    );
    for (let isDone = false; !isDone && !signal.aborted;) {
      const request = new ReconcileRequest(key, logger);
      const abort = (): void => {
        request.abort(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      metrics?.daemonTasks(name, 1);
      try {
        await this.options.recorder.during({ source: name, key }, signal, (run) =>
          this.options.call(request, method, this.taskOf(key, name, signal, run)),
        );
        isDone = true;
      } catch (error) {
        await this.retryLater(request, name, thrownError(error), backoff.next(), signal);
      } finally {
        metrics?.daemonTasks(name, -1);
        signal.removeEventListener('abort', abort);
      }
    }
  }

  private async retryLater(
    { log }: ReconcileRequest,
    name: string,
    err: Error,
    delayMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return;
    this.options.metrics?.daemonFailed(name);
    log.error(`${name} failed and is started again`, { err, delayMs: Math.round(delayMs) });
    await sleep(this.options.clock, delayMs, signal).catch(() => undefined);
  }

  private taskOf(key: ObjectKey, name: string, signal: AbortSignal, run: TriggerRun | undefined): DaemonTask {
    return {
      signal,
      reconcile: () => {
        if (!signal.aborted) this.options.reconcile(key, name, run);
      },
      sleep: (ms) => sleep(this.options.clock, ms, signal),
    };
  }
}

/** Kinds such as ConfigMap and Node have no generation: all of their objects but the status counts as spec. */
function hasSameSpec(a: ReadonlyDeep<KubeObject>, b: ReadonlyDeep<KubeObject>): boolean {
  const [before, after] = [a.metadata, b.metadata];
  if (before.uid !== after.uid) return false;
  if (before.generation !== undefined || after.generation !== undefined) return before.generation === after.generation;
  return isSameApartFromStatus(a, b);
}
