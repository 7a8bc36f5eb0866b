import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { keyOf } from '../../api/objects/object-key.js';
import { deepClone } from '../../base/deep-clone.js';
import { thrownError } from '../../base/thrown-error.js';
import type { CustomResource } from '../../resource/custom-resource.js';
import type { DependentModel } from '../../resource/kinds/dependents.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import type { DependentState } from './dependents-condition.js';
import type { OptionalKinds } from '../read/optional-kinds.js';
import type { ReconcileScope } from './reconcile-scope.js';

/** Names the method that returned an object. */
export const DEPENDENT_ANNOTATION = 'kindwright.dev/dependent';

/** The undesired objects after a deletion. */
interface RemainingObjects {
  /** True while any object that is not desired still exists. */
  readonly isAny: boolean;
  /** The number of objects of each method for which `deleteWhen` has returned false. */
  readonly kept: ReadonlyMap<string, number>;
}

/** Deletes the objects of `@Dependent` methods that are no longer desired. */
export class DependentDeletions {
  constructor(
    /** Methods before those that depend on them. */
    private readonly ordered: readonly DependentModel[],
    private readonly caches: CachedKinds,
    private readonly optionalKinds: Pick<OptionalKinds, 'isServed'>,
  ) {}

  /**
   * Deletes objects that are not desired, in reverse order. Nothing is deleted of a method that failed, waits or is skipped.
   *
   * All objects of a method are deleted only when none is left of all methods that depend on it, directly or through
   * others that have no objects. A failed deletion changes the state of its method.
   */
  async run(run: ReconcileScope, states: Map<string, DependentState>): Promise<RemainingObjects> {
    const unfinished = new Set<string>();
    const kept = new Map<string, number>();
    let isAny = false;
    for (const dependent of this.ordered.toReversed()) {
      const { method } = dependent;
      const desired = desiredBy(states.get(method));
      if (!desired) continue;
      const { names } = desired;
      const isBlocked = names === undefined && this.isNeededByAny(method, unfinished);
      if (!isBlocked) {
        const deletion = await this.delete(run, dependent, names);
        if (deletion.error) states.set(method, { type: 'failed', error: deletion.error });
        if (deletion.kept > 0) kept.set(method, deletion.kept);
      }
      const hasObjects = this.surplus(run, dependent, names).length > 0;
      if (hasObjects || isBlocked) unfinished.add(method);
      isAny ||= hasObjects;
    }
    return { isAny, kept };
  }

  private isNeededByAny(method: string, others: ReadonlySet<string>): boolean {
    return this.ordered.some((other) => others.has(other.method) && other.options.dependsOn?.includes(method));
  }

  /** Never rejects. */
  private async delete(
    run: ReconcileScope,
    dependent: DependentModel,
    names: ReadonlySet<string> | undefined,
  ): Promise<{ readonly kept: number; readonly error?: Error }> {
    const { context, instance } = run;
    const { kind, options } = dependent;
    try {
      const surplus = this.surplus(run, dependent, names);
      const present = surplus.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const deletable = present.filter(
        (object) => options.deleteWhen?.(deepClone(object) as KubeObject, instance as CustomResource) !== false,
      );
      const deletions = await Promise.allSettled(deletable.map((object) => context.delete(kind, object)));
      const kept = present.length - deletable.length;
      const failed = deletions.find((deletion) => deletion.status === 'rejected');
      return failed ? { kept, error: thrownError(failed.reason) } : { kept };
    } catch (thrown) {
      return { kept: 0, error: thrownError(thrown) };
    }
  }

  /** The objects of a method that are not desired. The cache already shows what this reconcile has written. */
  private surplus(
    { owner }: ReconcileScope,
    { method, kind, options }: DependentModel,
    names: ReadonlySet<string> | undefined,
  ): ReadonlyDeep<KubeObject>[] {
    if (options.observeOnly === true || options.onDelete === 'keep') return [];
    const { uid } = owner.metadata;
    // The cache of a kind that is no longer served may hold objects, which were deleted with the kind.
    if (uid === undefined || !this.optionalKinds.isServed(kind)) return [];
    return this.caches
      .list(kind, { ownerUid: uid })
      .filter(({ metadata }) => metadata.annotations?.[DEPENDENT_ANNOTATION] === method)
      .filter(({ metadata: { name, namespace } }) => !names?.has(keyOf(name, namespace)));
  }
}

/** The names that a method wants, without any if its objects are not wanted; undefined if that is unknown. */
function desiredBy(state: DependentState | undefined): { readonly names?: ReadonlySet<string> } | undefined {
  if (state?.type === 'excluded') return {};
  return state?.type === 'ready' || state?.type === 'unready' ? { names: state.names } : undefined;
}
