import { inspect } from 'node:util';
import type { ObjectEvent } from '../../api/events/object-event.js';
import { keyOf, objectKey, type ObjectKey } from '../../api/objects/object-key.js';
import { isPriority, type Priority } from '../../api/events/priority.js';
import type { TriggerRun } from '../../api/reconcile/reconcile-observer.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import type { AddOptions } from '../../queue/queue.js';
import type { DaemonTask } from '../../resource/decorators/daemon.js';
import type { InjectionToken } from '../../resource/decorators/inject.js';
import type { SourceContext, SourceKey, SourceRequest } from '../../resource/decorators/source.js';
import type { CacheReader } from '../../resource/mapper.js';
import type { ResourceModel } from '../../resource/model.js';
import type { ProvidedValues } from '../../resource/provided-values.js';
import type { SourceModel } from '../../resource/triggers/source-models.js';
import type { TimerModel } from '../../resource/triggers/timer-models.js';
import type { Enqueue } from '../sources/event-handler.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import { Daemons } from './daemons.js';
import type { DueMethods } from './due-methods.js';
import { ObjectTimers } from './object-timers.js';
import { keysOf, runSource } from './source-runner.js';
import type { TriggerMetrics } from './trigger-metrics.js';
import type { TriggerRecorder } from './trigger-recorder.js';

export interface TriggersOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly enqueue: Enqueue;
  readonly caches: CacheReader;
  readonly provided: ProvidedValues;
  /** Gets the `@Every` methods that are due. */
  readonly due: DueMethods;
  /** False while tasks may not start: `follow` is called for all objects when they may. */
  readonly mayStartTasks: () => boolean;
  /** Calls a `@Daemon` method. */
  readonly callDaemon: (request: ReconcileRequest, method: string, task: DaemonTask) => Promise<void>;
  readonly metrics?: TriggerMetrics | undefined;
  readonly recorder: TriggerRecorder;
}

/**
 * The triggers of a controller other than watches.
 *
 * Order: `follow` each event of the own kind while this process leads, `startSources` when the caches have synced, then
 * `stop`.
 */
export class Triggers {
  private readonly timers: ObjectTimers;
  private readonly daemons: Daemons;
  private readonly stopping = new AbortController();
  private sources: Promise<unknown> | undefined;

  constructor(
    private readonly model: ResourceModel,
    private readonly options: TriggersOptions,
  ) {
    const { clock, logger, metrics, enqueue, recorder } = options;
    this.timers = new ObjectTimers({
      timers: model.timers,
      clock,
      onDue: (key, timer) => {
        this.fire(key, timer);
      },
    });
    this.daemons = new Daemons({
      methods: model.daemons,
      call: options.callDaemon,
      reconcile: (key, source, run) => {
        enqueue(key, triggeredBy(source, run));
      },
      ...{ clock, logger, metrics, recorder },
    });
  }

  /** True while HTTP requests are taken. */
  get isRunning(): boolean {
    return this.sources !== undefined && !this.stopping.signal.aborted;
  }

  /** Starts what runs for an object that appears, and stops it for one that is being deleted. */
  follow(event: ObjectEvent): void {
    const { type, object } = event;
    const key = objectKey(object);
    if (this.stopping.signal.aborted) return;
    if (type === 'delete' || object.metadata.deletionTimestamp !== undefined)
      this.forget(key, 'the object is being deleted');
    else {
      this.startTimers(key, object.metadata.uid ?? '');
      if (this.model.daemons.length > 0 && this.options.mayStartTasks())
        this.daemons.follow(object, type === 'update' && event.isCorrection === true);
    }
  }

  /** Aborts the tasks of all objects; `follow` starts them again. */
  abortTasks(reason: Error): void {
    this.daemons.abortAll(reason);
  }

  /** Stops what runs for objects that another process reconciles now. */
  retain(owns: (key: ObjectKey) => boolean): void {
    for (const key of new Set([...this.timers.keys, ...this.daemons.keys]))
      if (!owns(key)) this.forget(key, 'another process reconciles the object');
  }

  /** The objects with tasks that may not have ended. */
  get busyKeys(): readonly ObjectKey[] {
    return this.daemons.busyKeys;
  }

