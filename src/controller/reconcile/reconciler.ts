import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ObjectKey } from '../../api/objects/object-key.js';
import type { OperatorError } from '../../base/operator-error.js';
import { TerminalError } from '../../base/terminal-error.js';
import { thrownError } from '../../base/thrown-error.js';
import type { Context } from '../../resource/context.js';
import type { DaemonTask } from '../../resource/decorators/daemon.js';
import type { ResourceModel } from '../../resource/model.js';
import type { ProvidedValues } from '../../resource/provided-values.js';
import { createInstance, type ReconciledInstance } from '../../resource/instances/reconciled-instance.js';
import type { Result } from '../../resource/result.js';
import { hasRuntimeRules, runtimeProblems } from '../../resource/instances/runtime-problems.js';
import { cacheMutation } from '../run/cache-mutation.js';
import { DeletedObjects, type Deletions } from '../read/deleted-objects.js';
import type { ReconcileScope } from './reconcile-scope.js';
import type { Dependents } from './dependents.js';
import { DiscardedChanges } from './discarded-changes.js';
import type { Pauses } from './pauses.js';
import { FailureRecorder } from './failure-recorder.js';
import type { Finalizers } from './finalizers.js';
import { isTerminatingNamespace, isTransientConflict } from '../run/retry-rules.js';
import type { ContextServices } from '../context/context-services.js';
import { assertInstalledScope } from '../sources/installed-scope.js';
import { LiveContext } from '../context/live-context.js';
import { missingAwait } from '../context/missing-await.js';
import type { DueMethods } from '../triggers/due-methods.js';
import type { Outcome } from '../run/outcome.js';
import { StaleOwnerError } from '../write/owner-check.js';
import { earlierResult, requestedOutcome } from '../run/requested-outcome.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import type { ReconciledCondition } from '../run/reconciled-condition.js';
import { StatusProgress } from '../run/status-progress.js';
import type { StatusWriter } from '../write/status-writer.js';
import { TrackedContext } from '../context/tracked-context.js';
import type { OnDemandWatches } from '../watches/on-demand-watches.js';
import { WriteFencedError } from '../write/write-fence.js';

/** A method of the user's class, as the reconciler calls it. */
type Method = (context: Context) => Promise<Result | void> | Result | void;

/** A `@Daemon` method of the user's class. */
type DaemonMethod = (context: Context, task: DaemonTask) => Promise<void>;

const CHANGE_READ_OBJECT =
  'write with ctx.update(Kind, object, (draft) => …), or change a copy: structuredClone(object)';

export interface ReconcilerParts {
  readonly model: ResourceModel;
  readonly services: ContextServices;
  readonly finalizers: Finalizers;
  readonly statusWriter: StatusWriter;
  readonly condition: ReconciledCondition;
  /** If true, changes that are never written are errors. */
  readonly isStrict: boolean;
  readonly provided: ProvidedValues;
  /** The `@Every` methods to call before the next reconcile of an object. */
  readonly due: DueMethods;
  /** Set for a class with `@Dependent` methods. */
  readonly dependents?: Dependents | undefined;
  /** The watches that reconciles declare. */
  readonly watches?: OnDemandWatches | undefined;
  readonly pauses?: Pauses | undefined;
  /** The deletions that earlier versions of the class have not handled. */
  readonly deletions?: Deletions | undefined;
}

/**
 * Handles one request: reads the object, calls the user's method that fits its state, writes the status.
 *
 * Flow: an existing object is reconciled, with its finalizers in place. A deleting object has its finalizer methods
 * called, and is otherwise left to the garbage collector. A deleted object's last known state is passed to `deleted`.
 */
export class Reconciler {
  private readonly deletedObjects: DeletedObjects;
  private readonly failures: FailureRecorder;
  private readonly hasRuntimeRules: boolean;

  constructor(private readonly parts: ReconcilerParts) {
    const { model, services, condition, statusWriter, deletions } = parts;
    this.deletedObjects = new DeletedObjects(model, services.client, deletions);
    this.failures = new FailureRecorder(services.record, condition, statusWriter, model.controller.maxAttempts);
    this.hasRuntimeRules = hasRuntimeRules(model.fields);
  }

  /** Must be called with the last known state of a deleted object, before its key is handled. */
  recordDeletion(object: ReadonlyDeep<KubeObject>): void {
    this.deletedObjects.add(object, this.parts.finalizers.hasAny(object));
  }

  /** Forgets the deletions of objects that another process reconciles now. */
  retainDeletions(owns: (key: ObjectKey) => boolean): void {
    this.deletedObjects.retain(owns);
  }

  /** Never rejects. */
  async reconcile(request: ReconcileRequest): Promise<Outcome> {
    const outcome = await this.attempt(request);
    this.settleWatches(request, outcome);
    return outcome;
  }

