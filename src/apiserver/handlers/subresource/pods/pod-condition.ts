import { setCondition, type ConditionLike } from '../../../../api/objects/condition.js';
import { arrayAt, type JsonObject } from '../../../objects/api-object.js';

/** A pod condition; reason and message are optional. */
type PodCondition = Pick<ConditionLike, 'type' | 'status'> &
  Partial<Pick<ConditionLike, 'reason' | 'message' | 'observedGeneration'>>;

/** Sets a condition in a pod's status, as UpdatePodCondition does. */
export function setPodCondition(status: JsonObject, condition: PodCondition, now: string): void {
  const whole = { lastProbeTime: null, ...condition } as unknown as ConditionLike;
  status.conditions = setCondition(arrayAt(status, 'conditions') as ConditionLike[], whole, now);
}
