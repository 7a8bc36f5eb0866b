import { eachObject, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { JobVerdict } from './job-verdict.js';

export function isSuspended({ spec }: ApiObject): boolean {
  return objectAt({ spec }, 'spec').suspend === true;
}

/** Returns the Complete or Failed condition of a finished Job. */
export function endOf({ status }: ApiObject): JsonObject | undefined {
  return eachObject(objectAt({ status }, 'status').conditions).find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
}

/** Adds the conditions of a verdict: the criterion first, and the final condition once no pods are left. */
export function verdictConditions(
  present: readonly JsonObject[],
  { isComplete, reason, message }: JobVerdict,
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

/** Returns the new condition of a Job that was suspended or resumed; undefined if unchanged. */
export function suspension(job: ApiObject, now: string): JsonObject | undefined {
  const old = eachObject(objectAt(job, 'status').conditions).find(({ type }) => type === 'Suspended');
  const status = isSuspended(job) ? 'True' : 'False';
  if ((old?.status ?? 'False') === status) return undefined;
  const [reason, message] = isSuspended(job) ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
  return { type: 'Suspended', status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}