  private async attempt(request: ReconcileRequest): Promise<Outcome> {
    let object: ReadonlyDeep<KubeObject> | undefined;
    try {
      for (const gone of this.deletedObjects.toNotify(request.key)) await this.notifyDeleted(request, gone);
      object = this.find(request.key);
      const result = await (object ? this.handle(request, object) : this.release(request));
      return requestedOutcome(this.parts.model.className, result);
    } catch (thrown) {
      const outcome = failure(request, thrown);
      if (object && 'error' in outcome) await this.failures.attemptFailed(request, this.latest(object), outcome);
      return outcome;
    }
  }

  /** Runs a `@Daemon` method on a copy of the object as it is cached now, if it is not being deleted. */
  async runDaemon(request: ReconcileRequest, method: string, task: DaemonTask): Promise<void> {
    const object = this.find(request.key);
    if (!object || object.metadata.deletionTimestamp !== undefined) return;
    const daemons = this.instanceOf(object) as unknown as Record<string, DaemonMethod>;
    await daemons[method]?.(new TrackedContext(new LiveContext(this.parts.services, request, object), request), task);
  }

  /** Records on the object of a key that its reconcile timed out. Never rejects. */
  async timedOut(request: ReconcileRequest, error: Error): Promise<void> {
    const object = this.find(request.key);
    if (object) await this.failures.record(request, object, 'ReconcileTimedOut', error);
  }

  private find(key: ObjectKey): ReadonlyDeep<KubeObject> | undefined {
    return this.parts.services.caches.getByKey(this.parts.model.kind, key);
  }

  private async handle(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>): Promise<Result | void> {
    const hold = this.parts.pauses?.hold(request, object);
    if (hold) {
      const paused = await hold;
      if (paused) return paused;
    }
    if (object.metadata.deletionTimestamp !== undefined) return this.cleanUp(request, object);
    assertInstalledScope(this.parts.model, object);
    const ready = await this.parts.finalizers.ensure(request, hold ? this.latest(object) : object);
    if (!ready) return undefined;
    const result = await this.call(request, ready, 'reconcile', (instance) => (context) => {
      this.refuseInvalid(instance);
      const run = { owner: ready, instance, context };
      return this.parts.due.has(request.key) ? this.callDue(request, run) : this.callReconcile(run);
    });
    await this.parts.services.creator.ownerVersion.updateOutdated(request, ready);
    return result;
  }

  private async callDue({ key }: ReconcileRequest, run: ReconcileScope): Promise<Result | void> {
    const methods = run.instance as unknown as Record<string, Method>;
    await this.parts.due.run(key, async (method) => {
      await methods[method]?.(run.context);
    });
    return this.callReconcile(run);
  }

  private callReconcile(run: ReconcileScope): Promise<Result | void> | Result | void {
    const { instance, context } = run;
    return this.parts.dependents ? this.callAfterDependents(this.parts.dependents, run) : instance.reconcile?.(context);
  }

  private async callAfterDependents(dependents: Dependents, run: ReconcileScope): Promise<Result | void> {
    const needed = await dependents.reconcile(run);
    const { instance, context } = run;
    const result = await instance.reconcile?.(context);
    return needed ? earlierResult(this.parts.model.className, needed, result) : result;
  }

  /** Checks the rules that a schema cannot express. The error is terminal: a retry needs a changed object. */
  private refuseInvalid(instance: ReconciledInstance): void {
    if (!this.hasRuntimeRules) return;
    const problems = runtimeProblems(this.parts.model.fields, instance);
    if (problems.length === 0) return;
    throw new TerminalError(problems.map(({ field, message }) => `${field}: ${message}`).join('; '));
  }

  /** Runs the finalizer methods up to the first that asks to be called again; its result is returned. */
  private async cleanUp(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>): Promise<Result | void> {
    const pending = this.parts.finalizers.pending(object);
    this.parts.finalizers.reportUndeclared(request, object);
    for (const { name, method } of this.parts.model.finalizers) {
      if (!pending.includes(name)) continue;
      const owner = this.latest(object);
      const result = await this.call(request, owner, method ?? name, (instance) => (context) => {
        if (method === undefined) return this.parts.dependents?.remove({ owner, instance, context });
        const cleaner = instance as unknown as Record<string, Method>;
        return cleaner[method]?.(context);
      });
      if (result?.requeueAfter !== undefined) return result;
    }
    await this.parts.finalizers.remove(request, this.latest(object));
  }

