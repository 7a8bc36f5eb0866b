import { setCondition, type ConditionLike } from '../../api/objects/condition.js';
import { apiVersionOf, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Clock } from '../../base/clock.js';
import { publicMessage } from '../../base/thrown-error.js';
import { joinFairly } from '../../base/cut-text.js';
import { formatTime } from '../../base/timestamp.js';
import { ConflictError } from '../../client/api-error.js';
import type { CustomResource } from '../../resource/custom-resource.js';
import type { ResourceModel } from '../../resource/model.js';
import { isRejectedRequest, isTerminatingNamespace } from '../run/retry-rules.js';
import { StaleOwnerError } from '../write/owner-check.js';
import type { DependentWait } from './written-dependent.js';
import { conditionSupport } from '../run/reconciled-condition.js';

/** The state of a `@Dependent` method in one reconcile. */
export type DependentState =
  | {
      readonly type: 'ready' | 'unready';
      readonly names: ReadonlySet<string>;
      readonly wait?: DependentWait | undefined;
    }
  /** Not called, because these methods are not ready. */
  | { readonly type: 'waiting'; readonly awaited: readonly string[] }
  /** Not called, because `when` returned false for it or for one that it depends on. */
  | { readonly type: 'excluded' }
  /** Not called, because its kind is optional and not served. */
  | { readonly type: 'absent'; readonly kind: KindRef }
  | { readonly type: 'failed'; readonly error: Error };

const TYPE = 'Ready';
const REASONS: readonly string[] = ['DependentsReady', 'DependentsNotReady', 'DependentFailed'];
const MAX_MESSAGE_LENGTH = 1024;

/**
 * The status condition `Ready` of a class with `@Dependent` that has a list `status.conditions` of the form of
 * metav1.Condition. One that the class sets itself, with other reasons, is never changed.
 */
export class DependentsCondition {
  private readonly isSupported: boolean;
  private readonly hasGeneration: boolean;

  constructor(
    model: ResourceModel,
    private readonly clock: Clock,
  ) {
    const { isSupported, hasGeneration } = conditionSupport(model);
    this.isSupported = isSupported;
    this.hasGeneration = hasGeneration;
  }

  /**
   * Sets the condition in the status of the instance, except after an error that does not count as a failure. `kept` has the
   * number of objects of each method that `deleteWhen` has kept.
   */
  set(
    instance: CustomResource,
    states: ReadonlyMap<string, DependentState>,
    kept: ReadonlyMap<string, number>,
    generation: number | undefined,
  ): void {
    if (!this.isSupported || [...states.values()].some((state) => state.type === 'failed' && isNoFailure(state.error)))
      return;
    const owner = instance as { status?: { conditions?: ConditionLike[] } };
    const present = owner.status?.conditions?.find(({ type }) => type === TYPE);
    if (present && !REASONS.includes(present.reason)) return;
    const observed = this.hasGeneration && generation !== undefined && { observedGeneration: generation };
    const condition = { type: TYPE, ...describe(states, kept), ...observed };
    const now = formatTime(this.clock.now());
    owner.status ??= {};
    owner.status.conditions = setCondition(owner.status.conditions, condition, now);
  }
}

/** Returns whether an error does not mean that a dependent fails: a conflict is retried, and objects end with their namespace. */
export function isNoFailure(error: Error): boolean {
  if (error instanceof StaleOwnerError || isTerminatingNamespace(error)) return true;
  return error instanceof ConflictError && !isRejectedRequest(error);
}

function describe(
  states: ReadonlyMap<string, DependentState>,
  kept: ReadonlyMap<string, number>,
): Pick<ConditionLike, 'status' | 'reason' | 'message'> {
  const problems = [...states].flatMap(([method, state]) => [
    ...problemsOf(method, state),
    ...(kept.has(method) ? [`deleteWhen of ${method} keeps ${objects(kept.get(method) ?? 0)}`] : []),
  ]);
  const skipped = [...states].flatMap(([method, state]) => (state.type === 'absent' ? [skipOf(method, state)] : []));
  if (problems.length === 0) return { status: 'True', reason: 'DependentsReady', message: messageOf(skipped) };
  const hasFailed = [...states.values()].some(({ type }) => type === 'failed');
  const message = messageOf([...problems, ...skipped]);
  return { status: 'False', reason: hasFailed ? 'DependentFailed' : 'DependentsNotReady', message };
}

function problemsOf(method: string, state: DependentState): string[] {
  if (state.type === 'unready')
    return [state.wait ? `${method} is not ready: ${state.wait.why}` : `${method} is not ready`];
  if (state.type === 'waiting') return [`${method} waits for ${state.awaited.join(', ')}`];
  return state.type === 'failed' ? [`${method} failed: ${publicMessage(state.error)}`] : [];
}

function skipOf(method: string, { kind }: { readonly kind: KindRef }): string {
  return `${method} is skipped: ${kind.kind} (${apiVersionOf(kind)}) is not installed`;
}

function messageOf(parts: readonly string[]): string {
  return joinFairly(parts, '; ', MAX_MESSAGE_LENGTH);
}

function objects(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}
