import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { kindKey, resourceName } from '../../api/kinds/kind-ref.js';
import { keyOf } from '../../api/objects/object-key.js';
import type { Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import { TerminalError } from '../../base/terminal-error.js';
import { thrownError } from '../../base/thrown-error.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Context } from '../../resource/context.js';
import type { DependentObjects } from '../../resource/decorators/dependent.js';
import type { DependentModel } from '../../resource/kinds/dependents.js';
import type { CustomResource } from '../../resource/custom-resource.js';
import type { ResourceModel } from '../../resource/model.js';
import type { Result } from '../../resource/result.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import { DependentDeletions } from './dependent-deletions.js';
import { DependentWrites } from './dependent-writes.js';
import { DependentsCondition, isNoFailure, type DependentState } from './dependents-condition.js';
import type { ReconcileScope } from './reconcile-scope.js';
import type { OptionalKinds } from '../read/optional-kinds.js';

/** The interval of asking `deleteWhen` again, in case it depends on more than owned objects. */
const DELETE_RETRY_MS = 30_000;
/**
 * The interval of applying objects of a kind that the server did not serve, until its watch ends. If the kind is installed
 * again before, nothing else reports it.
 */
const ABSENT_RETRY_MS = 2_000;

type Methods = Readonly<
  Record<string, (ctx: Context) => DependentObjects<KubeObject> | Promise<DependentObjects<KubeObject>>>
>;

/**
 * Applies what the `@Dependent` methods of a class return, and deletes what they no longer return.
 *
 * Flow: each method is called once the objects of all methods that it depends on are ready; independent ones run
 * concurrently. Afterwards, objects with the annotation of a method that this owner owns and that the method did not
 * return are deleted, those of dependent methods first.
 * Guarantees: without knowing what is desired, because a method failed or waits, nothing of it is deleted. All requests
 * have ended when a call resolves or rejects.
 * Errors: rejects with an error of a method after all others have ended; with one that can be retried, if there is any.
 */
export class Dependents {
  private readonly condition: DependentsCondition;
  private readonly deletions: DependentDeletions;
  private readonly writes: DependentWrites;
  /** Methods before those that depend on them. */
  private readonly ordered: readonly DependentModel[];

  constructor(
    private readonly model: ResourceModel,
    caches: CachedKinds,
    clock: Clock,
    private readonly optionalKinds: Pick<OptionalKinds, 'isServed'>,
  ) {
    this.condition = new DependentsCondition(model, clock);
    this.ordered = inOrder(model.dependents);
    this.deletions = new DependentDeletions(this.ordered, caches, optionalKinds);
    this.writes = new DependentWrites(model.kind);
  }

  /** Returns when to call again, if `deleteWhen` has kept an object, or a kind was removed that is still watched. */
  async reconcile(run: ReconcileScope): Promise<Result | undefined> {
    const states = new Map<string, Promise<DependentState>>();
    const claims = new Map<string, string>();
    for (const dependent of this.ordered) states.set(dependent.method, this.stateOf(run, dependent, states, claims));
    const settled = new Map<string, DependentState>();
    for (const [method, state] of states) settled.set(method, await state);
    const { kept } = await this.deletions.run(run, settled);
    this.condition.set(userObject(run), settled, kept, run.owner.metadata.generation);
    throwFailure(run, settled);
    if ([...settled.values()].some((state) => state.type === 'absent' && this.optionalKinds.isServed(state.kind)))
      return { requeueAfter: ABSENT_RETRY_MS };
    const isPolled = [...settled.values()].some((state) => state.type === 'unready' && state.wait?.isPolled);
    return kept.size > 0 || isPolled ? { requeueAfter: DELETE_RETRY_MS } : undefined;
  }

  /** Deletes the dependent objects of an owner that is being deleted; returns when to call again unless all are deleted. */
  async remove(run: ReconcileScope): Promise<Result | undefined> {
    const settled = new Map<string, DependentState>();
    for (const { method } of this.ordered) settled.set(method, { type: 'excluded' });
    const { isAny } = await this.deletions.run(run, settled);
    throwFailure(run, settled);
    return isAny ? { requeueAfter: DELETE_RETRY_MS } : undefined;
  }

  /** Never rejects. Waits for the methods that this one depends on. */
  private async stateOf(
    run: ReconcileScope,
    dependent: DependentModel,
    states: ReadonlyMap<string, Promise<DependentState>>,
    claims: Map<string, string>,
  ): Promise<DependentState> {
    const { dependsOn = [], when } = dependent.options;
    const needed = await Promise.all(dependsOn.map(async (name) => [name, await states.get(name)] as const));
    try {
      if (needed.some(([, state]) => state?.type === 'excluded') || when?.(userObject(run)) === false)
        return { type: 'excluded' };
      if (!this.optionalKinds.isServed(dependent.kind)) return absent(dependent);
      const awaited = needed.filter(([, state]) => state?.type !== 'ready').map(([name]) => name);
      return awaited.length > 0 ? { type: 'waiting', awaited } : await this.apply(run, dependent, claims);
    } catch (thrown) {
      return this.isRemoved(dependent, thrown) ? absent(dependent) : { type: 'failed', error: thrownError(thrown) };
    }
  }

  /** Reports whether the kind was removed, and its watch has not noticed it yet. */
  private isRemoved({ kind, options }: DependentModel, thrown: unknown): boolean {
    if (options.optional !== true || !(thrown instanceof NotFoundError) || !thrown.isResourceMissing) return false;
    return thrown.request.resource === resourceName(kind);
  }

  /** `claims` holds the method of each object that this reconcile writes. */
  private async apply(
    run: ReconcileScope,
    dependent: DependentModel,
    claims: Map<string, string>,
  ): Promise<DependentState> {
    const { method, options } = dependent;
    const { context, owner } = run;
    const instance = userObject(run);
    const returned = await (instance as unknown as Methods)[method]?.call(instance, context);
    const desired = Array.isArray(returned) ? (returned as Desired<KubeObject>[]) : [returned ?? []].flat();
    const names = this.namesOf(method, desired, owner);
    this.claim(dependent, names, claims);
    const writes = desired.map((object) => this.writes.write(run, dependent, object));
    const failed = (await Promise.allSettled(writes)).find((write) => write.status === 'rejected');
    if (failed) throw failed.reason;
    const written = await Promise.all(writes);
    const wait = written.find((each) => each.wait?.isPolled)?.wait ?? written.find((each) => each.wait)?.wait;
    const isReady = written.every(({ live }) => live && options.ready?.(live, instance) !== false);
    return { type: isReady ? 'ready' : 'unready', names, wait };
  }

  /** The keys of the desired objects. @throws OperatorError for an object without a name, or for two of one name. */
  private namesOf(
    method: string,
    desired: readonly Desired<KubeObject>[],
    owner: ReadonlyDeep<KubeObject>,
  ): ReadonlySet<string> {
    const names = new Set<string>();
    for (const object of desired as readonly (Partial<Desired<KubeObject>> | undefined)[]) {
      const { name, namespace = owner.metadata.namespace } = object?.metadata ?? {};
      const key = name === undefined ? undefined : keyOf(name, namespace);
      if (key === undefined || names.has(key)) {
        const problem = key === undefined ? 'an object without metadata.name' : `two objects named ${key}`;
        throw new OperatorError(`${this.model.className}.${method} returned ${problem}`, {
          code: 'E_DEPENDENT',
          hint: 'derive a name from that of the owner for each object: { metadata: { name: `${this.metadata.name}-0` } }',
        });
      }
      names.add(key);
    }
    return names;
  }

  /** @throws OperatorError if another method returned an object of the same kind and name: each would undo the other. */
  private claim({ method, kind }: DependentModel, names: ReadonlySet<string>, claims: Map<string, string>): void {
    for (const name of names) {
      const other = claims.get(`${kindKey(kind)} ${name}`);
      if (other === undefined) continue;
      const { className } = this.model;
      throw new OperatorError(`${className}.${method} returned ${kind.kind} ${name}, as ${className}.${other} did`, {
        code: 'E_DEPENDENT',
        hint: 'return each object from one method only, or give the objects different names',
      });
    }
    for (const name of names) claims.set(`${kindKey(kind)} ${name}`, method);
  }
}

/** Only classes with `@Kind` have dependents. */
function userObject({ instance }: ReconcileScope): CustomResource {
  return instance as CustomResource;
}

function absent({ kind }: DependentModel): DependentState {
  return { type: 'absent', kind };
}

function dependsOn({ options }: DependentModel, method: string): boolean {
  return options.dependsOn?.includes(method) === true;
}

/** The methods in an order in which each comes after those that it depends on. There are no cycles. */
function inOrder(dependents: readonly DependentModel[]): DependentModel[] {
  const ordered = new Set<DependentModel>();
  const add = (dependent: DependentModel): void => {
    for (const other of dependents) if (dependsOn(dependent, other.method)) add(other);
    ordered.add(dependent);
  };
  dependents.forEach(add);
  return [...ordered];
}

/** Throws the error of a method, preferably one that is a failure and retried, and logs all other failures. */
function throwFailure({ context }: ReconcileScope, states: ReadonlyMap<string, DependentState>): void {
  const errors = [...states].flatMap(([method, state]) =>
    state.type === 'failed' ? [{ method, error: state.error }] : [],
  );
  const failures = errors.filter(({ error }) => !isNoFailure(error));
  const isRetried = ({ error }: { readonly error: Error }): boolean => !(error instanceof TerminalError);
  const thrown = failures.find(isRetried) ?? errors.find(isRetried) ?? errors[0];
  if (!thrown) return;
  for (const { method, error } of failures)
    if (error !== thrown.error) context.log.error('Dependent failed', { dependent: method, err: error });
  throw thrown.error;
}