  /** Removes the finalizers of an object that no longer matches the selectors; their methods run only if it is deleted. */
  private async release(request: ReconcileRequest): Promise<Result | void> {
    const object = await this.deletedObjects.readDeparted(request);
    if (object?.metadata.deletionTimestamp === undefined) {
      if (object) await this.parts.finalizers.remove(request, object);
    } else {
      const result = await this.cleanUp(request, object);
      if (result?.requeueAfter !== undefined) return result;
    }
    this.deletedObjects.released(request.key);
  }

  private async notifyDeleted(request: ReconcileRequest, gone: ReadonlyDeep<KubeObject>): Promise<void> {
    const instance = this.instanceOf(gone);
    try {
      await instance.deleted(this.contextOf(request, gone, true));
    } catch (thrown) {
      const error = thrownError(thrown);
      if (!(error instanceof TerminalError)) throw error;
      request.log.error('Reconciler error', { err: error, ...(error.hint !== undefined && { hint: error.hint }) });
    }
    this.deletedObjects.notified(request.key, gone);
  }

  /** Calls a method on a private copy, and writes the status it leaves, also after a throw. */
  private async call(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
    methodName: string,
    methodOf: (instance: ReconciledInstance) => Method,
  ): Promise<Result | void> {
    const instance = this.instanceOf(object);
    const discarded = this.parts.isStrict ? new DiscardedChanges(this.parts.model, instance, methodName) : undefined;
    const context = this.contextOf(request, object);
    const progress = new StatusProgress(this.parts.model, instance, object, this.parts.condition.hasGeneration);
    let result: Result | void;
    let error: OperatorError | undefined;
    if (request.run) request.run.method = methodName;
    try {
      request.onStatusWrite = progress.wrote;
      result = await methodOf(instance)(context);
      error = missingAwait(request, context.runningWrites, this.parts.isStrict);
      if (!error) discarded?.assertNone(progress.read);
    } catch (thrown) {
      await this.writeStatusAfterThrow(request, progress);
      throw (
        cacheMutation(thrownError(thrown), `${this.parts.model.className}.${methodName}`, CHANGE_READ_OBJECT) ?? thrown
      );
    }
    const status = progress.desired;
    const { metadata } = object;
    const isSuccess = error === undefined && metadata.deletionTimestamp === undefined;
    await this.writeStatus(
      request,
      progress.read,
      isSuccess ? this.parts.condition.succeeded(status, metadata) : status,
    );
    if (error) throw error;
    return result;
  }

  /** A private copy, with injected values. */
  private instanceOf(object: ReadonlyDeep<KubeObject>): ReconciledInstance {
    const instance = createInstance(this.parts.model, object);
    this.parts.provided.inject(this.parts.model, instance);
    return instance;
  }

  private contextOf(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>, isDeleted = false): TrackedContext {
    return new TrackedContext(
      new LiveContext(this.parts.services, request, object, this.parts.watches, isDeleted),
      request,
    );
  }

  private settleWatches(request: ReconcileRequest, outcome: Outcome): void {
    const { key, isAborted } = request;
    if (!this.parts.watches?.has(key)) return;
    const isRequested = outcome.type === 'requeue' && outcome.reason === 'requested';
    const isSuccess = isRequested || outcome.type === 'done' || outcome.type === 'requeueAfter';
    if (this.find(key)) this.parts.watches.settle(key, isSuccess && !isAborted);
    else this.parts.watches.drop(key);
  }

  private async writeStatus(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
    status: unknown,
  ): Promise<void> {
    request.onStatusWrite = undefined;
    if (this.parts.model.hasStatus)
      await this.parts.statusWriter.write(request, { read: object, latest: () => this.latest(object) }, status);
  }

  private async writeStatusAfterThrow(request: ReconcileRequest, progress: StatusProgress): Promise<void> {
    if (request.isAborted) return;
    try {
      await this.writeStatus(request, progress.read, progress.desired);
    } catch (error) {
      request.log.warn('Status could not be written after a failed reconcile', { err: error });
    }
  }

  /** The state that this run's own writes have led to; never that of a successor with the same name. */
  private latest(object: ReadonlyDeep<KubeObject>): ReadonlyDeep<KubeObject> {
    const { name, namespace, uid } = object.metadata;
    const cached = this.parts.services.caches.find(this.parts.model.kind, name, namespace);
    return cached && cached.metadata.uid === uid ? cached : object;
  }
}

function failure(request: ReconcileRequest, thrown: unknown): Outcome {
  const error = thrownError(thrown);
  if (request.isAborted || error instanceof WriteFencedError) return { type: 'aborted' };
  if (isTransientConflict(error, request.conflicts) || error instanceof StaleOwnerError)
    return { type: 'requeue', reason: 'conflict', why: error.message };
  if (error instanceof TerminalError) return { type: 'terminal', error };
  if (isTerminatingNamespace(error)) return { type: 'requeue', reason: 'terminating', why: error.message };
  return { type: 'failed', error };
}
