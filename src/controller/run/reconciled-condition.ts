import { RECONCILE_REQUESTED } from '../../api/reconcile/control-annotations.js';
import { setCondition, type ConditionLike } from '../../api/objects/condition.js';
import type { ObjectMeta, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { Clock } from '../../base/clock.js';
import { cutMiddle } from '../../base/cut-text.js';
import { formatTime } from '../../base/timestamp.js';
import type { FieldModel } from '../../resource/fields/value-model.js';
import type { ResourceModel } from '../../resource/model.js';

/** The reason of a failure, in Events and in the condition. */
export type FailureReason = 'ReconcileFailed' | 'ReconcileTimedOut' | 'FinalizerFailed';

/** The field of the status for the last requested reconcile, with the name that other tools such as Flux use. */
const ACKNOWLEDGEMENT = 'lastHandledReconcileAt';

export const RECONCILED_TYPE = 'Reconciled';
const FAILURE_REASONS: ReadonlySet<string> = new Set<FailureReason>([
  'ReconcileFailed',
  'ReconcileTimedOut',
  'FinalizerFailed',
]);
const REQUIRED_FIELDS = ['type', 'status', 'reason', 'message', 'lastTransitionTime'];
/** The limit in the schema of metav1.Condition. */
const MAX_MESSAGE_LENGTH = 32_768;

/**
 * The status condition `Reconciled` of a class that has a list `status.conditions` of the form of metav1.Condition.
 *
 * It is False while a reconcile fails persistently, and True after the next success. An object that never failed has
 * no such condition, and one that the class sets itself, with other reasons, is never changed.
 */
export class ReconciledCondition {
  readonly isSupported: boolean;
  /** True if conditions of the class have an `observedGeneration`. */
  readonly hasGeneration: boolean;
  /** True if the status of the class has a field for the last requested reconcile. */
  private readonly acknowledges: boolean;

  constructor(
    model: Pick<ResourceModel, 'hasStatus' | 'fields'>,
    private readonly clock: Clock,
  ) {
    const { isSupported, hasGeneration } = conditionSupport(model);
    this.isSupported = isSupported;
    this.hasGeneration = hasGeneration;
    const status = model.fields.find(({ name }) => name === 'status')?.value.class;
    this.acknowledges = model.hasStatus && status?.fields.some(({ name }) => name === ACKNOWLEDGEMENT) === true;
  }

  /** The status with the condition set to False. */
  failed(status: unknown, reason: FailureReason, message: string, generation: number | undefined): unknown {
    const present = this.find(status);
    if (present && !isOurs(present)) return status;
    const observed = this.hasGeneration && generation !== undefined && { observedGeneration: generation };
    const condition = {
      type: RECONCILED_TYPE,
      status: 'False',
      reason,
      message: cutMiddle(message, MAX_MESSAGE_LENGTH),
    };
    return this.with(status, { ...condition, ...observed });
  }

  /**
   * The status with the condition set to True if it was set to False by `failed`, and with a requested reconcile acknowledged
   * if the class has the field for it; else the same status.
   */
  succeeded(given: unknown, metadata: ReadonlyDeep<ObjectMeta>): unknown {
    const { generation } = metadata;
    const status = this.acknowledged(given, metadata.annotations?.[RECONCILE_REQUESTED]);
    const present = this.find(status);
    if (present?.status !== 'False' || !isOurs(present)) return status;
    const observed = this.hasGeneration && generation !== undefined && { observedGeneration: generation };
    return this.with(status, {
      ...{ type: RECONCILED_TYPE, status: 'True', reason: 'ReconcileSucceeded', message: '' },
      ...observed,
    });
  }

  private acknowledged(status: unknown, requested: string | undefined): unknown {
    if (!this.acknowledges || requested === undefined) return status;
    return { ...(status as object | undefined), [ACKNOWLEDGEMENT]: requested };
  }

  private find(status: unknown): ConditionLike | undefined {
    return this.isSupported ? conditionsOf(status)?.find(({ type }) => type === RECONCILED_TYPE) : undefined;
  }

  private with(status: unknown, condition: Omit<ConditionLike, 'lastTransitionTime'>): unknown {
    const now = formatTime(this.clock.now());
    return { ...(status as object | undefined), conditions: setCondition(conditionsOf(status), condition, now) };
  }
}

/** Returns whether a class has a list of conditions of the form of metav1.Condition, and these an `observedGeneration`. */
export function conditionSupport({ hasStatus, fields }: Pick<ResourceModel, 'hasStatus' | 'fields'>) {
  const members = membersOfConditions(fields);
  return {
    isSupported: hasStatus && REQUIRED_FIELDS.every((name) => members.includes(name)),
    hasGeneration: members.includes('observedGeneration'),
  };
}

function isOurs({ status, reason }: ConditionLike): boolean {
  return FAILURE_REASONS.has(reason) || (status === 'True' && reason === 'ReconcileSucceeded');
}

function conditionsOf(status: unknown): readonly ConditionLike[] | undefined {
  const { conditions } = (status ?? {}) as { conditions?: unknown };
  return Array.isArray(conditions) ? (conditions as ConditionLike[]) : undefined;
}

function membersOfConditions(fields: readonly FieldModel[]): string[] {
  const status = fields.find(({ name }) => name === 'status')?.value.class;
  const items = status?.fields.find(({ name }) => name === 'conditions')?.value.items;
  return items?.class?.fields.map(({ name }) => name) ?? [];
}
