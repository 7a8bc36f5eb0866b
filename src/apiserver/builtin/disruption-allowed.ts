import { setCondition, type ConditionLike } from '../../api/objects/condition.js';
import { arrayAt, numberAt } from '../objects/api-object.js';

/** Returns the conditions of a disruption budget with the number of allowed disruptions. */
export function disruptionConditions(status: unknown, allowed: number, now: string): ConditionLike[] {
  const isAllowed = allowed > 0;
  const condition = {
    type: 'DisruptionAllowed',
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: numberAt(status, 'observedGeneration') ?? 0,
  };
  return setCondition(arrayAt(status, 'conditions') as ConditionLike[], condition, now);
}

/** Returns the conditions of a disruption budget if its pods cannot be counted. */
export function failedConditions(status: unknown, message: string, now: string): ConditionLike[] {
  const condition = {
    ...{ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message },
    observedGeneration: numberAt(status, 'observedGeneration') ?? 0,
  };
  return setCondition(arrayAt(status, 'conditions') as ConditionLike[], condition, now);
}
