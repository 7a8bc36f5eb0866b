import type { KindRef } from '../kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../objects/kube-object.js';
import type { ObjectEvent } from '../events/object-event.js';
import type { ObjectKey } from '../objects/object-key.js';

/** Identity of one reconcile. */
export interface RunRef {
  /** The `reconcileID` of its log lines. */
  readonly id: string;
  readonly controller: string;
  /** The cluster of the object; undefined for the operator's own. */
  readonly cluster?: string | undefined;
  /** The reconciled object. */
  readonly key: ObjectKey;
}

/** The reason why a key was added to the queue of a controller. */
export type Cause =
  /** An object of the first list of a watch. */
  | { readonly type: 'initial'; readonly source: string }
  | EventCause
  | TriggerCause
  /** The previous run returned `requeueAfter`. */
  | { readonly type: 'timer'; readonly delayMs: number }
  /** The previous run is retried with back-off; `attempt` is the number of the new run, starting at 2. */
  | { readonly type: 'retry'; readonly reason: RetryReason; readonly delayMs: number; readonly attempt: number };

/**
 * A timer of `@Every`, a `@Source` or a `@Daemon`, with its method as `source`; a kind of `ctx.watch` that the server does
 * not serve any more; or new code of the class.
 */
export interface TriggerCause {
  readonly type: 'trigger';
  readonly source: string;
  /** The run of the source or the task; undefined for a timer. */
  readonly byTrigger?: TriggerRun | undefined;
}

/** A retry is `requested` by `requeueAfter: 0`. */
export type RetryReason = 'error' | 'conflict' | 'requested' | 'aborted';

/** A change reported by a watch, or taken over by the cache from the response of an own write. */
export interface EventCause {
  readonly type: 'event';
  /** The decorator that subscribed to the event: `@Owns(Deployment)`, `@Watches(Pod)`, or the reconciled kind. */
  readonly source: string;
  readonly kind: KindRef;
  readonly event: ObjectEvent;
  /** The reconcile of this process that wrote the change; set when the key is taken from the queue, or at the end of the run if its response comes later. */
  byRun?: RunRef;
}

/** Common members of the recorded calls of a reconcile. An operation is added when it begins and completed when it ends. */
interface OpBase {
  /** In milliseconds of the clock's monotonic time. */
  readonly startMs: number;
  /** Undefined while the call is running. */
  ms?: number;
  error?: Error;
}

/** Common members of reads and writes. */
interface CallBase extends OpBase {
  /**
   * The call of user code, such as `operators/podset.ts:31:7`; its location is found when it is read. Not set for a status;
   * set for reads only if an observer needs it.
   */
  caller?: { readonly location: string | undefined };
}

/** A read of one object. */
export interface GetOp extends CallBase {
  readonly do: 'get';
  readonly kind: KindRef;
  readonly key: ObjectKey;
  readonly from: 'cache' | 'server';
  found?: ReadonlyDeep<KubeObject>;
}

/** A read of several objects. */
export interface ListOp extends CallBase {
  readonly do: 'list';
  readonly kind: KindRef;
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  readonly from: 'cache' | 'server';
  found?: readonly ReadonlyDeep<KubeObject>[];
}

/** A write; `status` is any write of the subresource `status`. */
export interface WriteOp extends CallBase {
  readonly do: 'apply' | 'create' | 'update' | 'patch' | 'delete' | 'status';
  readonly kind: KindRef;
  readonly key: ObjectKey;
  /** The cached object at the start of the write; undefined when it is missing, or when the kind is not cached. */
  readonly before: ReadonlyDeep<KubeObject> | undefined;
  /** The object as the server returned it, or the cached one for a skipped write. */
  after?: ReadonlyDeep<KubeObject>;
  /** True when no request was sent because the object is already as desired. */
  readonly isSkipped?: true;
}