  /** Starts the sources that are not called by HTTP requests. */
  startSources(): void {
    const { model, options } = this;
    const runner = { ...options, context: this.sourceContext, emit: this.emit };
    const own = model.sources.filter(({ type }) => type !== 'http');
    this.sources = Promise.all(own.map((source) => runSource(source, runner, this.stopping.signal)));
  }

  /** Calls the method of an HTTP source, and returns the number of objects that it names. */
  async receive(source: SourceModel, request: SourceRequest, signal: AbortSignal): Promise<number> {
    const { metrics, recorder } = this.options;
    const path = source.type === 'http' ? source.path : '';
    const facts = { source: source.name, request: { path, headers: request.headers } };
    try {
      const context = { ...this.sourceContext, signal: AbortSignal.any([signal, this.stopping.signal]) };
      return await recorder.during(facts, signal, async (run) => {
        const keys = keysOf(source, await source.call(context, request));
        for (const key of keys) this.emit(key, source.name, run);
        return keys.length;
      });
    } catch (error) {
      metrics?.sourceFailed(source.name);
      throw error;
    }
  }

  /** Resolves when sources and tasks have ended. */
  async stop(reason: Error): Promise<void> {
    this.timers.stop();
    this.stopping.abort(reason);
    await Promise.all([this.daemons.stopAll(reason), this.sources]);
  }

  private get sourceContext(): Omit<SourceContext, 'signal'> {
    const { logger: log, caches: cache, provided } = this.options;
    return { log, cache, inject: <T>(token: InjectionToken<T>): T => provided.get(token) };
  }

  private startTimers(key: ObjectKey, uid: string): void {
    if (this.model.timers.length === 0 || !this.timers.add(key, uid)) return;
    this.options.due.forget(key);
    for (const { method, schedule } of this.model.timers)
      if (method !== undefined && schedule.type === 'interval') this.options.due.add(key, method);
  }

  private forget(key: ObjectKey, why: string): void {
    this.timers.remove(key);
    this.options.due.forget(key);
    this.daemons.stop(key, new Error(why));
  }

  private fire(key: ObjectKey, { name, method }: TimerModel): void {
    if (method !== undefined) this.options.due.add(key, method);
    this.options.metrics?.timerFired(name);
    this.options.enqueue(key, { ...triggeredBy(name), priority: 'low' });
  }

  /** Objects that are not cached are ignored: the source may name them before they exist, or in another namespace. */
  private readonly emit = (named: SourceKey, source: string, run: TriggerRun | undefined): void => {
    const { kind, className } = this.model;
    if (this.stopping.signal.aborted) return;
    const { name, namespace, priority } = readKey(named, `${source} of ${className}`);
    if (kind.scope === 'Namespaced' && namespace === undefined) {
      throw new OperatorError(`${source} of ${className} returned "${name}" without a namespace`, {
        code: 'E_SOURCE',
        hint: `return "default/${name}", or { namespace, name }`,
      });
    }
    const scope = kind.scope === 'Namespaced' ? namespace : undefined;
    this.options.metrics?.sourceEvent(source);
    if (this.options.caches.get(kind, name, scope))
      this.options.enqueue(keyOf(name, scope), { ...triggeredBy(source, run), priority });
  };
}

interface NamedObject {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly priority?: Priority | undefined;
}

/** @throws OperatorError for a value that the compiler would have rejected. */
function readKey(named: unknown, source: string): NamedObject {
  const key = typeof named === 'string' ? splitName(named) : ((named ?? {}) as Partial<NamedObject>);
  const { name, namespace, priority = 'normal' } = key;
  if (typeof name === 'string' && name !== '' && isPriority(priority)) return { name, namespace, priority };
  throw new OperatorError(`${source} returned ${inspect(named)}, which is not a key`, {
    code: 'E_SOURCE',
    hint: 'return "default/a", { namespace, name }, or the metadata of an object',
  });
}

function splitName(text: string): NamedObject {
  const slash = text.indexOf('/');
  return slash < 0
    ? { name: text, namespace: undefined }
    : { name: text.slice(slash + 1), namespace: text.slice(0, slash) };
}

function triggeredBy(source: string, byTrigger?: TriggerRun): AddOptions {
  return { cause: { type: 'trigger', source, ...(byTrigger && { byTrigger }) } };
}
