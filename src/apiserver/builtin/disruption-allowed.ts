import { setCondition, type ConditionLike } from '../../api/condition.js';
import { arrayAt, numberAt } from '../objects/api-object.js';

/** The conditions of a disruption budget's status that allows so many disruptions. */
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

/** The conditions of a budget whose pods cannot be counted. */
export function failedConditions(status: unknown, message: string, now: string): ConditionLike[] {
  const condition = {
    ...{ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message },
    observedGeneration: numberAt(status, 'observedGeneration') ?? 0,
  };
  return setCondition(arrayAt(status, 'conditions') as ConditionLike[], condition, now);
}
