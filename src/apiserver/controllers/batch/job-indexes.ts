import { isPodActive } from '../../../api/objects/is-pod-active.js';
import { numberAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import { parseIndexes } from './completed-indexes.js';
import { NO_FAILURES, untilRetry, type Failures } from './job-backoff.js';
import {
  finishedAt,
  hasFailed,
  hasSucceeded,
  indexOf,
  isIndexed,
  isOfJob,
  isTracked,
  replacesFailedOnly,
} from './job-pods.js';
import { failureAction } from './pod-failure-policy.js';

const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** The state of the completion indexes of a Job. */
export interface JobIndexes {
  readonly succeeded: ReadonlySet<number>;
  /** Set only if the Job has a `backoffLimitPerIndex`. */
  readonly failed: ReadonlySet<number> | undefined;
  /** The last failed pods of indexes that will be retried; they are kept until the new pod exists. */
  readonly awaiting: ReadonlyMap<number, ApiObject>;
}

export function indexesOf(job: ApiObject, pods: readonly ApiObject[]): JobIndexes {
  if (!isIndexed(job)) return { succeeded: new Set(), failed: undefined, awaiting: new Map() };
  const completions = numberAt(job.spec, 'completions') ?? 0;
  const known = (field: string): number[] =>
    [...parseIndexes(stringAt(job.status, field))].filter((index) => index < completions);
  const fresh = pods.filter((pod) => isTracked(pod) && isOfJob(job, pod));
  const succeeded = new Set([...known('completedIndexes'), ...fresh.filter(hasSucceeded).map(indexOf)]);
  const limit = numberAt(job.spec, 'backoffLimitPerIndex');
  if (limit === undefined) return { succeeded, failed: undefined, awaiting: new Map() };
  const lost = fresh.filter((pod) => hasFailed(job, pod));
  const failed = new Set([...known('failedIndexes'), ...lost.filter((pod) => isOver(job, pod, limit)).map(indexOf)]);
  const active = new Set(pods.filter(isPodActive).map(indexOf));
  const awaiting = new Map<number, ApiObject>();
  for (const pod of lost.sort((a, b) => countAt(a, FAILURES) - countAt(b, FAILURES) || finishedAt(a) - finishedAt(b))) {
    const index = indexOf(pod);
    if (![succeeded, failed, active].some((settled) => settled.has(index))) awaiting.set(index, pod);
  }
  return { succeeded, failed, awaiting };
}

/** Returns the indexes that need a pod, lowest first. */
export function pendingIndexes(job: ApiObject, pods: readonly ApiObject[], indexes: JobIndexes): number[] {
  const isTaken = (pod: ApiObject): boolean => isPodActive(pod) || (replacesFailedOnly(job) && isTerminating(pod));
  const taken = new Set([...indexes.succeeded, ...(indexes.failed ?? []), ...pods.filter(isTaken).map(indexOf)]);
  const all = Array.from({ length: numberAt(job.spec, 'completions') ?? 0 }, (_, index) => index);
  return all.filter((index) => !taken.has(index));
}

/** Milliseconds until the next pod of an index may be created, for a Job with a backoff limit per index. */
export function untilIndexRetry({ awaiting }: JobIndexes, index: number, nowMs: number): number {
  const pod = awaiting.get(index);
  const failures: Failures = pod
    ? { count: countAt(pod, FAILURES) + countAt(pod, IGNORED_FAILURES) + 1, lastMs: finishedAt(pod) }
    : NO_FAILURES;
  return untilRetry(failures, nowMs);
}

/** Returns the annotations of a new pod with the failure counts of its index. */
export function failureAnnotations(job: ApiObject, { awaiting }: JobIndexes, index: number): Record<string, string> {
  if (numberAt(job.spec, 'backoffLimitPerIndex') === undefined) return {};
  const pod = awaiting.get(index);
  const isIgnored = pod !== undefined && failureAction(job, pod).action === 'Ignore';
  const counted = pod ? countAt(pod, FAILURES) + Number(!isIgnored) : 0;
  const ignored = pod ? countAt(pod, IGNORED_FAILURES) + Number(isIgnored) : 0;
  return { [FAILURES]: String(counted), ...(ignored > 0 && { [IGNORED_FAILURES]: String(ignored) }) };
}

function isOver(job: ApiObject, pod: ApiObject, limit: number): boolean {
  const { action } = failureAction(job, pod);
  return action === 'FailIndex' || (action !== 'Ignore' && countAt(pod, FAILURES) >= limit);
}

function isTerminating({ metadata, status }: ApiObject): boolean {
  const phase = stringAt(objectAt({ status }, 'status'), 'phase');
  return metadata.deletionTimestamp !== undefined && phase !== 'Succeeded' && phase !== 'Failed';
}

function countAt({ metadata }: ApiObject, annotation: string): number {
  return Number(metadata.annotations?.[annotation] ?? 0);
}
