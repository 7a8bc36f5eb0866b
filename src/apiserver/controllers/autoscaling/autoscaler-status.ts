import { setCondition, type ConditionLike } from '../../../api/objects/condition.js';
import { arrayAt, numberAt, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';

/** Builds the new status of a HorizontalPodAutoscaler. */
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

  setCondition(
    type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited',
    status: 'True' | 'False',
    reason: string,
    message: string,
  ): void {
    this.conditions = setCondition(this.conditions, { type, status, reason, message }, this.now);
  }

  /** Sets the current metrics; a metric that could not be read has an entry as well. */
  setMetrics(metrics: readonly JsonObject[]): void {
    this.currentMetrics = metrics.length === 0 ? null : metrics;
  }

  /** Sets the current and, if known, the desired number of replicas. */
  setReplicas(current: number, desired?: number): void {
    this.counts = {
      ...this.counts,
      currentReplicas: current,
      ...(desired !== undefined && { desiredReplicas: desired }),
      ...(desired !== undefined && desired !== current && { lastScaleTime: this.now }),
    };
  }
}
