import { isPodActive } from '../../../api/objects/is-pod-active.js';
import { eachObject, numberAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import { leastAdvancedFirst } from '../pod-order.js';

export const TRACKING = 'batch.kubernetes.io/job-tracking';
export const INDEX = 'batch.kubernetes.io/job-completion-index';

export function isIndexed({ spec }: ApiObject): boolean {
  return stringAt(spec, 'completionMode') === 'Indexed';
}

export function isTracked({ metadata }: ApiObject): boolean {
  return metadata.finalizers?.includes(TRACKING) === true;
}

export function indexOf({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.[INDEX] ?? NaN);
}

/** Returns whether a pod counts for the Job: its completion index must be in range. */
export function isOfJob(job: ApiObject, pod: ApiObject): boolean {
  return !isIndexed(job) || indexOf(pod) < (numberAt(job.spec, 'completions') ?? 0);
}

/** Returns whether pods are replaced only after they have failed, and not while they terminate. */
export function replacesFailedOnly({ spec }: ApiObject): boolean {
  const { podReplacementPolicy, podFailurePolicy } = objectAt({ spec }, 'spec');
  return podReplacementPolicy === 'Failed' || podFailurePolicy !== undefined;
}

export function hasSucceeded({ status }: ApiObject): boolean {
  return stringAt(status, 'phase') === 'Succeeded';
}

export function hasFailed(job: ApiObject, pod: ApiObject): boolean {
  if (stringAt(pod.status, 'phase') === 'Failed') return true;
  return !replacesFailedOnly(job) && pod.metadata.deletionTimestamp !== undefined && !hasSucceeded(pod);
}

/** Returns the best known end of the pod, in milliseconds. */
export function finishedAt({ metadata, status }: ApiObject): number {
  const { containerStatuses, conditions } = objectAt({ status }, 'status');
  const ends = eachObject(containerStatuses).map((each) =>
    Date.parse(stringAt(objectAt(objectAt(each, 'state'), 'terminated'), 'finishedAt')),
  );
  if (ends.length > 0 && !ends.some(Number.isNaN)) return Math.max(...ends);
  const unready = eachObject(conditions).find((each) => each.type === 'Ready' && each.status === 'False');
  if (unready) return Date.parse(stringAt(unready, 'lastTransitionTime'));
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = metadata;
  if (deletionTimestamp === undefined) return Date.parse(creationTimestamp);
  return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

/** Returns the surplus active pods: first those with a duplicate or invalid index, then the least advanced. */
export function surplusOf(job: ApiObject, active: readonly ApiObject[], atLeast: number): ApiObject[] {
  const sorted = active.filter(isPodActive).sort(leastAdvancedFirst);
  const kept = new Set<number>();
  const doubled = isIndexed(job)
    ? sorted.toReversed().filter((pod) => {
        const isSurplus = !isOfJob(job, pod) || kept.has(indexOf(pod));
        kept.add(indexOf(pod));
        return isSurplus;
      })
    : [];
  const others = sorted.filter((pod) => !doubled.includes(pod));
  return [...doubled, ...others.slice(0, Math.max(0, atLeast - doubled.length))];
}
