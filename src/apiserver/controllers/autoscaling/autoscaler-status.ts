import { setCondition, type ConditionLike } from '../../../api/condition.js';
import { arrayAt, numberAt, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';

/** The status of a HorizontalPodAutoscaler, as a look at its target makes it. */
export class AutoscalerStatus {
  private conditions: ConditionLike[];
  private counts: JsonObject;
  private currentMetrics: unknown;

  constructor(
    { status }: ApiObject,
    private readonly now: string,
  ) {
    const { currentReplicas, desiredReplicas, lastScaleTime, currentMetrics = null } = objectAt({ status }, 'status');
    this.conditions = arrayAt(status, 'conditions') as ConditionLike[];
    this.counts = { currentReplicas, desiredReplicas, lastScaleTime };
    this.currentMetrics = currentMetrics;
  }

  get status(): JsonObject {
    const { currentReplicas, desiredReplicas, lastScaleTime } = this.counts;
    return {
      ...((numberAt(this.counts, 'currentReplicas') ?? 0) > 0 && { currentReplicas }),
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      desiredReplicas: desiredReplicas ?? 0,
      currentMetrics: this.currentMetrics,
      conditions: this.conditions,
    };
  }

  tell(
    type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited',
    status: 'True' | 'False',
    reason: string,
    message: string,
  ): void {
    this.conditions = setCondition(this.conditions, { type, status, reason, message }, this.now);
  }

  /** How each metric is; one that could not be had has a place of its own too. */
  setMetrics(metrics: readonly JsonObject[]): void {
    this.currentMetrics = metrics.length === 0 ? null : metrics;
  }

  /** How many there are and, if that is known, how many there are to be. */
  setReplicas(current: number, desired?: number): void {
    this.counts = {
      ...this.counts,
      currentReplicas: current,
      ...(desired !== undefined && { desiredReplicas: desired }),
      ...(desired !== undefined && desired !== current && { lastScaleTime: this.now }),
    };
  }
}
