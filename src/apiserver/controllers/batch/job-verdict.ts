import { eachObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { parseIndexes } from './completed-indexes.js';
import type { JobIndexes } from './job-indexes.js';
import { hasFailed } from './job-pods.js';
import { failureAction } from './pod-failure-policy.js';

/** The outcome of a Job. */
export interface JobVerdict {
  readonly isComplete: boolean;
  readonly reason: string;
  readonly message: string;
}

/** The progress of a Job, including pods that have just ended. */
export interface JobProgress {
  readonly job: ApiObject;
  readonly pods: readonly ApiObject[];
  readonly failed: number;
  readonly indexes: JobIndexes;
  readonly isOverdue: boolean;
}

export const COMPLETED: JobVerdict = {
  isComplete: true,
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/** Returns the outcome of the Job, regardless of running pods; undefined if it is still undecided. */
export function verdictOn(progress: JobProgress): JobVerdict | undefined {
  const { job, indexes } = progress;
  return settledVerdict(job) ?? policyVerdict(progress) ?? limitVerdict(progress) ?? indexVerdict(job, indexes);
}

function settledVerdict({ status }: ApiObject): JobVerdict | undefined {
  const conditions = eachObject(objectAt({ status }, 'status').conditions).filter((each) => each.status === 'True');
  const target = ['SuccessCriteriaMet', 'FailureTarget']
    .map((type) => conditions.find((each) => each.type === type))
    .find((found) => found !== undefined);
  if (!target) return undefined;
  const isComplete = target.type === 'SuccessCriteriaMet';
  return { isComplete, reason: stringAt(target, 'reason'), message: stringAt(target, 'message') };
}

function policyVerdict({ job, pods }: JobProgress): JobVerdict | undefined {
  const actions = pods.filter((pod) => hasFailed(job, pod)).map((pod) => failureAction(job, pod));
  const fatal = actions.find(({ action }) => action === 'FailJob');
  return fatal && failure('PodFailurePolicy', fatal.message);
}

function limitVerdict({ job, pods, failed, isOverdue }: JobProgress): JobVerdict | undefined {
  const limit = numberAt(job.spec, 'backoffLimit') ?? 0;
  if (failed > limit || restartsTooOften(job, pods, limit))
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  return isOverdue ? failure('DeadlineExceeded', 'Job was active longer than specified deadline') : undefined;
}

/** Container restarts count as failures if pods restart on failure. */
function restartsTooOften({ spec }: ApiObject, pods: readonly ApiObject[], limit: number): boolean {
  if (stringAt(objectAt(objectAt(spec, 'template'), 'spec'), 'restartPolicy') !== 'OnFailure') return false;
  const restarts = pods
    .map((pod) => objectAt(pod, 'status'))
    .filter(({ phase }) => phase === 'Running' || phase === 'Pending')
    .flatMap((status) => [...eachObject(status.initContainerStatuses), ...eachObject(status.containerStatuses)])
    .reduce((sum, container) => sum + (numberAt(container, 'restartCount') ?? 0), 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function indexVerdict(job: ApiObject, { succeeded, failed }: JobIndexes): JobVerdict | undefined {
  const lost = failed?.size ?? 0;
  if (lost > (numberAt(job.spec, 'maxFailedIndexes') ?? Infinity))
    return failure('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  if (lost > 0 && lost + succeeded.size >= (numberAt(job.spec, 'completions') ?? 0))
    return failure('FailedIndexes', 'Job has failed indexes');
  const rule = eachObject(objectAt(job.spec, 'successPolicy').rules).findIndex((each) => isMet(each, succeeded));
  return rule < 0
    ? undefined
    : { isComplete: true, reason: 'SuccessPolicy', message: `Matched rules at index ${rule}` };
}

function isMet(rule: JsonObject, succeeded: ReadonlySet<number>): boolean {
  const count = numberAt(rule, 'succeededCount') ?? Infinity;
  const wanted = parseIndexes(stringAt(rule, 'succeededIndexes'));
  if (succeeded.size === 0) return false;
  if (wanted.size === 0) return succeeded.size >= count;
  const met = wanted.intersection(succeeded).size;
  return met === wanted.size || met >= count;
}

function failure(reason: string, message: string): JobVerdict {
  return { isComplete: false, reason, message };
}
