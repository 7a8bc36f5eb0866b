import { eachObject } from '../../objects/api-object.js';
import { objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Verdict } from './job-verdict.js';

export function isSuspended({ spec }: ApiObject): boolean {
  return objectAt({ spec }, 'spec').suspend === true;
}

/** The condition that a Job ended with, once it did. */
export function endOf({ status }: ApiObject): JsonObject | undefined {
  return eachObject(objectAt({ status }, 'status').conditions).find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
}

/** The criteria come first, and the end itself once no pod is left. */
export function verdictConditions(
  present: readonly JsonObject[],
  { isComplete, reason, message }: Verdict,
  isOver: boolean,
  now: string,
): JsonObject[] {
  const types = isComplete ? ['SuccessCriteriaMet', 'Complete'] : ['FailureTarget', 'Failed'];
  const missing = types
    .slice(0, isOver ? 2 : 1)
    .filter((wanted) => !present.some(({ type }) => type === wanted))
    .map((type) => ({ type, status: 'True', lastProbeTime: now, lastTransitionTime: now, reason, message }));
  return [...present, ...missing];
}

/** The condition of a Job that was suspended or resumed since it was last told; undefined for none. */
export function suspension(job: ApiObject, now: string): JsonObject | undefined {
  const old = eachObject(objectAt(job, 'status').conditions).find(({ type }) => type === 'Suspended');
  const status = isSuspended(job) ? 'True' : 'False';
  if ((old?.status ?? 'False') === status) return undefined;
  const [reason, message] = isSuspended(job) ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
  return { type: 'Suspended', status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}
