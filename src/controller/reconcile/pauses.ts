import { PAUSED, pauseOf, type Pause } from '../../api/reconcile/control-annotations.js';
import { setCondition, type ConditionLike } from '../../api/objects/condition.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ObjectKey } from '../../api/objects/object-key.js';
import type { Clock } from '../../base/clock.js';
import { cutMiddle } from '../../base/cut-text.js';
import { formatTime } from '../../base/timestamp.js';
import type { ResourceModel } from '../../resource/model.js';
import type { Result } from '../../resource/result.js';
import type { RecordEvent } from '../context/context-services.js';
import type { ControllerMetrics } from '../controller-metrics.js';
import { conditionSupport } from '../run/reconciled-condition.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import type { StatusWriter } from '../write/status-writer.js';

export interface PausesOptions {
  /** The message of each paused object, which versions of a class share. */
  readonly messages: Map<ObjectKey, string>;
  readonly model: ResourceModel;
  readonly clock: Clock;
  readonly record: RecordEvent;
  readonly statusWriter: Pick<StatusWriter, 'write'>;
  readonly metrics?: Pick<ControllerMetrics, 'paused'> | undefined;
}

const TYPE = 'Paused';
const PAUSED_REASON = 'PausedByAnnotation';
const RESUMED_REASON = 'Resumed';
/** An annotation may have 256 KiB. */
const MAX_MESSAGE_LENGTH = 1000;

/**
 * Keeps paused objects from being reconciled, and shows which are: by Events, a gauge, and the condition `Paused` of classes
 * with conditions.
 *
 * A condition with this type and other reasons belongs to the class and is never changed.
 */
export class Pauses {
  private readonly messages: Map<ObjectKey, string>;
  private readonly support: ReturnType<typeof conditionSupport>;

  constructor(private readonly options: PausesOptions) {
    this.messages = options.messages;
    this.support = conditionSupport(options.model);
  }

  /**
   * Returns the result of a reconcile that must not run because the object is paused; undefined if it may run. An object that
   * is not paused and was not is answered without a promise.
   */
  hold(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>): Promise<Result | undefined> | undefined {
    const isKnown = this.messages.has(request.key) || isShownPaused(object);
    return isKnown || object.metadata.annotations?.[PAUSED] !== undefined ? this.update(request, object) : undefined;
  }

  private async update(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>): Promise<Result | undefined> {
    const { clock, model } = this.options;
    const isDeletion = object.metadata.deletionTimestamp !== undefined;
    if (isDeletion && model.controller.pausedDeletion === 'proceed') {
      this.forget(request.key);
      return undefined;
    }
    const now = clock.now();
    const pause = pauseOf(object, now);
    if (pause) await this.begin(request, object, pause);
    else await this.end(request, object);
    if (pause?.untilMs === undefined) return pause && {};
    return { requeueAfter: pause.untilMs - now };
  }

  /** Must be called for an object that is deleted. */
  forget(key: ObjectKey): void {
    if (this.messages.delete(key)) this.measure();
  }

  /** Forgets the objects that another process reconciles now. */
  retain(owns: (key: ObjectKey) => boolean): void {
    for (const key of this.messages.keys()) if (!owns(key)) this.forget(key);
  }

  private async begin(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>, pause: Pause): Promise<void> {
    const message = cutMiddle(pause.message, MAX_MESSAGE_LENGTH);
    const present = conditionOf(object);
    if (this.messages.get(request.key) !== message) {
      this.messages.set(request.key, message);
      this.measure();
      request.log[pause.isValid ? 'info' : 'warn']('The object is paused', { reason: message });
      const isKnown = present?.reason === PAUSED_REASON && present.message === message;
      if (!isKnown) this.options.record(object, pause.isValid ? 'Normal' : 'Warning', TYPE, message);
    }
    await this.write(request, object, { type: TYPE, status: 'True', reason: PAUSED_REASON, message });
  }

  private async end(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>): Promise<void> {
    const wasPaused = isShownPaused(object);
    if (!wasPaused && !this.messages.has(request.key)) return;
    this.forget(request.key);
    request.log.info('The object is no longer paused');
    this.options.record(object, 'Normal', RESUMED_REASON, 'reconciled again');
    if (wasPaused)
      await this.write(request, object, { type: TYPE, status: 'False', reason: RESUMED_REASON, message: '' });
  }

  private async write(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
    condition: Omit<ConditionLike, 'lastTransitionTime'>,
  ): Promise<void> {
    const { clock, statusWriter } = this.options;
    const present = conditionOf(object);
    if (!this.support.isSupported || (present && ![PAUSED_REASON, RESUMED_REASON].includes(present.reason))) return;
    const { generation } = object.metadata;
    const observed = this.support.hasGeneration && generation !== undefined && { observedGeneration: generation };
    const { status } = object as WithConditions;
    const conditions = setCondition(status?.conditions, { ...condition, ...observed }, formatTime(clock.now()));
    await statusWriter.write(request, { read: object, latest: () => object }, { ...status, conditions });
  }

  private measure(): void {
    this.options.metrics?.paused(this.messages.size);
  }
}

type WithConditions = ReadonlyDeep<KubeObject> & { readonly status?: { readonly conditions?: ConditionLike[] } };

function isShownPaused(object: ReadonlyDeep<KubeObject>): boolean {
  return conditionOf(object)?.reason === PAUSED_REASON;
}

function conditionOf(object: ReadonlyDeep<KubeObject>): ConditionLike | undefined {
  const conditions: unknown = (object as WithConditions).status?.conditions;
  return Array.isArray(conditions) ? (conditions as ConditionLike[]).find(({ type }) => type === TYPE) : undefined;
}