/** A message of `ctx.event`. */
export interface EventOp extends OpBase {
  readonly do: 'event';
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** A call of the context in a reconcile. */
export type Op = GetOp | ListOp | WriteOp | EventOp;

/** The end of a reconcile. */
export interface End {
  readonly ms: number;
  readonly outcome: 'done' | 'requeueAfter' | 'requeue' | 'aborted' | 'failed' | 'terminal' | 'timeout';
  readonly error?: Error;
  /** Time until the retry or the requested requeue. */
  readonly nextMs?: number;
}

/** One reconcile. All objects in it are shared with the cache and must not be changed. */
export interface Run extends RunRef {
  /** The first causes since the key was last taken, at most 8. */
  readonly causes: readonly Cause[];
  /** Number of causes beyond those. */
  readonly causesOmitted: number;
  /** 1, or more after failures. */
  readonly attempt: number;
  readonly startMs: number;
  readonly ops: readonly Op[];
  /**
   * The name of the user's method that was called last: `reconcile`, or that of a finalizer. Undefined before.
   *
   * @internal
   */
  readonly method?: string;
  /** Undefined while it is running. */
  readonly end?: End;
}

/** One call of a `@Source` method, or of a `@Daemon` method for an object. */
export interface TriggerRun {
  readonly controller: string;
  /** The cluster of the objects; undefined for the operator's own. */
  readonly cluster?: string | undefined;
  /** The decorator, with its method. */
  readonly source: string;
  /** The object of a task; undefined for a source. */
  readonly key?: ObjectKey | undefined;
  /** The authenticated request that has called a source; undefined for other sources. */
  readonly request?: { readonly path: string; readonly headers: RequestHeaders } | undefined;
  readonly startMs: number;
  /** Undefined while it is running. An abort is not an error. */
  readonly end?: { readonly ms: number; readonly error?: Error };
}

/** Reconciles of an object that trigger each other without end. */
export interface HotLoopReport {
  /** The last of them. */
  readonly run: RunRef;
  readonly cause: 'own write' | 'second writer' | 'timer';
  /** One sentence. */
  readonly message: string;
  /** The next step of the user. */
  readonly hint: string;
  /**
   * The line of user code that writes the field, such as `operators/podset.ts:31:7`. For a status and a timer that of the
   * method, `reconcile` or a finalizer; undefined if it is not known.
   */
  readonly location?: string | undefined;
  /** The field that changes in each of them. */
  readonly change?:
    | {
        readonly kind: KindRef;
        readonly key: ObjectKey;
        readonly path: readonly (string | number)[];
        readonly from: unknown;
        readonly to: unknown;
      }
    | undefined;
}

/** In lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Observes the reconciles of a manager, for tests and tools.
 *
 * Called synchronously on the hot path: a method must be fast, and must not change what it is given. An error that it
 * throws is logged and otherwise ignored.
 */
export interface ReconcileObserver {
  /**
   * False if the observer uses no reads of `Run.ops`; then they are not recorded. `located` if it uses the lines of user
   * code that read, which takes longer. Default true.
   *
   * @internal
   */
  readonly needsReads?: boolean | 'located';
  /** Called when a reconcile begins; its operations are added to `run.ops` while it runs. */
  began?(run: Run): void;
  /**
   * Called after `began`; must call `reconcile` once before it returns, for example with `AsyncLocalStorage.run`.
   * Otherwise `reconcile` is called after it.
   */
  within?(run: Run, reconcile: () => void): void;
  /** Called when a reconcile has ended; `run.end` is set. */
  ended?(run: Run): void;
  /** Called once for each hot loop that is found, with the text of its log line. */
  hotLoop?(report: HotLoopReport): void;
  /** Called when a `@Source` or `@Daemon` method is called. */
  triggerBegan?(run: TriggerRun): void;
  /** Called after `triggerBegan`; must call `call` once before it returns, as `within` does. */
  withinTrigger?(run: TriggerRun, call: () => void): void;
  /** Called when a `@Source` or `@Daemon` method has ended; `run.end` is set. */
  triggerEnded?(run: TriggerRun): void;
}
